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

    // MARK: Replacing a value

    mutating func replacement(
        for node: Int,
        with value: Value,
        in object: Int
    ) throws(ArchiveError) -> Int {
        guard case .uid(let uid) = list.nodes[node] else {
            if let leaf = LeafKind(list.nodes[node]).flatMap({ leaf($0, for: value) }) { return append(leaf) }
            return try newObject(value, in: object)
        }
        let index = Int(uid)
        guard index != 0, value != .null, let element = try replacementElement(for: index, with: value) else {
            return try newObject(value, like: index, in: object)
        }
        if referenceCount(of: index) == 1 {
            elements[index] = element
            return node
        }
        return try inserting(in: object) { (builder) throws(ArchiveError) in
            let index = try builder.reserveElement()
            builder.elements[index] = element
            return builder.reference(to: index)
        }
    }

    /// The node that holds a value in the way of another. A graph has the value itself afterwards; an account's number may become
    /// the text that it was before.
    private func leaf(_ kind: LeafKind, for value: Value) -> PropertyList.Node? {
        guard let node = kind.node(for: value) else { return nil }
        return graph == nil || kind.value(of: node)?.isIdentical(to: value) == true ? node : nil
    }

    /// An element like another one, with another value; nil if such an element cannot hold the value.
    private mutating func replacementElement(for index: Int, with value: Value) throws(ArchiveError) -> Int? {
        let old = elements[index]
        guard case .dictionary(let run) = list.nodes[old] else {
            return LeafKind(list.nodes[old]).flatMap { leaf($0, for: value) }.map { append($0) }
        }
        var fields = list.entries(of: run)
        guard fields.count == 2, let position = fields.firstIndex(where: { $0.key != "$class" }),
            let kind = LeafKind(contentKey: fields[position].key, list.nodes[fields[position].node]),
            let leaf = leaf(kind, for: value)
        else { return nil }
        fields[position].node = append(leaf)
        return append(dictionary(fields))
    }

    /// The node of a new field, with the objects that it takes.
    private mutating func newNode(
        _ value: Value,
        encoding: ArchiveField.Encoding,
        in object: Int
    ) throws(ArchiveError) -> Int {
        if encoding == .object { return try newObject(value, in: object) }
        return try inserting(in: object) { (builder) throws(ArchiveError) in
            let node = try builder.inlineNode(value, encoding: encoding)
            return if let node { node } else { try builder.encodeReference(to: value) }
        }
    }

    /// A reference to a new object, a collection of the class of another element if that is one, or to nil.
    private mutating func newObject(
        _ value: Value,
        like index: Int? = nil,
        in object: Int
    ) throws(ArchiveError) -> Int {
        if case .null = value { return reference(to: 0) }
        if let name = index.flatMap({ describedClassName(of: $0) }), LeafKind(value: value) == nil {
            return try inserting(in: object) { (builder) throws(ArchiveError) in
                let collection = try builder.encodeCollection(value, as: name)
                return if let collection { builder.reference(to: collection) } else {
                    try builder.encodeReference(to: value)
                }
            }
        }
        return try inserting(in: object) { (builder) throws(ArchiveError) in try builder.encodeReference(to: value) }
    }

    /// Makes a node, and puts the elements that it takes before the class of an object if that was the last element, as it is
    /// when the object was archived last.
    mutating func inserting(
        in object: Int,
        _ add: (inout ArchiveBuilder) throws(ArchiveError) -> Int
    ) throws(ArchiveError) -> Int {
        let count = elements.count
        let node = try add(&self)
        guard elements.count > count, let classField = fields(of: object).first(where: { $0.key == "$class" }),
            case .uid(let classIndex) = list.nodes[classField.node], Int(classIndex) == count - 1
        else { return node }
        reorder(Array(0..<(count - 1)) + Array(count..<elements.count) + [count - 1])
        return node
    }
}

extension ArchiveBuilder {
    /// The name of the class of an element; nil for one that has no class.
    private func describedClassName(of element: Int) -> String? {
        guard let field = fields(of: element).first(where: { $0.key == "$class" }),
            case .uid(let index) = list.nodes[field.node], index < UInt64(elements.count)
        else { return nil }
        return describedClass(at: Int(index))?.name
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
    private mutating func reorder(_ order: [Int]) {
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
    private func referenceCount(of element: Int) -> Int {
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

extension LeafKind {
    /// How the only field of an object that stands for text, a date or data holds it.
    fileprivate init?(contentKey key: String, _ node: PropertyList.Node) {
        switch (key, node) {
        case ("NS.string", .text): self = .text
        case ("NS.bytes", .data): self = .utf8Data
        case ("NS.data", .data): self = .data
        case ("NS.time", .real): self = .referenceSeconds
        default: return nil
        }
    }
}
