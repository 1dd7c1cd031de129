internal import KeyValueCoding
internal import KeyedArchive

/// Where in the JSON of an archive the objects stand that others refer to by number.
struct ReferencePaths {
    /// The keys and positions that lead to each of them from the values in `$top`, by its number.
    private(set) var paths: [Int: [Value]] = [:]

    private let shownName: (String) -> String

    private struct Item {
        var value: Value
        var archived: ArchivedValue
        var path: [Value]
    }

    /// Finds the objects that the values refer to.
    ///
    /// - Parameters:
    ///   - values: the values in `$top`.
    ///   - archive: the archive that they are from.
    ///   - shownName: what is shown for a key.
    init(
        in values: [(key: String, value: Value)],
        of archive: Archive,
        shownName: @escaping (String) -> String
    ) throws(ArchiveError) {
        self.shownName = shownName
        guard values.contains(where: { $0.value.hasReferences }) else { return }
        var referred: Set<Int> = []
        var pending = zip(values, archive.top).map {
            Item(value: $0.value, archived: $1.value, path: [.text(shownName($0.key))])
        }
        while let item = pending.popLast() {
            if case .reference(let index) = item.value {
                referred.insert(index)
                continue
            }
            let parts = try parts(of: item)
            // Each object that has others in it stands in one place, and is a reference everywhere else.
            if let index = item.archived.index, item.value.isContainer { paths[index] = item.path }
            pending += parts
        }
        paths = paths.filter { referred.contains($0.key) }
    }

    private func parts(of item: Item) throws(ArchiveError) -> [Item] {
        var parts: [Item] = []
        func add(_ value: Value, _ archived: ArchivedValue?, _ steps: Value...) {
            if let archived { parts.append(Item(value: value, archived: archived, path: item.path + steps)) }
        }
        switch (item.value, try item.archived.content()) {
        case (.array(let values), .array(let elements)), (.array(let values), .set(let elements)):
            for (index, value) in zip(values, elements).enumerated() { add(value.0, value.1, Value(Int128(index))) }
        case (.pairs(let pairs), .dictionary(let entries)):
            for (index, (pair, entry)) in zip(pairs, entries).enumerated() {
                add(pair.key, entry.key, "$pairs", Value(Int128(index)), 0)
                add(pair.value, entry.value, "$pairs", Value(Int128(index)), 1)
            }
        case (.dictionary(let values), _):
            for (key, value) in values { add(value, try item.archived[key], .text(written(key))) }
        case (.object(let object), _):
            guard let archived = try item.archived.object() else { break }
            for (key, value) in object.fields { add(value, archived[key], .text(written(key))) }
        default: break
        }
        return parts
    }

    /// A key as it stands in the JSON.
    private func written(_ key: String) -> String {
        let shown = shownName(key)
        return shown.utf8.first == UInt8(ascii: "$") ? "$" + shown : shown
    }
}

extension Value {
    /// Whether other values stand in this one.
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .dictionary, .pairs, .object: true
        default: false
        }
    }
}
