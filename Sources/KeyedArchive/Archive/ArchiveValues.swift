internal import FoundationEssentials
public import KeyValueCoding

extension ArchivedObject {
    /// The value of a field, or nil if the object has no such field.
    ///
    /// Text, numbers, dates, data and the collections of Foundation become the values of that kind, `nil` and `NSNull`
    /// become `Value.null`, and any other object keeps its class and its fields. An object that is met a second
    /// time, this one included, is a `Value.reference`.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object below the field, and where a limit is exceeded.
    public func value(forKey key: String) throws(ArchiveError) -> Value? {
        guard let node = node(forKey: key) else { return nil }
        var reader = ArchiveValueReader(archive: archive)
        reader.met.insert(index)
        return try reader.value(of: node, keyPath: [key])
    }

    /// The values of all fields, in the order of the file. An object that several fields have in common is a
    /// `Value.reference` after its first occurrence.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object below a field, and where a limit is exceeded.
    public func values() throws(ArchiveError) -> [(key: String, value: Value)] {
        var reader = ArchiveValueReader(archive: archive)
        reader.met.insert(index)
        return try reader.fields(of: self, keyPath: [])
    }
}

extension Archive {
    /// Everything that can be reached from `$top`, by the names there.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object, and where a limit is exceeded.
    public func topValues() throws(ArchiveError) -> [(key: String, value: Value)] {
        var reader = ArchiveValueReader(archive: self)
        var values: [(key: String, value: Value)] = []
        for (key, node) in entries { values.append((key, try reader.value(of: node, keyPath: [key]))) }
        return values
    }
}

/// Turns a part of an archive into values, each object once.
struct ArchiveValueReader {
    let archive: Archive
    /// The containers and objects that were met, by index.
    var met: Set<Int> = []
    /// Whether an object that is met again has its value again, as long as it is not part of itself.
    var repeatsShared = false
    private var visited = 0
    private var bytes = 0
    private var depth = 0

    init(archive: Archive) { self.archive = archive }

    private var list: PropertyList { archive.list }

    mutating func value(of node: Int, keyPath: [String]) throws(ArchiveError) -> Value {
        try visit(node, keyPath: keyPath)
        defer { depth -= 1 }
        switch list.nodes[node] {
        case .uid(let uid):
            return try element(Int(uid), keyPath: keyPath)
        case .array(let run), .set(let run):
            return .array(try values(of: list.elements(of: run), keyPath: keyPath))
        case .dictionary(let run):
            return try inlineDictionary(run, keyPath: keyPath)
        default:
            return list.scalar(at: node)
        }
    }

    /// A dictionary that stands in an object's own. Keys that look alike, which are one to a dictionary in Swift, stay pairs.
    private mutating func inlineDictionary(
        _ run: PropertyList.Run,
        keyPath: [String]
    ) throws(ArchiveError) -> Value {
        var pairs: [Value.Pair] = []
        for (key, node) in list.entries(of: run) {
            pairs.append(Value.Pair(key: .text(key), value: try value(of: node, keyPath: keyPath + [key])))
        }
        var dictionary: [String: Value] = [:]
        for pair in pairs {
            if case .text(let key) = pair.key, dictionary.updateValue(pair.value, forKey: key) == nil { continue }
            return .pairs(pairs)
        }
        return .dictionary(dictionary)
    }

    /// The fields of an object without its class.
    mutating func fields(
        of object: ArchivedObject,
        keyPath: [String]
    ) throws(ArchiveError) -> [(key: String, value: Value)] {
        var fields: [(key: String, value: Value)] = []
        for (key, node) in object.userFields {
            fields.append((key, try value(of: node, keyPath: keyPath + [key])))
        }
        return fields
    }

    private mutating func values(
        of nodes: some Sequence<Int>,
        keyPath: [String]
    ) throws(ArchiveError) -> [Value] {
        var values: [Value] = []
        for node in nodes { values.append(try value(of: node, keyPath: keyPath + ["[\(values.count)]"])) }
        return values
    }

    mutating func element(_ index: Int, keyPath: [String]) throws(ArchiveError) -> Value {
        switch try archive.resolve(index) {
        case .null:
            return .null
        case .plain(let node):
            guard list.isContainer(node) else { return try value(of: node, keyPath: keyPath) }
            guard met.insert(index).inserted else { return .reference(index) }
            defer { leave(index) }
            return try value(of: node, keyPath: keyPath)
        case .object(let object):
            if let simple = try simpleValue(of: object) { return simple }
            guard met.insert(index).inserted else { return .reference(index) }
            defer { leave(index) }
            return try compound(object, keyPath: keyPath)
        }
    }

    private mutating func leave(_ index: Int) {
        if repeatsShared { met.remove(index) }
    }

