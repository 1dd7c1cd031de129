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
            let inline = inlineNode(field.value, encoding: field.encoding)
            let node = if let inline { inline } else { try encodeReference(to: field.value) }
            nodes.append((Archive.archivedKey(field.key), node))
        }
        return nodes
    }

    /// Puts a value into the list that stands in an object's own dictionary; nil for one that has to be an object.
    mutating func inlineNode(_ value: Value, encoding: ArchiveField.Encoding) -> Int? {
        guard encoding == .inline, let kind = LeafKind(inline: value), let leaf = kind.node(for: value) else {
            return nil
        }
        return append(leaf)
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
            let index = try reserveElement()
            let references = try encodeMembers(values)
            let array = appendArray(references)
            return finish(index, ArchivedClass(name: "NSArray"), [("NS.objects", array)])
        case .dictionary(let dictionary):
            let sorted = dictionary.sorted { $0.key < $1.key }
            return try encodePairs(sorted.map { Value.Pair(key: .text($0.key), value: $0.value) })
        case .pairs(let pairs):
            return try encodePairs(pairs)
        case .object(let object):
            let archivedClass = ArchivedClass(
                name: object.className,
                chain: object.classes.isEmpty ? nil : object.classes
            )
            let fields = object.fields.sorted { $0.key < $1.key }.map { ArchiveField($0.key, $0.value) }
            return try encode(archivedClass, fields: fields)
        case .reference(let index):
            throw ArchiveError(
                .badObjects,
                "a value refers to object \(index) of the archive that it came from and cannot be written into another"
            )
        case .bool, .integer, .wideInteger, .real, .text, .data:
            guard let node = LeafKind(value: value)?.node(for: value) else { return 0 }
            return try appendElement(node)
        }
    }

    /// Encodes the members of a collection, which has `NSNull` where there is nothing.
    private mutating func encodeMembers(_ values: [Value]) throws(ArchiveError) -> [Int] {
        var references: [Int] = []
        for value in values {
            if case .null = value {
                let null = try reserveElement()
                references.append(reference(to: finish(null, ArchivedClass(name: "NSNull"), [])))
            } else {
                references.append(try encodeReference(to: value))
            }
        }
        return references
    }

    private mutating func encodePairs(_ pairs: [Value.Pair]) throws(ArchiveError) -> Int {
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
        return finish(index, ArchivedClass(name: "NSDictionary"), [("NS.keys", keys), ("NS.objects", values)])
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
        origins.append(-1)
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

    private func describedClass(at index: Int) -> ArchivedClass? {
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
        origins.append(-1)
        return elements.count - 1
    }
}

extension LeafKind {
    /// How a value stands in an object's own dictionary; nil for what can only be an object of its own.
    fileprivate init?(inline value: Value) {
        switch value {
        case .bool, .integer, .wideInteger, .real: self.init(value: value)
        default: return nil
        }
    }

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

extension Value {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
    fileprivate var textOrEmpty: String { if case .text(let text) = self { text } else { "" } }
}
