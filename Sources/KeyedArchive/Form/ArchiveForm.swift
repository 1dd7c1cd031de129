public import KeyValueCoding

/// How an archive of one object was written, apart from the values in it.
///
/// A form is the file with holes where the single values of the object were: class names, keys and their order, what
/// is inline and what an object of its own, numbers as text or as numbers, the order of the objects, shared ones,
/// names in `$top`, all stay as they were. Filled with the values it gives the bytes of the file again, and filled
/// with other values a file of the same kind. Archives of one app have few forms between them, so a store keeps each
/// form once.
public struct ArchiveForm: Sendable, Hashable {
    /// Where a value goes.
    public struct Target: Sendable, Hashable {
        /// The field of the object, by the key that its class gave it.
        public var field: String
        /// The property of the model that the field was read as; nil if the model has none for it.
        public var property: String?
        /// The way from the field's value to the value meant; empty for the field's value itself.
        var path: [PathStep]

        /// The part of a field's value that is meant, or nil if the value has no such part.
        public func part(of value: Value) -> Value? { value.value(at: path) }
    }

    /// A place for a single value.
    struct Hole: Sendable, Hashable {
        /// In a binary file the rank, by position, of the object that is the hole; in an XML file how many bytes of
        /// the literal part precede it.
        var position: Int
        /// How the value stands there.
        var kind: LeafKind
        /// What the value is; more than one where an object is shared.
        var targets: [Target]
    }

    /// What a binary file has besides its objects.
    struct BinaryLayout: Sendable, Hashable {
        /// Where each object, in the order of position, begins: how many bytes of the literal part precede it.
        var starts: [Int]
        /// For each place in the offset table the rank, by position, of its object; empty where they are in order.
        var ranks: [Int]
        /// For each rank the place in the offset table.
        var indices: [Int] {
            var indices = [Int](repeating: 0, count: ranks.count)
            for (index, rank) in ranks.enumerated() { indices[rank] = index }
            return indices
        }
        /// The index of the top object.
        var top: Int
        /// The bytes of a reference to an object.
        var referenceSize: Int
        /// The bytes of an offset; 0 for as few as suffice.
        var offsetSize: Int
        /// The first six bytes of the trailer, of which the last is the sort version.
        var trailerHead: [UInt8]
    }

    /// What a form consists of.
    struct Parts: Sendable, Hashable {
        var format: ArchiveFormat
        var className: String
        var properties: [String: String]
        var supplied: [String: Value] = [:]
        /// The index of the object in `$objects`.
        var object: Int
        /// The bytes of the file that are no value, offset table and trailer excepted. Empty for a form that no two files
        /// have in common; then the file itself is kept beside the account.
        var literal: [UInt8] = []
        /// The layout of a binary file; nil for XML, and for a form without literal part.
        var binary: BinaryLayout?
        /// The places for values, in the order of the file.
        var holes: [Hole] = []
    }

    /// The parts, in one place for all copies: a million accounts hold the same form.
    private final class Storage: Sendable {
        let parts: Parts
        let hash: Int

        init(_ parts: Parts) {
            self.parts = parts
            hash = parts.hashValue
        }
    }

    private let storage: Storage

    init(_ parts: Parts) {
        storage = Storage(parts)
    }

    var parts: Parts { storage.parts }

    /// The format of the file.
    public var format: ArchiveFormat { storage.parts.format }
    /// The class of the object.
    public var className: String { storage.parts.className }
    /// The properties of the model that fields of the object were read as, by field.
    public var properties: [String: String] { storage.parts.properties }
    /// The properties that the archive has no field for, with the values that they were given instead.
    public var supplied: [String: Value] { storage.parts.supplied }
    var object: Int { storage.parts.object }
    var literal: [UInt8] { storage.parts.literal }
    var binary: BinaryLayout? { storage.parts.binary }
    var holes: [Hole] { storage.parts.holes }

    /// Whether the form says nothing but that a file is kept as it is.
    public var isWholeFile: Bool { storage.parts.literal.isEmpty }

    /// The form that keeps a file as it is, for one whose values cannot be taken out.
    public var wholeFile: ArchiveForm {
        var parts = parts
        parts.literal = []
        parts.binary = nil
        parts.holes = []
        return ArchiveForm(parts)
    }

    /// A number that equal forms have in common, within one run of the program.
    package var hash: Int { storage.hash }

    /// Whether two forms are the same. Copies of one are known for such at once.
    public static func == (first: ArchiveForm, second: ArchiveForm) -> Bool {
        first.storage === second.storage
            || first.storage.hash == second.storage.hash && first.storage.parts == second.storage.parts
    }