    private mutating func compound(_ object: ArchivedObject, keyPath: [String]) throws(ArchiveError) -> Value {
        switch object.plainCollectionKind {
        case .array, .set:
            return .array(try values(of: try archive.sequenceElements(of: object), keyPath: keyPath))
        case .dictionary:
            return try dictionary(object, keyPath: keyPath)
        case nil:
            let fields = try fields(of: object, keyPath: keyPath)
            guard Set(fields.map(\.key)).count == fields.count else {
                throw list.error(
                    .duplicateKey,
                    at: archive.element(object.index),
                    object: object.index,
                    keyPath: shortened(keyPath),
                    "the object has two keys that look alike, of which only one could be kept"
                )
            }
            return .object(
                Value.ObjectValue(
                    className: object.archivedClass.name,
                    classes: object.archivedClass.chain,
                    fields: Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
                )
            )
        }
    }

    private mutating func dictionary(_ object: ArchivedObject, keyPath: [String]) throws(ArchiveError) -> Value {
        var pairs: [Value.Pair] = []
        var dictionary: [String: Value]? = [:]
        for (keyNode, valueNode) in try archive.dictionaryEntries(of: object) {
            let key = try value(of: keyNode, keyPath: keyPath)
            let name: String
            if case .text(let text) = key { name = text } else { name = "[\(pairs.count)]" }
            let value = try value(of: valueNode, keyPath: keyPath + [name])
            pairs.append(Value.Pair(key: key, value: value))
            // Keys that are not text, and equal keys, which no dictionary has, keep the order and every pair.
            if case .text(let text) = key, dictionary?.updateValue(value, forKey: text) == nil { continue }
            dictionary = nil
        }
        return dictionary.map(Value.dictionary) ?? .pairs(pairs)
    }

    /// The value of an object that stands for text, a date, data or nothing; nil for any other, and for one that has
    /// more or other fields than such an object has.
    private func simpleValue(of object: ArchivedObject) throws(ArchiveError) -> Value? {
        guard let (_, scalar) = try archive.simpleScalar(of: object) else {
            return object.archivedClass.name == "NSNull" && object.keys.isEmpty ? .null : nil
        }
        return scalar
    }

    private mutating func visit(_ node: Int, keyPath: [String]) throws(ArchiveError) {
        depth += 1
        visited += 1
        switch list.nodes[node] {
        case .text(let text): bytes += text.utf8.count
        case .data(let data): bytes += data.count
        default: break
        }
        guard depth <= archive.limits.depth else {
            throw list.error(
                .tooDeep,
                at: node,
                keyPath: shortened(keyPath),
                "objects within one another more than \(archive.limits.depth) deep"
            )
        }
        guard visited <= archive.limits.references, bytes <= archive.limits.bytes else {
            throw list.error(
                .tooLarge,
                at: node,
                keyPath: shortened(keyPath),
                "the graph has more than \(archive.limits.references) references to follow, or more than "
                    + "\(archive.limits.bytes) bytes of text and data in all places where they are referred to"
            )
        }
    }

    private func shortened(_ keyPath: [String]) -> String {
        (keyPath.prefix(8) + (keyPath.count > 8 ? ["…"] : [])).joined(separator: ".")
    }
}

extension Archive {
    /// The node that holds the content of an object that stands for text, a date or data, with its value.
    func simpleScalar(of object: ArchivedObject) throws(ArchiveError) -> (node: Int, value: Value)? {
        let fields = object.userFields
        guard fields.count == 1, let field = fields.first else { return nil }
        let node: Int
        if case .uid(let uid) = list.nodes[field.node] {
            guard uid != 0 else { return nil }
            node = element(Int(uid))
        } else {
            node = field.node
        }
        switch (object.archivedClass.name, field.key, list.nodes[node]) {
        case ("NSString", "NS.string", .text), ("NSMutableString", "NS.string", .text),
            ("NSData", "NS.data", .data), ("NSMutableData", "NS.data", .data):
            return (node, list.scalar(at: node))
        case ("NSString", "NS.bytes", .data(let bytes)), ("NSMutableString", "NS.bytes", .data(let bytes)):
            return String(validating: bytes, as: UTF8.self).map { (node, .text($0)) }
        case ("NSDate", "NS.time", .real(let seconds, _)):
            return (node, .date(Date(timeIntervalSinceReferenceDate: seconds)))
        default:
            return nil
        }
    }
}

extension ArchivedObject {
    /// Which of Foundation's own collections the object is, if it has the fields of one and no other.
    var plainCollectionKind: CollectionKind? {
        switch archivedClass.name {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary", "NSMutableDictionary": break
        default: return nil
        }
        let onlyElements = userFields.allSatisfy {
            $0.key == "NS.objects" || $0.key == "NS.keys" || $0.key.hasPrefix("NS.object.")
                || $0.key.hasPrefix("NS.key.")
        }
        return onlyElements ? collectionKind : nil
    }
}

extension PropertyList {
    /// Whether a node is an array, a set or a dictionary.
    func isContainer(_ node: Int) -> Bool {
        switch nodes[node] {
        case .array, .set, .dictionary: true
        default: false
        }
    }

    /// The value of a node that is no container. A UID, which has no value of its own, is null.
    func scalar(at node: Int) -> Value {
        switch nodes[node] {
        case .bool(let bool): .bool(bool)
        case .integer(let integer, _): Value(integer)
        case .real(let real, _): .real(real)
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let data): .data(data)
        case .text(let text): .text(text)
        case .uid, .array, .set, .dictionary: .null
        }
    }
}
