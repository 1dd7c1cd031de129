internal import KeyValueCoding

extension Value {
    /// The value at the end of a path, or nil if there is none.
    func value(at path: some Sequence<PathStep>) -> Value? {
        var value = self
        for step in path {
            switch (step, value) {
            case (.key(let key), .dictionary(let dictionary)):
                guard let next = dictionary[key] else { return nil }
                value = next
            case (.key(let key), .object(let object)):
                guard let next = object.fields[key] else { return nil }
                value = next
            case (.index(let index), .array(let array)):
                guard array.indices.contains(index) else { return nil }
                value = array[index]
            case (.index(let index), .pairs(let pairs)):
                guard pairs.indices.contains(index) else { return nil }
                value = pairs[index].value
            default:
                return nil
            }
        }
        return value
    }
}

/// A single value below a field of an object: where it stands, and how.
struct Leaf {
    /// The field of the object.
    var field: String
    /// The way from the field's value to the leaf.
    var path: [PathStep]
    /// The node that holds the value.
    var node: Int
    var kind: LeafKind
    /// What refers to the node; the same for leaves that have it through the same reference.
    var holder: Int
}

/// Finds the single values below the fields of an object.
///
/// Keys of dictionaries, class names and the shape of containers are no leaves. The ways are those that
/// ``ArchiveValueReader`` gives values, so that a leaf's path leads to its value there.
struct LeafFinder {
    private let archive: Archive
    private var met: Set<Int>
    private var leaves: [Leaf] = []
    private var field = ""
    private var visited = 0

    /// The leaves of an object, in the order of its fields.
    static func leaves(of object: ArchivedObject) throws(ArchiveError) -> [Leaf] {
        var finder = LeafFinder(archive: object.archive, met: [object.index])
        for (key, node) in object.userFields {
            finder.field = key
            try finder.search(node, path: [])
        }
        return finder.leaves
    }

    private init(archive: Archive, met: Set<Int>) {
        self.archive = archive
        self.met = met
    }

    private mutating func search(_ node: Int, path: [PathStep]) throws(ArchiveError) {
        visited += 1
        guard path.count <= archive.limits.depth, visited <= archive.limits.references else {
            throw ArchiveError(.tooLarge, keyPath: field, "more below the field than the limits allow")
        }
        switch archive.list.nodes[node] {
        case .uid(let uid):
            try searchElement(Int(uid), path: path)
        case .array(let run), .set(let run):
            try search(archive.list.elements(of: run), path: path)
        case .dictionary(let run):
            let entries = archive.list.entries(of: run)
            let areNamed = Set(entries.map(\.key)).count == entries.count
            for (index, entry) in entries.enumerated() {
                try search(entry.node, path: path + [areNamed ? .key(entry.key) : .index(index)])
            }
        default:
            add(node, path: path, kind: LeafKind(archive.list.nodes[node]), holder: -visited)
        }
    }

    private mutating func search(_ nodes: some Sequence<Int>, path: [PathStep]) throws(ArchiveError) {
        for (index, node) in nodes.enumerated() { try search(node, path: path + [.index(index)]) }
    }

    private mutating func searchElement(_ index: Int, path: [PathStep]) throws(ArchiveError) {
        switch try archive.resolve(index) {
        case .null: return
        case .plain(let node):
            guard archive.list.isContainer(node) else {
                return add(node, path: path, kind: LeafKind(archive.list.nodes[node]), holder: index)
            }
            if met.insert(index).inserted { try search(node, path: path) }
        case .object(let object):
            if let (node, value) = archive.simpleScalar(of: object) {
                return add(node, path: path, kind: kind(of: value, at: node), holder: index)
            }
            guard met.insert(index).inserted else { return }
            try searchFields(of: object, path: path)
        }
    }

    private mutating func searchFields(of object: ArchivedObject, path: [PathStep]) throws(ArchiveError) {
        switch object.plainCollectionKind {
        case .array, .set:
            try search(try archive.sequenceElements(of: object), path: path)
        case .dictionary:
            let entries = try archive.dictionaryEntries(of: object)
            let keys = entries.map { archive.textKey($0.key) }
            let named = !keys.contains(nil) && Set(keys).count == keys.count
            for (index, entry) in entries.enumerated() {
                let step = named ? keys[index].map(PathStep.key) : nil
                try search(entry.value, path: path + [step ?? .index(index)])
            }
        case nil:
            for (key, node) in object.userFields { try search(node, path: path + [.key(key)]) }
        }
    }

    private func kind(of value: Value, at node: Int) -> LeafKind? {
        switch (value, archive.list.nodes[node]) {
        case (.date, .real): .referenceSeconds
        case (.text, .data): .utf8Data
        default: LeafKind(archive.list.nodes[node])
        }
    }

    private mutating func add(_ node: Int, path: [PathStep], kind: LeafKind?, holder: Int) {
        guard let kind else { return }
        leaves.append(Leaf(field: field, path: path, node: node, kind: kind, holder: holder))
    }
}

extension Archive {
    /// The text of a dictionary's key, or nil if it is no text.
    fileprivate func textKey(_ node: Int) -> String? {
        guard case .uid(let uid) = list.nodes[node] else {
            if case .text(let text) = list.nodes[node] { return text }
            return nil
        }
        switch try? resolve(Int(uid)) {
        case .plain(let node):
            if case .text(let text) = list.nodes[node] { return text }
            return nil
        case .object(let object):
            if case .text(let text) = simpleScalar(of: object)?.value { return text }
            return nil
        case .null, nil:
            return nil
        }
    }
}
