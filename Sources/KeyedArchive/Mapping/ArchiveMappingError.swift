public import KeyValueCoding

/// Why a value of an archive that is not damaged is not what was asked for.
public struct ArchiveMappingError: Error, Sendable, Equatable {
    /// Which key, what was found and what was expected.
    public var mapping: MappingError
    /// The index in `$objects` of the object that has the key, if it is one.
    public var objectIndex: Int?
    /// The class of that object.
    public var className: String?
    /// Where the value stands in the file, in bytes from its start, if there is a value.
    public var byteOffset: Int?
    /// The way from the root of the archive to that object; empty for the root.
    public var path: ArchivePath

    /// The kind of failure.
    public var code: MappingError.Code { mapping.code }

    /// The way from the root to the value, as text.
    public var keyPath: String {
        let object = path.description
        let key = mapping.keyPath
        return object.isEmpty || key.isEmpty || key.hasPrefix("[") ? object + key : object + "." + key
    }

    /// An error about what an object has, or lacks, under a key.
    ///
    /// - Parameter field: the key under which the object has it; nil if it does not.
    init(_ mapping: MappingError, in object: ArchivedObject, field: String?) {
        self.mapping = mapping
        objectIndex = object.index
        className = object.archivedClass.name
        path = object.path
        byteOffset = field.flatMap { object[$0]?.byteOffset }
    }

    /// An error about a value itself.
    init(_ mapping: MappingError, at value: ArchivedValue) {
        self.mapping = mapping
        objectIndex = value.index
        className = (try? value.archivedClass())?.name
        path = value.path
        byteOffset = value.byteOffset
    }
}

extension ArchiveMappingError: ContentFree {
    /// One line: the place, what is wrong, what was expected and found.
    public var description: String {
        let byte = byteOffset.map { "byte \($0), " } ?? ""
        let name = className.map { " (\(Redaction.name($0)))" } ?? ""
        let object = objectIndex.map { "object \($0)\(name), " } ?? ""
        let place = keyPath
        return "\(byte)\(object)\(place.isEmpty ? "root" : place): \(mapping.reason)"
    }
}

extension ArchivedValue {
    /// Where the value stands in the file, in bytes from its start.
    var byteOffset: Int? {
        node < archive.list.sources.count ? archive.list.sources[node].lowerBound : nil
    }

    /// Refuses a path whose text is none.
    func checkText(of path: ArchivePath) throws(ArchiveMappingError) {
        guard let fault = path.fault else { return }
        let mapping = MappingError(
            .missingKey,
            key: "",
            expected: "keys joined by dots, and positions in brackets, as in devices[0].name",
            found: "\(fault) in the path",
            hint: "a key with a dot or a bracket in it is given as a step of its own"
        )
        throw ArchiveMappingError(mapping, at: self)
    }

    /// The error for a step that leads nowhere.
    func noStep(_ step: PathStep) throws(ArchiveError) -> ArchiveMappingError {
        let content = try content()
        switch (content, step) {
        case (.object(let object), .key(let key)):
            return ArchiveMappingError(.missingKey(key, found: object.keys), in: object, field: nil)
        case (.dictionary(let entries), .key(let key)):
            let keys = entries.compactMap(\.key.text)
            return ArchiveMappingError(.missingKey(key, found: keys), at: self)
        case (.array(let elements), .index(let index)), (.set(let elements), .index(let index)):
            return noElement(index, of: elements.count)
        case (.dictionary(let entries), .index(let index)):
            return noElement(index, of: entries.count)
        case (_, .key(let key)):
            return ArchiveMappingError(
                MappingError(.typeMismatch, key: key, expected: "an object or a dictionary", found: content.kind),
                at: self
            )
        case (_, .index(let index)):
            return ArchiveMappingError(
                MappingError(.typeMismatch, key: "[\(index)]", expected: "an array or a set", found: content.kind),
                at: self
            )
        }
    }

    private func noElement(_ index: Int, of count: Int) -> ArchiveMappingError {
        let mapping = MappingError(
            .missingKey,
            key: "[\(index)]",
            expected: "a position below \(count)",
            found: "\(count) \(count == 1 ? "element" : "elements")"
        )
        return ArchiveMappingError(mapping, at: self)
    }
}

extension ArchivedValue.Content {
    /// What the value is, in words for a message.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a bool"
        case .integer: "an integer"
        case .real: "a real"
        case .date: "a date"
        case .data: "data"
        case .text: "text"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .object(let object): "an object of class \(object.archivedClass.summary)"
        }
    }
}
