/// Why a dictionary, an archive or a row does not fit a model.
public struct MappingError: Error, Sendable, Equatable {
    /// The kind of failure, under the word by which scripts know it.
    public enum Code: String, Sendable, CaseIterable {
        /// A key that the model needs is not there.
        case missingKey
        /// A key that the model does not have.
        case unknownKey
        /// Null where a value is needed.
        case nullValue
        /// A value of another type.
        case typeMismatch
        /// A number with a fraction, nan or infinity, where an integer is needed.
        case notIntegral
        /// A number that the property's type cannot hold.
        case outOfRange
        /// Two keys that mean one property.
        case duplicateKey
    }

    /// The kind of failure.
    public var code: Code
    /// The key, or the key path, keys joined by dots.
    public var key: String
    /// Where in the value of the key, as text that can follow it: `.devices[0].name`; empty for the value itself.
    public var path = ""
    /// What was found: a type, a number, the first characters of a text, or keys; never a whole text.
    public var found: String
    /// What was expected.
    public var expected: String
    /// What can be done about it, such as the option that accepts the value; empty if nothing is known.
    public var hint: String

    /// Makes an error.
    public init(_ code: Code, key: String, expected: String, found: String, hint: String = "") {
        self.code = code
        self.key = key
        self.expected = expected
        self.found = found
        self.hint = hint
    }

    /// Makes an error for a value that does not fit a property.
    ///
    /// - Parameters:
    ///   - error: what is wrong with it.
    ///   - key: the property's key.
    ///   - value: the value, to be described.
    ///   - isSecret: whether nothing but its type may be shown.
    public init(_ error: CoercionError, key: String, value: Value, isSecret: Bool = false) {
        self.init(
            error.code,
            key: key,
            expected: error.expected,
            found: isSecret ? value.kind : error.found ?? value.summary
        )
        path = error.path
    }

    /// The error with a hint, for a caller who knows what helps.
    public func with(hint: String) -> MappingError {
        var copy = self
        copy.hint = hint
        return copy
    }
}

extension MappingError {
    /// An error for a key that is missing, which names the keys that are there.
    public static func missingKey(_ key: String, found keys: some Sequence<String>) -> MappingError {
        MappingError(.missingKey, key: key, expected: "a value", found: Redaction.list(keys))
    }

    /// An error for a key that the model does not have, which names those that it has.
    public static func unknownKey(_ key: String, known keys: some Sequence<String>) -> MappingError {
        MappingError(
            .unknownKey,
            key: key,
            expected: "one of \(Redaction.list(keys, sorted: false))",
            found: Redaction.list([key])
        )
    }

    /// An error for keys that mean one property.
    public static func duplicateKey(_ key: String, found keys: some Sequence<String>) -> MappingError {
        MappingError(.duplicateKey, key: key, expected: "one key for this property", found: Redaction.list(keys))
    }

    /// An error for null, which is described as `null` or as the caller calls it (`NULL`, `$null`).
    public static func nullValue(_ key: String, expected: String, found: String = "null") -> MappingError {
        MappingError(.nullValue, key: key, expected: expected, found: found)
    }
}

extension MappingError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, since the key would be shown whole.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The whole way to the place, with what may be a secret cut.
    public var keyPath: String {
        key.isEmpty && path.hasPrefix(".") ? String(path.dropFirst()) : Redaction.name(key) + path
    }

    /// One line: the key, what is wrong, what was expected and found, and the hint.
    public var description: String { "\(keyPath): \(reason)" }

    /// What is wrong, what was expected and found, and the hint, without the place.
    public var reason: String {
        let sentence = "\(code.phrase): expected \(expected), found \(found)"
        return hint.isEmpty ? sentence : "\(sentence); \(hint)"
    }
}

extension MappingError.Code {
    /// The kind of failure in words.
    fileprivate var phrase: String {
        switch self {
        case .missingKey: "missing key"
        case .unknownKey: "unknown key"
        case .nullValue: "no value"
        case .typeMismatch: "wrong type"
        case .notIntegral: "not an integer"
        case .outOfRange: "out of range"
        case .duplicateKey: "duplicate key"
        }
    }
}
