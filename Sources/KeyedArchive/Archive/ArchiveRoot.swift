internal import KeyValueCoding

/// Finding the objects that an archive was made for.
extension Archive {
    /// The object under `root` in `$top`; without that name, the one under the only name that there is.
    ///
    /// - Throws: ``ArchiveError`` with the code `noRoot` if it is nil or missing, `badRoot` if it is no object with a
    ///   class or if several other names leave it open, and the codes of a damaged class.
    public func rootObject() throws(ArchiveError) -> ArchivedObject {
        let (name, node) = try rootEntry()
        guard case .uid(let uid) = list.nodes[node] else {
            throw list.error(
                .badRoot,
                at: node,
                keyPath: name,
                "$top.\(name) is \(list.kind(of: node)); expected a reference"
            )
        }
        switch try resolve(Int(uid)) {
        case .null:
            throw list.error(
                .noRoot,
                at: node,
                object: 0,
                keyPath: name,
                "the root object is nil, so there is nothing in it"
            )
        case .plain(let plain):
            if case .dictionary = list.nodes[plain] {
                throw list.error(.missingClass, at: plain, object: Int(uid), keyPath: name, "the object has no $class")
            }
            throw list.error(
                .wrongClass,
                at: plain,
                object: Int(uid),
                keyPath: name,
                "the root object is \(list.kind(of: plain)) and not an object with fields"
            )
        case .object(let object):
            return object
        }
    }

    func rootEntry() throws(ArchiveError) -> (key: String, node: Int) {
        if let root = entries.first(where: { $0.key == "root" }) { return root }
        guard let first = entries.first else {
            throw ArchiveError(.noRoot, "$top is empty, so the archive has no root object")
        }
        guard entries.count == 1 else {
            throw ArchiveError(
                .badRoot,
                "$top has no root, and \(entries.count) other names: "
                    + entries.prefix(8).map { excerpt($0.key) }.joined(separator: ", ")
            )
        }
        return first
    }

    /// The objects of the wanted classes that an archive was made for: its root, or the elements of a root that is
    /// an `NSArray`, an `NSSet` or an `NSDictionary`, whatever is wanted. An object that occurs twice is given once.
    ///
    /// - Parameter patterns: the classes that are wanted.
    /// - Throws: ``ArchiveError`` with the code `wrongClass` for an object of another class, naming the class, its chain
    ///   and the pattern that would accept it, and all that ``rootObject()`` throws.
    public func rootObjects(of patterns: [ClassPattern]) throws(ArchiveError) -> [ArchivedObject] {
        let root = try rootObject()
        if root.plainCollectionKind == nil, patterns.contains(where: { $0.matches(root.archivedClass) }) {
            return [root]
        }
        guard let collection = try collectionElements(of: root) else {
            throw wrongClass(root, wanted: patterns, keyPath: "")
        }
        var objects: [ArchivedObject] = []
        var seen: Set<Int> = []
        for (position, node) in collection.enumerated() {
            let object = try elementObject(node, position: position, of: root)
            guard patterns.contains(where: { $0.matches(object.archivedClass) }) else {
                throw wrongClass(object, wanted: patterns, keyPath: "[\(position)]")
            }
            if seen.insert(object.index).inserted { objects.append(object) }
        }
        guard !objects.isEmpty else {
            throw ArchiveError(
                .noRoot,
                object: root.index,
                "the \(root.archivedClass.name) is empty, so nothing is in it"
            )
        }
        return objects
    }

    private func elementObject(
        _ node: Int,
        position: Int,
        of root: ArchivedObject
    ) throws(ArchiveError) -> ArchivedObject {
        let found: String
        if case .uid(let uid) = list.nodes[node] {
            switch try resolve(Int(uid)) {
            case .object(var object):
                object.path = ArchivePath([.index(position)])
                return object
            case .null: found = "nil"
            case .plain(let plain): found = list.kind(of: plain)
            }
        } else {
            found = list.kind(of: node)
        }
        throw list.error(
            .wrongClass,
            at: node,
            object: root.index,
            keyPath: "[\(position)]",
            "the \(root.archivedClass.name) has \(found) in it, which is not an object with fields"
        )
    }

    private func wrongClass(_ object: ArchivedObject, wanted: [ClassPattern], keyPath: String) -> ArchiveError {
        let name = object.archivedClass.name
        let wantedNames = wanted.map { Redaction.name($0.text) }.joined(separator: ", ")
        let hint = name.contains("*") ? "*" : Redaction.pattern(of: name)
        return list.error(
            .wrongClass,
            at: element(object.index),
            object: object.index,
            keyPath: keyPath,
            "the class is \(object.archivedClass.summary), which is none of: \(wantedNames); "
                + "to accept it, add the class '\(hint)'"
        )
    }

    /// The nodes of the elements of a collection, or nil for an object that is none. Of a dictionary, its values.
    func collectionElements(of object: ArchivedObject) throws(ArchiveError) -> [Int]? {
        switch object.collectionKind {
        case .array, .set: return try sequenceElements(of: object)
        case .dictionary: return try dictionaryEntries(of: object).map(\.value)
        case nil: return nil
        }
    }

    /// The nodes of the elements of an array or a set: `NS.objects`, or in very old files `NS.object.0` and so on.
    func sequenceElements(of object: ArchivedObject) throws(ArchiveError) -> [Int] {
        if let run = try arrayField("NS.objects", of: object) { return Array(list.elements(of: run)) }
        var elements: [Int] = []
        while let node = object.node(forKey: "NS.object.\(elements.count)") { elements.append(node) }
        return elements
    }

    /// The nodes of the keys and values of a dictionary.
    func dictionaryEntries(of object: ArchivedObject) throws(ArchiveError) -> [(key: Int, value: Int)] {
        if let keys = try arrayField("NS.keys", of: object) {
            let values = try arrayField("NS.objects", of: object)
            guard keys.count == values?.count ?? 0 else {
                throw list.error(
                    .badObjects,
                    at: element(object.index),
                    object: object.index,
                    "NS.keys has \(keys.count) elements and NS.objects has \(values?.count ?? 0)"
                )
            }
            return zip(list.elements(of: keys), values.map(list.elements(of:)) ?? []).map { ($0, $1) }
        }
        var entries: [(key: Int, value: Int)] = []
        while let key = object.node(forKey: "NS.key.\(entries.count)"),
            let value = object.node(forKey: "NS.object.\(entries.count)")
        {
            entries.append((key, value))
        }
        return entries
    }

    private func arrayField(_ key: String, of object: ArchivedObject) throws(ArchiveError) -> PropertyList.Run? {
        guard let node = object.node(forKey: key) else { return nil }
        guard case .array(let run) = list.nodes[node] else {
            throw list.error(
                .badObjects,
                at: node,
                object: object.index,
                keyPath: key,
                "\(key) is \(list.kind(of: node)); expected an array"
            )
        }
        return run
    }
}

extension ArchivedObject {
    /// The collections of Foundation.
    enum CollectionKind {
        case array
        case set
        case dictionary
    }

    /// Which of the collections the object is, by its class or one of the superclasses.
    var collectionKind: CollectionKind? {
        for name in [archivedClass.name] + archivedClass.chain {
            switch name {
            case "NSArray", "NSMutableArray": return .array
            case "NSSet", "NSMutableSet": return .set
            case "NSDictionary", "NSMutableDictionary": return .dictionary
            default: continue
            }
        }
        return nil
    }
}
