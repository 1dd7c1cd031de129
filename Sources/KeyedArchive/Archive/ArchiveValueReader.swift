internal import FoundationEssentials
internal import KeyValueCoding

/// Turns a part of an archive into values, each object once.
///
/// The classes of the archive are looked up once each, and so are the keys of their objects.
struct ArchiveValueReader {
    let archive: Archive
    /// The containers and objects that were met, by index.
    var met: ElementSet
    /// Whether an object that is met again has its value again, as long as it is not part of itself.
    var repeatsShared = false
    private var classes = KnownClasses()
    /// The values of the objects that are being read, field by field.
    private var pending: [Value] = []
    /// The way to where an error was thrown, from its end.
    private var trail: [PathStep] = []
    private var visited = 0
    private var bytes = 0
    private var depth = 0

    init(archive: Archive) {
        self.archive = archive
        met = ElementSet(count: archive.objectCount)
        pending.reserveCapacity(16)
    }

    /// The value of a node: of what it refers to, if it is a reference.
    mutating func value(of node: Int) throws(ArchiveError) -> Value {
        try visit(node)
        defer { depth -= 1 }
        switch archive.list.nodes[node] {
        case .uid(let uid):
            return try element(Int(uid))
        case .array(let run), .set(let run):
            return .array(try values(of: run))
        case .dictionary(let run):
            return try inlineDictionary(run)
        default:
            return archive.list.scalar(at: node)
        }
    }

    /// The value of an element of `$objects`.
    mutating func element(_ index: Int) throws(ArchiveError) -> Value {
        if index == 0 { return .null }
        let node = archive.element(index)
        switch archive.list.nodes[node] {
        case .dictionary(let run):
            return try object(run, node: node, index: index)
        case .array, .set:
            guard met.insert(index) else { return .reference(index) }
            defer { leave(index) }
            return try value(of: node)
        default:
            return try value(of: node)
        }
    }

    /// The fields of an object without its class, in the order of the file.
    mutating func fields(of object: ArchivedObject) throws(ArchiveError) -> [(key: String, value: Value)] {
        var fields: [(key: String, value: Value)] = []
        fields.reserveCapacity(object.run.count)
        for (key, node) in object.userFields {
            do {
                fields.append((key, try value(of: node)))
            } catch {
                throw passing(error, at: .key(key))
            }
        }
        return fields
    }

    /// The error with the way to the place that it is about, if it does not say one.
    ///
    /// - Parameter path: the way to what was read.
    func located(_ error: ArchiveError, below path: [PathStep] = []) -> ArchiveError {
        var error = error
        if error.keyPath.isEmpty { error.keyPath = ArchivePath(path + trail.reversed()).description }
        return error
    }

    private mutating func passing(_ error: ArchiveError, at step: PathStep) -> ArchiveError {
        trail.append(step)
        return error
    }

    private mutating func leave(_ index: Int) {
        if repeatsShared { met.remove(index) }
    }
}

// MARK: - Objects

extension ArchiveValueReader {
    private mutating func object(_ run: PropertyList.Run, node: Int, index: Int) throws(ArchiveError) -> Value {
        let (number, classPlace) = try classes.find(run, node: node, object: index, in: archive)
        let role = classes[number].role
        if let scalar = scalar(run, classPlace: classPlace, role: role) { return scalar }
        guard met.insert(index) else { return .reference(index) }
        defer { leave(index) }
        switch role {
        case .array, .set:
            if let elements = plainElements(of: run, classPlace: classPlace) {
                return .array(try values(of: elements))
            }
            return try collection(run, index: index, class: number, classPlace: classPlace)
        case .dictionary:
            return try collection(run, index: index, class: number, classPlace: classPlace)
        default:
            return try compound(run, index: index, class: number, classPlace: classPlace)
        }
    }

    /// The value of an object that stands for text, a date, data or nothing; nil for any other, and for one that has more or
    /// other fields than such an object has.
    private func scalar(_ run: PropertyList.Run, classPlace: Int, role: ClassRole) -> Value? {
        switch role {
        case .null: return run.count == 1 ? .null : nil
        case .text, .data, .date:
            guard let (key, node) = onlyField(of: run, classPlace: classPlace) else { return nil }
            return archive.simpleScalar(role, key: key, node: node)?.value
        case .array, .set, .dictionary, .other: return nil
        }
    }

    /// The key and the node of the field of an object that has but one.
    private func onlyField(of run: PropertyList.Run, classPlace: Int) -> (key: String, node: Int)? {
        guard run.count == 2 else { return nil }
        let key = archive.list.references[run.start + 1 - classPlace]
        guard case .text(let name) = archive.list.nodes[key] else { return nil }
        return (name, archive.list.references[run.start + run.count + 1 - classPlace])
    }

