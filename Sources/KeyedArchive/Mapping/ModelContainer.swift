internal import KeyValueCoding

/// A type of values that others stand in, of which some may be models: an optional, an array or a dictionary.
protocol ModelContainer {
    /// Whether models can stand in a value of this type, at whatever depth.
    static var holdsModels: Bool { get }

    /// The value in the form that dictionaries have, but for what stands in it.
    ///
    /// - Parameter encode: gives the value for what stands in it.
    func value(encoding encode: (any PropertyValue) throws(ArchiveError) -> Value) throws(ArchiveError) -> Value
}

extension PropertyValue {
    /// Whether the type is a model's, or one of values in which models can stand.
    static var holdsModels: Bool {
        Self.self is any KeyValueCodable.Type || (Self.self as? any ModelContainer.Type)?.holdsModels == true
    }
}

extension Optional: ModelContainer where Wrapped: PropertyValue {
    static var holdsModels: Bool { Wrapped.holdsModels }

    func value(encoding encode: (any PropertyValue) throws(ArchiveError) -> Value) throws(ArchiveError) -> Value {
        if let self { try encode(self) } else { .null }
    }
}

extension Array: ModelContainer where Element: PropertyValue {
    static var holdsModels: Bool { Element.holdsModels }

    func value(encoding encode: (any PropertyValue) throws(ArchiveError) -> Value) throws(ArchiveError) -> Value {
        .array(try map { (element) throws(ArchiveError) in try encode(element) })
    }
}

extension Dictionary: ModelContainer where Key == String, Value: PropertyValue {
    static var holdsModels: Bool { Value.holdsModels }

    func value(
        encoding encode: (any PropertyValue) throws(ArchiveError) -> KeyValueCoding.Value
    ) throws(ArchiveError) -> KeyValueCoding.Value {
        var values: [String: KeyValueCoding.Value] = [:]
        for (key, value) in self { values[key] = try encode(value) }
        return .dictionary(values)
    }
}
