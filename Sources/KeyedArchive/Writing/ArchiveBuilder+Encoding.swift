internal import FoundationEssentials
internal import KeyValueCoding

extension ArchiveBuilder {
    /// Encodes an object with its fields and gives its index in `$objects`.
    mutating func encode(
        _ archivedClass: ArchivedClass,
        fields: [ArchiveField]
    ) throws(ArchiveError) -> Int {
        let index = try reserveElement()
        let nodes = try encodeFields(fields)
        return finish(index, archivedClass, nodes)
    }

    /// Encodes fields, in the order given.
    mutating func encodeFields(_ fields: [ArchiveField]) throws(ArchiveError) -> [(key: String, node: Int)] {
        var nodes: [(key: String, node: Int)] = []
        for field in fields {
            let inline = try inlineNode(field.value, encoding: field.encoding)
            let node = if let inline { inline } else { try encodeReference(to: field.value) }
            nodes.append((Archive.archivedKey(field.key), node))
        }
        return nodes
    }

    /// Puts a value into the list that stands in an object's own dictionary; nil for one that has to be an object.
    mutating func inlineNode(_ value: Value, encoding: ArchiveField.Encoding) throws(ArchiveError) -> Int? {
        switch (encoding, value) {
        case (.object, _): return nil
        case (.references, .array(let values)): return appendArray(try encodeMembers(values))
        case (.references, _): return nil
        case (.float, _):
            if let leaf = LeafKind.single.node(for: value) { return append(leaf) }
            fallthrough
        case (.inline, _): return LeafKind(value: value)?.node(for: value).map { append($0) }
        }
    }

    /// Encodes a value as an object and gives a reference to it.
    mutating func encodeReference(to value: Value) throws(ArchiveError) -> Int {
        reference(to: try encodeObject(value))
    }

    /// Encodes a value as an object and gives its index in `$objects`.
    mutating func encodeObject(_ value: Value) throws(ArchiveError) -> Int {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.depth else {
            throw ArchiveError(.tooDeep, "values within one another more than \(limits.depth) deep")
        }
        switch value {
        case .null:
            return 0
        case .decimal(let literal):
            return try appendElement(.text(literal))
        case .date(let date):
            let index = try reserveElement()
            let seconds = append(.real(date.timeIntervalSinceReferenceDate, single: false))
            return finish(index, ArchivedClass(name: "NSDate"), [("NS.time", seconds)])
        case .array(let values):
            return try encodeArray(values, as: "NSArray")
        case .dictionary(let dictionary):
            return try encodePairs(dictionary.sortedPairs, as: "NSDictionary")
        case .pairs(let pairs):
            return try encodePairs(pairs, as: "NSDictionary")
        case .object(let object):
            let archivedClass = ArchivedClass(
                name: object.className,
                chain: object.classes.isEmpty ? nil : object.classes
            )
            let fields = object.fields.sorted { $0.key < $1.key }.map {
                ArchiveField($0.key, $0.value, encoding: archivedClass.encoding(ofField: $0.key))
            }
            return try encode(archivedClass, fields: fields)
        case .reference(let id):
            return try place(ofReference: id)
        case .bool, .integer, .wideInteger, .real, .text, .data:
            guard let node = LeafKind(value: value)?.node(for: value) else { return 0 }
            return try appendElement(node)
        }
    }

    /// Encodes the members of a collection, which has `NSNull` where there is nothing.
    private mutating func encodeMembers(_ values: [Value]) throws(ArchiveError) -> [Int] {
        var references: [Int] = []
        for value in values { references.append(reference(to: try encodeMember(value))) }
        return references
    }

    /// Encodes a member of a collection and gives its index in `$objects`.
    mutating func encodeMember(_ value: Value) throws(ArchiveError) -> Int {
        guard case .null = value else { return try encodeObject(value) }
        return finish(try reserveElement(), ArchivedClass(name: "NSNull"), [])
    }

    /// Encodes a value as a collection of one of Foundation's classes; nil for one that is none of them.
    mutating func encodeCollection(_ value: Value, as className: String) throws(ArchiveError) -> Int? {
        switch (className, value) {
        case ("NSArray", .array(let values)), ("NSMutableArray", .array(let values)), ("NSSet", .array(let values)),
            ("NSMutableSet", .array(let values)):
            try encodeArray(values, as: className)
        case ("NSDictionary", .dictionary(let entries)), ("NSMutableDictionary", .dictionary(let entries)):
            try encodePairs(entries.sortedPairs, as: className)
        case ("NSDictionary", .pairs(let pairs)), ("NSMutableDictionary", .pairs(let pairs)):
            try encodePairs(pairs, as: className)
        default: nil
        }
    }