    /// The elements of an array or a set that has them as all of today's do: in one field.
    private func plainElements(of run: PropertyList.Run, classPlace: Int) -> PropertyList.Run? {
        guard let (key, node) = onlyField(of: run, classPlace: classPlace), key == "NS.objects",
            case .array(let elements) = archive.list.nodes[node]
        else { return nil }
        return elements
    }

    /// The value of an object that is a collection by its class.
    private mutating func collection(
        _ run: PropertyList.Run,
        index: Int,
        class number: Int,
        classPlace: Int
    ) throws(ArchiveError) -> Value {
        let object = ArchivedObject(archive: archive, index: index, archivedClass: classes[number].name, run: run)
        switch object.plainCollectionKind {
        case .array, .set: return .array(try values(of: try archive.sequenceElements(of: object)))
        case .dictionary: return try dictionary(try archive.dictionaryEntries(of: object))
        case nil: return try compound(run, index: index, class: number, classPlace: classPlace)
        }
    }

    /// The value of an object that keeps its class.
    private mutating func compound(
        _ run: PropertyList.Run,
        index: Int,
        class number: Int,
        classPlace: Int
    ) throws(ArchiveError) -> Value {
        let first = pending.count
        defer { pending.removeLast(pending.count - first) }
        for place in 0..<run.count where place != classPlace {
            do {
                pending.append(try value(of: archive.list.references[run.start + run.count + place]))
            } catch {
                throw passing(error, at: .key(archive.list.userKey(at: archive.list.references[run.start + place])))
            }
        }
        let layout = KnownClass.Layout(run: run, classPlace: classPlace)
        guard let fields = classes.fields(layout, of: number, values: pending[first...], in: archive.list) else {
            throw archive.list.error(
                .duplicateKey,
                at: archive.element(index),
                object: index,
                "the object has two keys that look alike, of which only one could be kept"
            )
        }
        let name = classes[number].name
        return .object(Value.ObjectValue(className: name.name, classes: name.chain, fields: fields))
    }

    private mutating func visit(_ node: Int) throws(ArchiveError) {
        depth += 1
        visited += 1
        switch archive.list.nodes[node] {
        case .text(let text): bytes += text.utf8.count
        case .data(let data): bytes += data.count
        default: break
        }
        guard depth <= archive.limits.depth else {
            throw archive.list.error(
                .tooDeep,
                at: node,
                "objects within one another more than \(archive.limits.depth) deep"
            )
        }
        guard visited <= archive.limits.references, bytes <= archive.limits.bytes else {
            throw archive.list.error(
                .tooLarge,
                at: node,
                "the graph has more than \(archive.limits.references) references to follow, or more than "
                    + "\(archive.limits.bytes) bytes of text and data in all places where they are referred to"
            )
        }
    }
}

// MARK: - Collections

extension ArchiveValueReader {
    private mutating func values(of run: PropertyList.Run) throws(ArchiveError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(run.count)
        for position in run.start..<(run.start + run.count) {
            try append(archive.list.references[position], to: &values)
        }
        return values
    }

    private mutating func values(of nodes: [Int]) throws(ArchiveError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(nodes.count)
        for node in nodes { try append(node, to: &values) }
        return values
    }

    private mutating func append(_ node: Int, to values: inout [Value]) throws(ArchiveError) {
        do {
            values.append(try value(of: node))
        } catch {
            throw passing(error, at: .index(values.count))
        }
    }

    /// A dictionary that stands in an object's own.
    private mutating func inlineDictionary(_ run: PropertyList.Run) throws(ArchiveError) -> Value {
        var pairs: [Value.Pair] = []
        for (key, node) in archive.list.entries(of: run) {
            do {
                pairs.append(Value.Pair(key: .text(key), value: try value(of: node)))
            } catch {
                throw passing(error, at: .key(key))
            }
        }
        return Self.dictionary(pairs)
    }

    private mutating func dictionary(_ entries: [(key: Int, value: Int)]) throws(ArchiveError) -> Value {
        var pairs: [Value.Pair] = []
        pairs.reserveCapacity(entries.count)
        for entry in entries {
            var step = PathStep.index(pairs.count)
            do {
                let key = try value(of: entry.key)
                if case .text(let text) = key { step = .key(text) }
                pairs.append(Value.Pair(key: key, value: try value(of: entry.value)))
            } catch {
                throw passing(error, at: step)
            }
        }
        return Self.dictionary(pairs)
    }

    /// Keys that are not text, or that look alike, which are one to a dictionary in Swift, stay pairs.
    private static func dictionary(_ pairs: [Value.Pair]) -> Value {
        var dictionary = [String: Value](minimumCapacity: pairs.count)
        for pair in pairs {
            guard case .text(let key) = pair.key else { return .pairs(pairs) }
            dictionary[key] = pair.value
        }
        return dictionary.count == pairs.count ? .dictionary(dictionary) : .pairs(pairs)
    }
}
