internal import KeyValueCoding
internal import KeyedArchive

/// What `inspect` shows of an archive.
struct ArchiveDocument {
    let format: ArchiveFormat
    let archiver: String
    let version: Int
    let objectCount: Int
    /// The values under the names in `$top`, in the order of the file.
    let top: [(key: String, value: Value)]
    /// Where the objects stand that others refer to.
    let references: ReferencePaths

    /// Resolves an archive.
    ///
    /// - Parameter reveals: whether secrets stay whole.
    init(_ archive: Archive, reveals: Bool) throws(ArchiveError) {
        format = archive.format
        version = archive.version
        objectCount = archive.objectCount
        let values = try archive.topValues()
        guard !reveals else {
            archiver = archive.archiver
            top = values
            references = try ReferencePaths(in: values, of: archive) { $0 }
            return
        }
        let redacted = values.map { ($0.key, $0.value.redactingSecrets(under: $0.key)) }
        var occurrences = SecretOccurrences()
        for (value, cut) in zip(values, redacted) { occurrences.insert(value.value, redacted: cut.1) }
        archiver = occurrences.cut(archive.archiver)
        top = redacted.map { (occurrences.shownName(assigning: $0), occurrences.cut(in: $1)) }
        references = try ReferencePaths(in: values, of: archive) { [occurrences] in occurrences.shownName($0) }
    }

    /// The document as JSON. The names in `$top` stand as they are, since a `$` has no second meaning there.
    var json: [UInt8] {
        var bytes: [UInt8] = []
        var object = JSONObjectWriter(&bytes)
        object.field("format", .text(format.rawValue), &bytes)
        object.field("archiver", .text(archiver), &bytes)
        object.field("version", .integer(Int64(version)), &bytes)
        object.field("objects", .integer(Int64(objectCount)), &bytes)
        object.key("top", &bytes)
        var entries = JSONObjectWriter(&bytes)
        for (key, value) in top { entries.field(key, value, &bytes) }
        entries.end(&bytes)
        if !references.paths.isEmpty {
            object.key("references", &bytes)
            var numbers = JSONObjectWriter(&bytes)
            for (index, path) in references.paths.sorted(by: { $0.key < $1.key }) {
                numbers.field("\(index)", .array(path), &bytes)
            }
            numbers.end(&bytes)
        }
        object.end(&bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
