internal import KeyValueCoding

/// A keyed archive: the graph that `NSKeyedArchiver` wrote, read without the classes that it names.
///
/// An archive is a list of objects that refer to one another by index, and a dictionary `$top` of named entry
/// points, of which `archiveRootObject:` writes one, `root`. Nothing is resolved before it is asked for, and
/// references are followed by index, so shared objects cost nothing and cycles are harmless.
public struct Archive: Sendable {
    /// The property list that holds the archive.
    var list: PropertyList
    /// The elements of `$objects`, as a run of `list.references`.
    var objects: PropertyList.Run
    /// The entries of `$top`, each with its node.
    var entries: [(key: String, node: Int)]
    /// How far references are followed.
    public var limits: ArchiveLimits

    /// Reads an archive from the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, binary or XML.
    ///   - limits: how much is read before the file is refused.
    /// - Throws: ``ArchiveError`` for anything that is not a well-formed keyed archive of version 100000.
    public init(reading bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        try self.init(unchecked: bytes, limits: limits)
        try checkAgreement()
    }

    /// Reads an archive without ``checkAgreement()``, for a caller who looks first for an error that says more.
    package init(unchecked bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
        try self.init(PropertyList(reading: bytes, limits: limits), limits: limits)
    }

    /// Checks that objects and references agree with one another, in the archive and in the property list that holds it.
    ///
    /// - Throws: ``ArchiveError`` for what is a sign of damage, though all that is referred to can be read; nothing if
    ///   ``ArchiveLimits/allowsGaps``.
    package func checkAgreement() throws(ArchiveError) {
        guard !limits.allowsGaps else { return }
        try ReferenceCheck.run(self)
        if list.format == .binary { try ObjectOrder.check(list) }
    }

    /// Takes a property list for an archive.
    init(_ list: PropertyList, limits: ArchiveLimits) throws(ArchiveError) {
        guard case .dictionary(let run) = list.nodes[list.top] else {
            throw list.error(
                .notAnArchive,
                at: list.top,
                "the property list holds \(list.kind(of: list.top)) and not the dictionary of a keyed archive"
            )
        }
        let isArchive =
            list.value(forASCII: "$archiver", in: run) != nil || list.value(forASCII: "$objects", in: run) != nil
        guard isArchive, let archiver = list.value(forASCII: "$archiver", in: run) else {
            throw list.error(
                .notAnArchive,
                at: list.top,
                "the property list has no $archiver, so that it was not written by NSKeyedArchiver"
                    + (isArchive ? "" : "; a plain dictionary of keys and values is no archive")
            )
        }
        try Archive.checkWriter(archiver, in: list, top: run)
        let objects = try Archive.objectTable(in: list, top: run)
        let entries = try Archive.topEntries(in: list, top: run)
        try Archive.checkReferences(in: list, objects: objects)
        guard objects.count > 0 else { throw list.error(.badObjects, at: list.top, "$objects has no elements") }
        let null = list.references[objects.start]
        guard list.isASCIIText("$null", at: null) else {
            throw list.error(.badObjects, at: null, object: 0, "the first element of $objects is not \"$null\"")
        }
        self.init(list: list, objects: objects, entries: entries, limits: limits)
    }

    /// Takes the parts of an archive, which are known to fit together.
    init(list: PropertyList, objects: PropertyList.Run, entries: [(key: String, node: Int)], limits: ArchiveLimits) {
        self.list = list
        self.objects = objects
        self.entries = entries
        self.limits = limits
    }

    /// The format of the file.
    public var format: ArchiveFormat { list.format == .binary ? .binary : .xml }

    /// The name of the archiver; no other than `NSKeyedArchiver` is read.
    public var archiver: String { Archive.archiverName }

    /// The version of the archive format; no other than 100000 is read.
    public var version: Int { Int(Archive.formatVersion) }

    /// How many elements `$objects` has, the null object included.
    public var objectCount: Int { objects.count }

    /// The names of the entry points in `$top`, in the order of the file.
    public var topKeys: [String] { entries.map(\.key) }

    /// The node of an element of `$objects`. The index must be in range, which it is for every UID of the archive.
    func element(_ index: Int) -> Int { list.references[objects.start + index] }

    static let archiverName = "NSKeyedArchiver"
    static let formatVersion: Int128 = 100_000
}

/// The two formats of a property list in which archives exist.
public enum ArchiveFormat: String, Sendable, CaseIterable {
    /// `bplist00`.
    case binary
    /// An XML property list.
    case xml
}

// MARK: - The parts of the top dictionary

extension Archive {
    private static func checkWriter(
        _ archiver: Int,
        in list: PropertyList,
        top: PropertyList.Run
    ) throws(ArchiveError) {
        guard case .text(let name) = list.nodes[archiver] else {
            throw list.error(.notAnArchive, at: archiver, "$archiver is \(list.kind(of: archiver)) and not text")
        }
        guard name.isIdentical(toASCII: archiverName) else {
            // A damaged reference leads to any text of the file, a token among them.
            let shown = name.hasSuffix("Archiver") ? excerpt(name) : Redaction.redact(name)
            throw list.error(
                .notAnArchive,
                at: archiver,
                "the archive was written by \(shown); expected \(archiverName)"
            )
        }
        guard let version = list.value(forASCII: "$version", in: top) else {
            throw list.error(.unsupportedVersion, at: list.top, "the archive has no $version; expected 100000")
        }
        guard case .integer(let number) = list.nodes[version], number.value == formatVersion else {
            let found: String =
                if case .integer(let number) = list.nodes[version] { "\(number.value)" } else { list.kind(of: version) }
            throw list.error(.unsupportedVersion, at: version, "the archive's $version is \(found); expected 100000")
        }
    }

    private static func objectTable(
        in list: PropertyList,
        top: PropertyList.Run
    ) throws(ArchiveError) -> PropertyList.Run {
        guard let node = list.value(forASCII: "$objects", in: top) else {
            throw list.error(.badObjects, at: list.top, "the archive has no $objects")
        }
        guard case .array(let run) = list.nodes[node] else {
            throw list.error(.badObjects, at: node, "$objects is \(list.kind(of: node)); expected an array")
        }
        return run
    }

    private static func topEntries(
        in list: PropertyList,
        top: PropertyList.Run
    ) throws(ArchiveError) -> [(key: String, node: Int)] {
        guard let node = list.value(forASCII: "$top", in: top) else {
            throw list.error(.badTop, at: list.top, "the archive has no $top")
        }
        guard case .dictionary(let run) = list.nodes[node] else {
            throw list.error(.badTop, at: node, "$top is \(list.kind(of: node)); expected a dictionary")
        }
        return list.entries(of: run)
    }

    /// Checks that every UID has its element.
    private static func checkReferences(
        in list: PropertyList,
        objects: PropertyList.Run
    ) throws(ArchiveError) {
        for node in list.nodes.indices {
            if case .uid(let uid) = list.nodes[node], uid >= UInt64(objects.count) {
                throw list.error(
                    .uidOutOfRange,
                    at: node,
                    "a reference to object \(uid), where $objects has \(objects.count) elements"
                )
            }
        }
    }
}

/// The name of a key or a class from a file, in quotation marks; what may be a secret is cut.
func excerpt(_ name: String) -> String { "\"\(Redaction.name(name))\"" }
