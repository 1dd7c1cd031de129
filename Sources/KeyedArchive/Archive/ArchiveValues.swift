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
        _ = reader.met.insert(index)
        do {
            return try reader.value(of: node)
        } catch {
            throw reader.located(error, below: [.key(key)])
        }
    }

    /// The values of all fields, in the order of the file. An object that several fields have in common is a
    /// `Value.reference` after its first occurrence.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object below a field, and where a limit is exceeded.
    public func values() throws(ArchiveError) -> [(key: String, value: Value)] {
        var reader = ArchiveValueReader(archive: archive)
        _ = reader.met.insert(index)
        do {
            return try reader.fields(of: self)
        } catch {
            throw reader.located(error)
        }
    }
}

extension Archive {
    /// Everything that can be reached from `$top`, by the names there.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object, and where a limit is exceeded.
    public func topValues() throws(ArchiveError) -> [(key: String, value: Value)] {
        var reader = ArchiveValueReader(archive: self)
        var values: [(key: String, value: Value)] = []
        values.reserveCapacity(entries.count)
        for (key, node) in entries {
            do {
                values.append((key, try reader.value(of: node)))
            } catch {
                throw reader.located(error, below: [.key(key)])
            }
        }
        return values
    }
}

extension Archive {
    /// The node that holds the content of an object that stands for text, a date or data, with its value.
    func simpleScalar(of object: ArchivedObject) -> (node: Int, value: Value)? {
        let fields = object.userFields
        guard fields.count == 1, let field = fields.first else { return nil }
        return simpleScalar(ClassRole(className: object.archivedClass.name), key: field.key, node: field.node)
    }

    /// The same, of an object whose only field is that of the key.
    func simpleScalar(_ role: ClassRole, key: String, node: Int) -> (node: Int, value: Value)? {
        var node = node
        if case .uid(let uid) = list.nodes[node] {
            guard uid != 0 else { return nil }
            node = element(Int(uid))
        }
        switch (role, list.nodes[node]) {
        case (.date, .real(let seconds, _)) where key == "NS.time":
            return (node, .date(Date(timeIntervalSinceReferenceDate: seconds)))
        case (.text, .text(let text)) where key == "NS.string":
            return (node, .text(text))
        case (.data, .data(let data)) where key == "NS.data":
            return (node, .data(data))
        case (.text, .data(let bytes)) where key == "NS.bytes":
            return String(validating: bytes, as: UTF8.self).map { (node, .text($0)) }
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
    /// The key of a field as the encoding class gave it.
    func userKey(at node: Int) -> String {
        guard case .text(let key) = nodes[node] else { return "" }
        return key.utf8.first == UInt8(ascii: "$") ? Archive.userKey(key) : key
    }

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
        case .integer(let integer): Value(integer.value)
        case .real(let real, _): .real(real)
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let data): .data(data)
        case .text(let text): .text(text)
        case .uid, .array, .set, .dictionary: .null
        }
    }
}