    private mutating func encodeArray(_ values: [Value], as className: String) throws(ArchiveError) -> Int {
        let index = try reserveElement()
        let array = appendArray(try encodeMembers(values))
        return finish(index, ArchivedClass(name: className), [("NS.objects", array)])
    }

    private mutating func encodePairs(_ pairs: [Value.Pair], as className: String) throws(ArchiveError) -> Int {
        let index = try reserveElement()
        let order: [Int] =
            if pairs.allSatisfy({ $0.key.isText }) {
                CoreFoundationOrder.positions(of: pairs.map { $0.key.textOrEmpty })
            } else {
                Array(pairs.indices)
            }
        let keyReferences = try encodeMembers(order.map { pairs[$0].key })
        let keys = appendArray(keyReferences)
        let valueReferences = try encodeMembers(order.map { pairs[$0].value })
        let values = appendArray(valueReferences)
        return finish(index, ArchivedClass(name: className), [("NS.keys", keys), ("NS.objects", values)])
    }

    /// Gives an element its dictionary: the fields, and the class at the end.
    mutating func finish(
        _ index: Int,
        _ archivedClass: ArchivedClass,
        _ fields: [(key: String, node: Int)]
    ) -> Int {
        let reference = reference(to: element(for: archivedClass))
        let dictionary = orderedDictionary(fields + [("$class", reference)])
        elements[index] = append(dictionary)
        return index
    }

    /// The index of the element that describes a class, which is added if it is not there yet.
    mutating func element(for archivedClass: ArchivedClass) -> Int {
        if let known = classes[archivedClass] { return known }
        var entries: [(key: String, node: Int)] = [("$classname", append(.text(archivedClass.name)))]
        if !archivedClass.chain.isEmpty { entries.append(("$classes", appendTexts(archivedClass.chain))) }
        if !archivedClass.hints.isEmpty { entries.append(("$classhints", appendTexts(archivedClass.hints))) }
        let dictionary = orderedDictionary(entries)
        elements.append(append(dictionary))
        appendOrigin()
        classes[archivedClass] = elements.count - 1
        return elements.count - 1
    }

    /// Forgets which elements hold a class or a constant, since their places have changed.
    mutating func forgetPositions() {
        constants = [:]
        classes = [:]
        for index in elements.indices {
            if let known = describedClass(at: index) { classes[known] = index }
        }
    }

    func describedClass(at index: Int) -> ArchivedClass? {
        guard case .dictionary(let run) = list.nodes[elements[index]],
            let name = list.value(forKey: "$classname", in: run), case .text(let className) = list.nodes[name]
        else { return nil }
        return ArchivedClass(
            name: className,
            chain: texts(under: "$classes", in: run),
            hints: texts(under: "$classhints", in: run)
        )
    }

    private func texts(under key: String, in run: PropertyList.Run) -> [String] {
        guard let node = list.value(forKey: key, in: run), case .array(let elements) = list.nodes[node] else {
            return []
        }
        return list.elements(of: elements).compactMap { if case .text(let text) = list.nodes[$0] { text } else { nil } }
    }

    private mutating func appendTexts(_ texts: [String]) -> Int {
        let nodes = texts.map { append(.text($0)) }
        return appendArray(nodes)
    }

    /// Adds an element that has no class, or finds the one that is the same object in memory.
    mutating func appendElement(_ node: PropertyList.Node) throws(ArchiveError) -> Int {
        let constant = PropertyList.Constant(node)
        if let constant, let known = constants[constant] { return known }
        let index = try reserveElement()
        elements[index] = append(node)
        if let constant { constants[constant] = index }
        return index
    }

    mutating func reserveElement() throws(ArchiveError) -> Int {
        guard elements.count < limits.objects else {
            throw ArchiveError(.tooLarge, "the archive would have more than \(limits.objects) objects")
        }
        elements.append(elements[0])
        appendOrigin()
        return elements.count - 1
    }

    private mutating func appendOrigin() {
        origins.append(nextID)
        nextID += 1
    }
}

extension LeafKind {
    /// How a value stands as itself.
    init?(value: Value) {
        switch value {
        case .bool: self = .bool
        case .integer, .wideInteger: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .data: self = .data
        default: return nil
        }
    }
}

extension [String: Value] {
    /// The entries in the order of their keys.
    fileprivate var sortedPairs: [Value.Pair] {
        sorted { $0.key < $1.key }.map { Value.Pair(key: .text($0.key), value: $0.value) }
    }
}

extension Value {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
    fileprivate var textOrEmpty: String { if case .text(let text) = self { text } else { "" } }
}
