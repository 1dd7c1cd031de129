internal import KeyValueCoding

/// Putting a value where another was, encoded in the same way if that can be.
extension ArchiveBuilder {
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
            // Equal values that are added later must not become this object, which has another value now.
            if let old = PropertyList.Constant(list.nodes[elements[index]]), constants[old] == index {
                constants[old] = nil
            }
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
    mutating func newNode(
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
