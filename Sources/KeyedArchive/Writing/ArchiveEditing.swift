internal import KeyValueCoding

/// Changing the graph of an archive that was read, with as little else changed as can be.
extension ArchiveBuilder {
    /// The fields of an object as they are in the archive, `$class` included.
    func fields(of object: Int) -> [(key: String, node: Int)] {
        guard case .dictionary(let run) = list.nodes[elements[object]] else { return [] }
        return list.entries(of: run)
    }

    /// Gives a field of an object a new value, in the way in which the old one was encoded where that is possible; a field
    /// that is new in the way asked for.
    mutating func setField(
        _ key: String,
        of object: Int,
        to value: Value,
        encoding: ArchiveField.Encoding = .object
    ) throws(ArchiveError) {
        var fields = fields(of: object)
        if let position = position(of: key, in: fields) {
            fields[position].node = try replacement(for: fields[position].node, with: value, in: object)
            elements[object] = append(dictionary(fields))
        } else {
            let node = try newNode(value, encoding: encoding, in: object)
            let newField = (key: Archive.archivedKey(key), node: node)
            elements[object] = append(dictionary(adding(newField, to: self.fields(of: object))))
        }
    }

    /// Fields with one more, in the order of a `CFDictionary`, or in XML of their keys, if they are in it, and else in the order
    /// that they have.
    private func adding(
        _ new: (key: String, node: Int),
        to fields: [(key: String, node: Int)]
    ) -> [(key: String, node: Int)] {
        if list.format == .xml, fields.map(\.key).isInXMLOrder {
            return (fields + [new]).sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        }
        let encoded = fields.filter { $0.key != "$class" } + [new] + fields.filter { $0.key == "$class" }
        let ordered = CoreFoundationOrder.positions(of: encoded.map(\.key)).map { encoded[$0] }
        let keepsOrder = ordered.filter { $0.key != new.key }.elementsEqual(fields) { $0.key == $1.key }
        return keepsOrder ? ordered : fields + [new]
    }

    /// Takes fields out of an object.
    mutating func removeFields(_ keys: [String], of object: Int) {
        guard !keys.isEmpty else { return }
        var taken = Set(keys.map { ExactText(Archive.archivedKey($0)) })
        let present = Set(fields(of: object).map { ExactText($0.key) })
        for key in keys where !present.contains(ExactText(Archive.archivedKey(key))) { taken.insert(ExactText(key)) }
        elements[object] = append(dictionary(fields(of: object).filter { !taken.contains(ExactText($0.key)) }))
    }

    /// The place of a field by the key that its class gave it: as the archiver writes it, or as it is where a class
    /// encoded without keys.
    private func position(of key: String, in fields: [(key: String, node: Int)]) -> Int? {
        let archivedKey = Archive.archivedKey(key)
        return fields.firstIndex { $0.key.isIdentical(to: archivedKey) }
            ?? fields.firstIndex { $0.key.isIdentical(to: key) }
    }

    /// Gives an object another class.
    mutating func setClass(_ archivedClass: ArchivedClass, of object: Int) {
        var fields = fields(of: object)
        guard let position = fields.firstIndex(where: { $0.key == "$class" }) else { return }
        fields[position].node = reference(to: element(for: archivedClass))
        elements[object] = append(dictionary(fields))
    }
}

// MARK: - The elements as a whole

extension ArchiveBuilder {
    /// Takes the elements out that nothing refers to any more.
    ///
    /// - Parameters:
    ///   - original: the archive before it was changed; what nothing referred to there stays.
    ///   - element: an element that is asked for.
    /// - Returns: the index of that element afterwards.
    @discardableResult
    mutating func removeUnreachable(since original: Archive?, following element: Int = 0) -> Int {
        let before = original.map { ArchiveBuilder($0).reachableElements() }
        let after = reachableElements()
        let kept = elements.indices.filter { index in
            if index == 0 || after.contains(index) { return true }
            guard let original, let before else { return false }
            return origins[index] < original.objectCount && !before.contains(origins[index])
        }
        reorder(kept)
        return kept.firstIndex(of: element) ?? 0
    }

    /// Gives an element its fields and its class, and makes it the archive's only root, which everything refers to that
    /// referred to another element.
    mutating func makeRoot(
        _ root: Int,
        inPlaceOf old: Int,
        _ archivedClass: ArchivedClass,
        _ fields: [(key: String, node: Int)],
        layout: ArchiveLayout
    ) {
        for node in list.nodes.indices where list.nodes[node] == .uid(UInt64(old)) {
            list.nodes[node] = .uid(UInt64(root))
        }
        _ = finish(root, archivedClass, fields)
        top = [("root", reference(to: root))]
        topKeys = layout.keys
        otherParts = [:]
    }

    /// Puts the elements into another order, and leaves those out that are not in it; what refers to them follows.
    mutating func reorder(_ order: [Int]) {
        var positions = [Int?](repeating: nil, count: elements.count)
        for (position, element) in order.enumerated() { positions[element] = position }
        for node in list.nodes.indices {
            if case .uid(let uid) = list.nodes[node], uid < UInt64(positions.count) {
                list.nodes[node] = .uid(UInt64(positions[Int(uid)] ?? 0))
            }
        }
        elements = order.map { elements[$0] }
        origins = order.map { origins[$0] }
        graph?.move(to: positions)
        forgetPositions()
    }

    /// How often an element is referred to.
    func referenceCount(of element: Int) -> Int {
        var count = 0
        for root in elements + top.map(\.node) {
            forEachReference(below: root) { if $0 == element { count += 1 } }
        }
        return count
    }

    private func reachableElements() -> Set<Int> {
        var reachable: Set<Int> = []
        var pending = top.map(\.node)
        while let node = pending.popLast() {
            forEachReference(below: node) { index in
                if elements.indices.contains(index), reachable.insert(index).inserted {
                    pending.append(elements[index])
                }
            }
        }
        return reachable
    }

    /// Visits each UID in a node and in the containers below it, each container once.
    private func forEachReference(below root: Int, _ visit: (Int) -> Void) {
        var pending = [root]
        var seen: Set<Int> = []
        while let node = pending.popLast() {
            switch list.nodes[node] {
            case .uid(let uid): visit(Int(uid))
            case .array(let run), .set(let run):
                if seen.insert(node).inserted { pending.append(contentsOf: list.elements(of: run).reversed()) }
            case .dictionary(let run):
                if seen.insert(node).inserted {
                    pending.append(contentsOf: list.entries(of: run).reversed().map(\.node))
                }
            default: break
            }
        }
    }
}
