extension Archive {
    /// The entries of `$top`, in the order of the file.
    public var top: [(key: String, value: ArchivedValue)] {
        entries.map { ($0.key, ArchivedValue($0.node, in: self, path: ArchivePath([.key($0.key)]))) }
    }

    /// The value under `root` in `$top`; without that name, the one under the only name that there is. Paths begin here.
    ///
    /// - Throws: ``ArchiveError`` with the code `noRoot` if `$top` is empty, `badRoot` if several other names leave it open.
    public var root: ArchivedValue {
        get throws(ArchiveError) { ArchivedValue(try rootEntry().node, in: self, path: ArchivePath()) }
    }

    /// An element of `$objects`; nil if there is none of that index.
    ///
    /// The path of what it holds begins at the element.
    public func element(at index: Int) -> ArchivedValue? {
        guard (0..<objectCount).contains(index) else { return nil }
        return ArchivedValue(index, in: self)
    }

    /// The value at the end of a path from the root.
    ///
    /// - Throws: ``ArchiveMappingError`` where the path does not lead on; ``ArchiveError`` for a damaged object on the way,
    ///   and what ``root`` throws.
    public func value(at path: ArchivePath) throws -> ArchivedValue { try root.value(at: path) }

    /// How often each element of `$objects` is referred to, by `$top` and by others.
    ///
    /// What is referred to more than once is shared. Of a class that is the rule, and so it is of short texts and numbers.
    public var referenceCounts: [Int] {
        var counts = [Int](repeating: 0, count: objectCount)
        for content in list.nodes {
            guard let run = content.run else { continue }
            let values = content.isDictionary ? run.start + run.count : run.start
            for node in list.references[values..<(values + run.count)] {
                if case .uid(let uid) = list.nodes[node] { counts[Int(uid)] += 1 }
            }
        }
        return counts
    }
}

extension ArchivedValue {
    /// Takes an element of `$objects` for a value.
    init(_ index: Int, in archive: Archive) {
        self.archive = archive
        self.index = index
        path = ArchivePath()
        node = archive.element(index)
    }

    /// What an object or a dictionary has under a key; nil if it has no such key, or is neither.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object.
    public subscript(key: String) -> ArchivedValue? {
        get throws(ArchiveError) { try step(.key(key)) }
    }

    /// The element of an array or a set, or the value of a dictionary's entry, at a position; nil if there is none.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object.
    public subscript(position: Int) -> ArchivedValue? {
        get throws(ArchiveError) { try step(.index(position)) }
    }

    /// The text that the value is; nil for any other, and for one that is damaged.
    var text: String? {
        if case .text(let text) = try? content() { text } else { nil }
    }

    private func step(_ step: PathStep) throws(ArchiveError) -> ArchivedValue? {
        switch (try content(), step) {
        case (.object(let object), .key(let key)):
            return object[key]
        case (.dictionary(let entries), .key(let key)):
            return entries.first { $0.key.text?.isIdentical(to: key) == true }?.value
        case (.dictionary(let entries), .index(let position)):
            return entries.indices.contains(position) ? entries[position].value : nil
        case (.array(let elements), .index(let position)), (.set(let elements), .index(let position)):
            return elements.indices.contains(position) ? elements[position] : nil
        case (_, .key(let key)):
            // Of an array or a date, as an object: `NS.objects`, `NS.time`.
            return try object()?[key]
        case (_, .index):
            return nil
        }
    }

    /// The value at the end of a path from this one.
    ///
    /// - Throws: ``ArchiveMappingError`` where the path does not lead on: `missingKey` with the keys that are there, or
    ///   `typeMismatch` for what has no keys or elements; ``ArchiveError`` for a damaged object on the way.
    public func value(at path: ArchivePath) throws -> ArchivedValue {
        try checkText(of: path)
        var value = self
        for step in path.steps {
            guard let next = try value.step(step) else { throw try value.noStep(step) }
            value = next
        }
        return value
    }
}
