/// Builds the graph of an archive as `NSKeyedArchiver` does, object by object, or changes the graph of one.
///
/// An object takes the next place in `$objects` before anything below it, and its class, if it is new, the place
/// after everything below it.
struct ArchiveBuilder {
    /// The nodes of the archive; those that were replaced stay in it, unreferenced, until it is flattened.
    var list: PropertyList
    /// The nodes of the elements of `$objects`.
    var elements: [Int]
    /// For each element its index in the archive that was read; for a new one a number that no other has.
    var origins: [Int] = [0]
    /// The number that the next new element gets.
    var nextID = 1
    /// The objects of a graph that have no place yet, and the places of those that have one; nil where the values that are
    /// written cannot refer to objects.
    var graph: GraphObjects?
    /// The entries of `$top`.
    var top: [(key: String, node: Int)]
    /// The order of the keys in the top dictionary.
    var topKeys: [String]
    /// What else is in the top dictionary.
    var otherParts: [String: Int] = [:]
    var classes: [ArchivedClass: Int] = [:]
    /// The elements that are one object in memory wherever they occur, by their content.
    var constants: [PropertyList.Constant: Int] = [:]
    var depth = 0
    /// The format of the file that was read; nil if none was.
    private var formatRead: PropertyList.Format?
    /// How many nodes were read from a file.
    private let readCount: Int
    let limits: ArchiveLimits

    /// An archive with nothing in it but the null object.
    init(layout: ArchiveLayout, limits: ArchiveLimits = ArchiveLimits()) {
        list = PropertyList(format: .binary)
        elements = []
        top = []
        topKeys = layout.keys
        readCount = 0
        self.limits = limits
        elements = [append(.text("$null"))]
    }

    /// The graph of an archive.
    init(_ archive: Archive) {
        list = archive.list
        formatRead = archive.list.format
        list.sources = []
        elements = Array(archive.list.elements(of: archive.objects))
        origins = Array(elements.indices)
        nextID = elements.count
        top = archive.entries
        limits = archive.limits
        readCount = archive.list.nodes.count
        topKeys = []
        guard case .dictionary(let run) = list.nodes[list.top] else { return }
        for (key, node) in list.entries(of: run) {
            topKeys.append(key)
            if !ArchiveLayout.ios12.keys.contains(key) { otherParts[key] = node }
        }
        forgetPositions()
    }

    /// The graph of an archive with one object of another for its root.
    init(list: PropertyList, elements: [Int], root: Int, named name: String, like archive: Archive) {
        self.list = list
        formatRead = list.format
        self.elements = elements
        origins = Array(elements.indices)
        nextID = elements.count
        limits = archive.limits
        readCount = list.nodes.count
        topKeys = []
        top = []
        if case .dictionary(let run) = archive.list.nodes[archive.list.top] {
            topKeys = archive.list.entries(of: run).map(\.key).filter(ArchiveLayout.ios12.keys.contains)
        }
        top = [(name, reference(to: root))]
        forgetPositions()
    }

    /// Puts a node into the list and gives its index.
    mutating func append(_ node: PropertyList.Node) -> Int {
        list.nodes.append(node)
        return list.nodes.count - 1
    }

    /// Puts an array into the list.
    mutating func appendArray(_ elements: some Collection<Int>) -> Int {
        let start = list.references.count
        list.references.append(contentsOf: elements)
        return append(.array(PropertyList.Run(start: start, count: elements.count)))
    }

    /// Makes a dictionary of entries in the order given.
    mutating func dictionary(_ entries: [(key: String, node: Int)]) -> PropertyList.Node {
        let keys = entries.map { append(.text($0.key)) }
        let start = list.references.count
        list.references.append(contentsOf: keys)
        list.references.append(contentsOf: entries.lazy.map(\.node))
        return .dictionary(PropertyList.Run(start: start, count: entries.count))
    }

    /// Makes a dictionary of fields in the order in which a `CFDictionary`, filled in the order given, has them.
    mutating func orderedDictionary(_ fields: [(key: String, node: Int)]) -> PropertyList.Node {
        dictionary(CoreFoundationOrder.positions(of: fields.map(\.key)).map { fields[$0] })
    }

    /// A reference to an element.
    mutating func reference(to element: Int) -> Int { append(.uid(UInt64(element))) }
}

// MARK: - The finished archive

extension ArchiveBuilder {
    /// The property list of the archive, with its objects in Apple's order.
    func propertyList() throws(ArchiveError) -> PropertyList {
        var builder = self
        var parts = otherParts
        parts["$version"] = builder.append(.integer(Archive.formatVersion, width: 0))
        parts["$archiver"] = builder.append(.text(Archive.archiverName))
        parts["$objects"] = builder.appendArray(elements)
        let order = formatRead == nil ? CoreFoundationOrder.positions(of: top.map(\.key)) : Array(top.indices)
        parts["$top"] = builder.appendDictionary(order.map { top[$0] })
        let entries = topKeys.compactMap { key in parts[key].map { (key: key, node: $0) } }
        builder.list.top = builder.appendDictionary(entries)
        var list = try AppleFlattening.flatten(builder.list, readCount: readCount, limits: limits)
        // CoreFoundation writes the keys of XML in their own order.
        if list.format == .xml, formatRead != .xml { list.sortKeys() }
        return list
    }

    private mutating func appendDictionary(_ entries: [(key: String, node: Int)]) -> Int {
        let dictionary = dictionary(entries)
        return append(dictionary)
    }
}

extension PropertyList {
    /// Puts the keys of every dictionary into the order of their UTF-16 code units.
    fileprivate mutating func sortKeys() {
        for node in nodes {
            guard case .dictionary(let run) = node else { continue }
            let keys = entries(of: run).map(\.key)
            let order = keys.indices.sorted { keys[$0].utf16.lexicographicallyPrecedes(keys[$1].utf16) }
            let old = references[run.start..<(run.start + 2 * run.count)]
            for (position, entry) in order.enumerated() {
                references[run.start + position] = old[run.start + entry]
                references[run.start + run.count + position] = old[run.start + run.count + entry]
            }
        }
    }
}

extension [String] {
    /// Whether the keys are in the order in which CoreFoundation writes them in XML.
    var isInXMLOrder: Bool {
        zip(self, dropFirst()).allSatisfy { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    }
}
