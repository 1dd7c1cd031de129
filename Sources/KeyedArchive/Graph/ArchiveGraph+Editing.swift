public import KeyValueCoding

/// Changing the graph of an archive by the ways to its values, which are those of ``Archive/value(at:)``.
///
/// What refers to a changed object goes on referring to it, so that a change of an object that is shared is one for all who share
/// it. A value in a field is the field's own: if it is shared, only the field that is named gets another.
extension ArchiveGraph {
    /// The number of the object that a path leads to, for `Value.reference`.
    ///
    /// - Throws: ``ArchiveMappingError`` where the path does not lead on, or leads to what is no object.
    public func object(at path: ArchivePath) throws -> Int {
        let value = try builder.snapshot().value(at: path)
        guard let index = value.index, index != 0 else {
            throw value.mismatch(expected: "a reference to an object", found: try value.content().kind)
        }
        return builder.origins[index]
    }

    /// Gives a field of an object, an entry of a dictionary or an element of an array a new value.
    ///
    /// Where there is a value already, the new one is encoded in the same way if that can be: inside the object or as an object of
    /// its own, as text of the same class. A key that is new is added, with the place among the others that Apple's archiver would
    /// give it.
    ///
    /// - Parameters:
    ///   - value: the value; `Value.reference` for an object of the graph.
    ///   - path: the way to it. An empty one is that to the root.
    ///   - encoding: how the value of a new field is encoded.
    /// - Throws: ``ArchiveMappingError`` where the path does not lead on, or to no place for a value; ``ArchiveError`` for a
    ///   value that no archive can hold. Nothing has changed then.
    public mutating func setValue(
        _ value: Value,
        at path: ArchivePath,
        encoding: ArchiveField.Encoding = .object
    ) throws {
        guard let last = path.steps.last else { return try setTop(value, forKey: builder.snapshot().rootEntry().key) }
        var builder = builder
        let parent = try builder.slot(at: path.dropLast)
        try builder.setValue(value, at: last, of: parent, encoding: encoding)
        self.builder = builder
    }

    /// Adds an element to an array or a set, at the end.
    ///
    /// - Parameters:
    ///   - value: the element; `Value.reference` for an object of the graph.
    ///   - path: the way to the array or the set.
    /// - Throws: what ``insert(_:at:)`` throws.
    public mutating func append(_ value: Value, to path: ArchivePath) throws {
        let count: Int =
            switch try builder.snapshot().value(at: path).content() {
            case .array(let elements), .set(let elements): elements.count
            default: 0
            }
        try insert(value, at: path.appending(.index(count)))
    }

    /// Adds an element to an array or a set.
    ///
    /// - Parameters:
    ///   - value: the element; `Value.reference` for an object of the graph.
    ///   - path: the way to the position that the element gets, from 0 up to the number of elements: `tags[0]`.
    /// - Throws: ``ArchiveMappingError`` where the path leads to no position in an array or a set; ``ArchiveError`` for a value
    ///   that no archive can hold. Nothing has changed then.
    public mutating func insert(_ value: Value, at path: ArchivePath) throws {
        var builder = builder
        let parent = try builder.slot(at: path.dropLast)
        try builder.insert(value, at: path.steps.last, of: parent)
        self.builder = builder
    }

    /// Takes out a field of an object, an entry of a dictionary or an element of an array or a set.
    ///
    /// What only it referred to goes with it.
    ///
    /// - Throws: ``ArchiveMappingError`` where the path does not lead to one. Nothing has changed then.
    public mutating func removeValue(at path: ArchivePath) throws {
        var builder = builder
        let parent = try builder.slot(at: path.dropLast)
        try builder.removeValue(at: path.steps.last, of: parent)
        self.builder = builder
    }

    /// Gives an object another class. Other objects of its former class keep that.
    ///
    /// - Throws: ``ArchiveMappingError`` where the path does not lead to an object that has a class.
    public mutating func setClass(_ archivedClass: ArchivedClass, at path: ArchivePath) throws {
        let value = try builder.snapshot().value(at: path)
        guard let object = try value.object() else {
            throw value.mismatch(expected: "an object with a class", found: try value.content().kind)
        }
        builder.setClass(archivedClass, of: object.index)
    }

    /// Gives every object of a class another.
    ///
    /// - Returns: how many objects there are of that class.
    @discardableResult
    public mutating func replaceClass(_ name: String, with archivedClass: ArchivedClass) -> Int {
        let snapshot = builder.snapshot()
        let objects = builder.elements.indices.filter { snapshot.className(at: $0)?.isIdentical(to: name) == true }
        for object in objects { builder.setClass(archivedClass, of: object) }
        return objects.count
    }
}

extension ArchivePath {
    /// The way to what the last step is taken from.
    var dropLast: ArchivePath {
        var path = self
        path.steps.removeLast(steps.isEmpty ? 0 : 1)
        return path
    }
}

extension ArchivedValue {
    /// The error for a value that is not of the kind that was wanted.
    func mismatch(expected: String, found: String) -> ArchiveMappingError {
        ArchiveMappingError(MappingError(.typeMismatch, key: "", expected: expected, found: found), at: self)
    }
}
