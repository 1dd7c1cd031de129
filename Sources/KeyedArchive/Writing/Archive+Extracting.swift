extension Archive {
    /// Archives with one object each of this one for their root, and nothing that cannot be reached from it.
    ///
    /// The elements of `$objects` are in the order in which archiving the object alone would have put them.
    ///
    /// - Throws: ``ArchiveError`` with the code `tooLarge` where the objects have so much of one another in them that the
    ///   archives together would be many times as large as this one.
    public func extracting(_ objects: [ArchivedObject]) throws(ArchiveError) -> [[UInt8]] {
        var budget = 16 * list.nodes.count + 65_536
        var archives: [[UInt8]] = []
        for object in objects {
            var extraction = ArchiveExtraction(archive: self)
            extraction.copy(from: object.index, budget: budget)
            budget -= extraction.size
            guard budget >= 0 else {
                throw ArchiveError(
                    .tooLarge,
                    object: object.index,
                    "the objects of the collection refer to one another, so that each would need an archive with nearly all of them"
                )
            }
            archives.append(try extraction.builder().propertyList().encoded())
        }
        return archives
    }

    /// The archive without some of the fields of an object.
    public func removing(_ keys: some Sequence<String>, from object: ArchivedObject) throws(ArchiveError) -> [UInt8] {
        var builder = ArchiveBuilder(self)
        builder.removeFields(Array(keys), of: object.index)
        _ = builder.removeUnreachable(since: self, following: object.index)
        return try builder.propertyList().encoded()
    }
}

/// Copies what can be reached from one object, and touches nothing else, so that taking a large archive apart costs no more than its
/// size.
private struct ArchiveExtraction {
    let archive: Archive
    private var list: PropertyList
    private var elements: [Int] = []
    private var positions: [Int: Int] = [:]
    /// For each node that was copied its index in the copy.
    private var copies: [Int: Int] = [:]
    /// The object's elements of the source, in their new order.
    private var order: [Int] = []

    /// How much was copied.
    var size: Int { list.nodes.count + list.references.count }

    init(archive: Archive) {
        self.archive = archive
        list = PropertyList(format: archive.list.format)
        list.encoding = archive.list.encoding
    }

    /// Copies an element with all that it refers to, as long as the budget allows.
    mutating func copy(from element: Int, budget: Int) {
        var pending = [element]
        positions[0] = 0
        order = [0]
        while let index = pending.popLast(), order.count <= budget {
            guard positions[index] == nil else { continue }
            positions[index] = order.count
            order.append(index)
            pending.append(contentsOf: references(of: index).reversed())
        }
        for index in order where size <= budget { elements.append(copyNode(archive.element(index))) }
    }

    func builder() -> ArchiveBuilder {
        let root = archive.entries.first { $0.key == "root" } ?? archive.entries.first
        return ArchiveBuilder(list: list, elements: elements, root: 1, named: root?.key ?? "root", like: archive)
    }

    /// The elements that an element refers to, its class last.
    private func references(of element: Int) -> [Int] {
        var own: [(first: Int, all: [Int])] = []
        var described: [Int] = []
        guard case .dictionary(let run) = archive.list.nodes[archive.element(element)] else {
            return uids(below: archive.element(element))
        }
        for (key, node) in archive.list.entries(of: run) {
            let found = uids(below: node)
            if key == "$class" {
                described += found
            } else if let first = found.first {
                own.append((first, found))
            }
        }
        return own.sorted { $0.first < $1.first }.flatMap(\.all) + described
    }

    private func uids(below root: Int) -> [Int] {
        var found: [Int] = []
        var pending = [root]
        var seen: Set<Int> = []
        while let node = pending.popLast() {
            if case .uid(let uid) = archive.list.nodes[node] {
                found.append(Int(uid))
            } else if let run = archive.list.nodes[node].run, seen.insert(node).inserted {
                let values = archive.list.nodes[node].isDictionary ? run.start + run.count : run.start
                pending.append(contentsOf: archive.list.references[values..<(values + run.count)].reversed())
            }
        }
        return found
    }

    /// Copies a node and the nodes in it; a UID follows its element.
    private mutating func copyNode(_ node: Int) -> Int {
        if let known = copies[node] { return known }
        let content = archive.list.nodes[node]
        let index = list.nodes.count
        copies[node] = index
        if case .uid(let uid) = content {
            list.nodes.append(.uid(UInt64(positions[Int(uid)] ?? 0)))
            return index
        }
        list.nodes.append(content)
        guard let run = content.run else { return index }
        let count = content.isDictionary ? run.count * 2 : run.count
        // Containers in a property list are no deeper than the limit that the archive was read with.
        let children = archive.list.references[run.start..<(run.start + count)].map { copyNode($0) }
        let copied = PropertyList.Run(start: list.references.count, count: run.count)
        list.references.append(contentsOf: children)
        switch content {
        case .array: list.nodes[index] = .array(copied)
        case .set: list.nodes[index] = .set(copied)
        default: list.nodes[index] = .dictionary(copied)
        }
        return index
    }
}
