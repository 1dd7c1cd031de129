/// How the text of an option or operand becomes a value, and how help describes it.
public struct ValueParser<Value: Sendable>: Sendable {
    /// The word that stands for the value in help, in capitals: `PATH`.
    public let placeholder: String
    /// All values that are accepted, if they can be listed; empty otherwise.
    public let allowedValues: [String]
    let convert: @Sendable (RawArgument) throws(ValueError) -> Value
    let describe: @Sendable (Value) -> String

    /// A parser of bytes.
    ///
    /// - Parameters:
    ///   - placeholder: The word that stands for the value in help.
    ///   - allowedValues: All values that are accepted, if they can be listed.
    ///   - describe: The text of a value, for the default that help shows.
    ///   - convert: Gives the value, or throws why the argument is none.
    public init(
        _ placeholder: String,
        allowedValues: [String] = [],
        describe: @escaping @Sendable (Value) -> String = { String(describing: $0) },
        convert: @escaping @Sendable (RawArgument) throws(ValueError) -> Value
    ) {
        self.placeholder = placeholder
        self.allowedValues = allowedValues
        self.convert = convert
        self.describe = describe
    }

    /// A parser of UTF-8 text.
    ///
    /// - Parameters:
    ///   - placeholder: The word that stands for the value in help.
    ///   - expected: What is accepted, for the error: `"a time such as 2030-01-01T00:00:00Z"`.
    ///   - describe: The text of a value, for the default that help shows.
    ///   - convert: Gives the value, or `nil` if the text is none.
    public init(
        _ placeholder: String,
        expected: String,
        describe: @escaping @Sendable (Value) -> String = { String(describing: $0) },
        convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(placeholder, describe: describe) { (argument) throws(ValueError) -> Value in
            guard let value = convert(try argument.requireText()) else {
                throw ValueError("\(argument.quoted) is not \(expected)")
            }
            return value
        }
    }

    /// The same parser under another placeholder.
    public func named(_ placeholder: String) -> ValueParser {
        ValueParser(placeholder, allowedValues: allowedValues, describe: describe, convert: convert)
    }
}

/// Why an argument is not a value of the expected kind.
public struct ValueError: Error, Sendable, Equatable {
    /// What was found and what was expected; the name of the option is put before it.
    public let reason: String

    /// Makes an error; `reason` reads like `"'x' is not a whole number"`.
    public init(_ reason: String) {
        self.reason = reason
    }
}

extension RawArgument {
    /// The text.
    ///
    /// - Throws: ``ValueError`` if the bytes are not UTF-8.
    public func requireText() throws(ValueError) -> String {
        guard let text = exactText else { throw ValueError("\(quoted) is not UTF-8 text") }
        return text
    }
}
