public import KeyValueCoding

/// Why an archived object is no account.
public struct ArchivedAccountError: Error, Sendable, Equatable {
    /// A field of the object.
    struct Field: Sendable, Equatable {
        var key: String
        /// The property that it was read as.
        var property: String?
        /// Whether it holds a date.
        var isDate: Bool
    }

    /// The index of the object in `$objects`.
    public var objectIndex: Int
    /// The class of the object.
    public var className: String
    /// Which key does not fit, what was found and what was expected.
    public var mapping: MappingError
    /// What the object has.
    var fields: [Field]
}

extension ArchivedAccountError: CustomStringConvertible {
    /// The object and what is wrong with it.
    public var description: String { "object \(objectIndex) (\(Redaction.name(className))), \(mapping)" }
}