    /// Hashes the form; what it takes to do so was worked out when the form was made.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.hash)
    }

    /// Finds the form of a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - object: the object, of the archive that the file holds, whose values are to be taken out.
    ///   - property: the property that a field is read as; nil for a field that the model has no property for.
    ///   - supplied: the properties that the archive has no field for, with the values that they were given.
    /// - Throws: ``ArchiveError`` where the graph below the object exceeds a limit.
    public init(
        of bytes: [UInt8],
        object: ArchivedObject,
        property: (_ field: String) -> String?,
        supplied: [String: Value] = [:]
    ) throws(ArchiveError) {
        var parts = Parts(
            format: object.archive.format,
            className: object.archivedClass.name,
            properties: [:],
            supplied: supplied,
            object: object.index
        )
        for field in object.keys { parts.properties[field] = property(field) }
        let list = object.archive.list
        if list.sourcesAreIn(bytes), let leaves = try Parts.openLeaves(of: object, property: property) {
            switch parts.format {
            case .binary: parts.takeBinary(bytes, list: list, leaves: leaves)
            case .xml: parts.takeXML(bytes, list: list, leaves: leaves)
            }
        }
        self.init(parts)
    }
}

// MARK: - Taking the values out

extension ArchiveForm.Parts {
    /// The most values that are taken out of a file; one with more shares its form with no other, and is kept whole.
    private static let mostHoles = 4_096

    /// A node that holds a value and nothing else.
    fileprivate struct OpenLeaf {
        var node: Int
        var kind: LeafKind
        var targets: [ArchiveForm.Target]
    }

    /// The nodes that are a value wherever they are referred to. A node that is also something else, a short text that
    /// is the name of the class too, say, stays as it is. Nil if there are more than a form is good for.
    fileprivate static func openLeaves(
        of object: ArchivedObject,
        property: (_ field: String) -> String?
    ) throws(ArchiveError) -> [OpenLeaf]? {
        let leaves = try LeafFinder.leaves(of: object)
        guard leaves.count <= mostHoles else { return nil }
        var grouped: [Int: (leaf: OpenLeaf, holders: Set<Int>, uniform: Bool)] = [:]
        for leaf in leaves {
            let target = ArchiveForm.Target(field: leaf.field, property: property(leaf.field), path: leaf.path)
            let new = (
                leaf: OpenLeaf(node: leaf.node, kind: leaf.kind, targets: []), holders: Set<Int>(), uniform: true
            )
            grouped[leaf.node, default: new].leaf.targets.append(target)
            grouped[leaf.node, default: new].holders.insert(leaf.holder)
            if grouped[leaf.node]?.leaf.kind != leaf.kind { grouped[leaf.node]?.uniform = false }
        }
        var uses: [Int: Int] = [:]
        for node in object.archive.list.references where grouped[node] != nil { uses[node, default: 0] += 1 }
        let open = grouped.values.filter { $0.uniform && uses[$0.leaf.node, default: 1] == $0.holders.count }
        let sources = object.archive.list.sources
        return open.map(\.leaf).sorted { sources[$0.node].lowerBound < sources[$1.node].lowerBound }
    }

    fileprivate mutating func takeXML(_ bytes: [UInt8], list: PropertyList, leaves: [OpenLeaf]) {
        var end = 0
        for leaf in leaves {
            let source = list.sources[leaf.node]
            literal += bytes[end..<source.lowerBound]
            holes.append(ArchiveForm.Hole(position: literal.count, kind: leaf.kind, targets: leaf.targets))
            end = source.upperBound
        }
        literal += bytes[end...]
    }

    fileprivate mutating func takeBinary(_ bytes: [UInt8], list: PropertyList, leaves: [OpenLeaf]) {
        guard let trailer = bytes.count >= 40 ? Array(bytes.suffix(32)) : nil else { return }
        let order = list.nodes.indices.sorted { list.sources[$0].lowerBound < list.sources[$1].lowerBound }
        guard let tableStart = Self.endOfContiguousObjects(order.map { list.sources[$0] }) else { return }
        let offsetSize = Int(trailer[6])
        guard tableStart + order.count * offsetSize == bytes.count - 32 else { return }
        var ranks = [Int](repeating: 0, count: order.count)
        for (rank, node) in order.enumerated() { ranks[node] = rank }
        var open: [Int: OpenLeaf] = [:]
        for leaf in leaves { open[leaf.node] = leaf }
        var starts: [Int] = []
        starts.reserveCapacity(order.count)
        for (rank, node) in order.enumerated() {
            starts.append(literal.count)
            if let leaf = open[node] {
                holes.append(ArchiveForm.Hole(position: rank, kind: leaf.kind, targets: leaf.targets))
            } else {
                literal += bytes[list.sources[node]]
            }
        }
        binary = ArchiveForm.BinaryLayout(
            starts: starts,
            ranks: ranks.elementsEqual(ranks.indices) ? [] : ranks,
            top: list.top,
            referenceSize: Int(trailer[7]),
            offsetSize: offsetSize == BinaryPropertyListWriter.width(of: UInt64(tableStart)) ? 0 : offsetSize,
            trailerHead: Array(trailer[..<6])
        )
    }

    /// Where the objects end, if they follow the magic and one another without a gap.
    private static func endOfContiguousObjects(_ sources: [Range<Int>]) -> Int? {
        var end = 8
        for source in sources {
            guard source.lowerBound == end else { return nil }
            end = source.upperBound
        }
        return end
    }
}

extension PropertyList {
    /// Whether every node's place is one in these very bytes, which it is not where the text was transcoded.
    fileprivate func sourcesAreIn(_ bytes: [UInt8]) -> Bool {
        guard sources.count == nodes.count, !encoding.isUTF16 else { return false }
        return sources.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count }
    }
}
