extension ValueParser where Value == RawArgument {
    /// A path, kept as bytes. Empty paths are refused, since no file has one.
    public static var path: ValueParser {
        ValueParser("PATH", describe: { $0.text }) { (argument) throws(ValueError) in
            guard !argument.bytes.isEmpty else { throw ValueError("a path must not be empty") }
            return argument
        }
    }
}

extension ValueParser where Value == String {
    /// Any UTF-8 text, the empty one included.
    public static var text: ValueParser {
        ValueParser("TEXT") { (argument) throws(ValueError) in try argument.requireText() }
    }

    /// UTF-8 text of at least one character.
    public static var name: ValueParser {
        ValueParser("NAME") { (argument) throws(ValueError) in
            let text = try argument.requireText()
            guard !text.isEmpty else { throw ValueError("a name must not be empty") }
            return text
        }
    }
}

extension ValueParser where Value: FixedWidthInteger {
    /// A whole number in decimal digits, with an optional sign, exact over the whole width of its type.
    ///
    /// - Parameter range: The numbers that are accepted; by default all that the type holds.
    public static func integer(in range: ClosedRange<Value> = Value.min...Value.max) -> ValueParser {
        ValueParser("N") { (argument) throws(ValueError) in
            let digits = argument.bytes.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
            let isNumber =
                argument.bytes.count - digits.count <= 1 && !digits.isEmpty
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            guard isNumber else { throw ValueError("\(argument.quoted) is not \(expected)") }
            // The text is a number, so nil can only mean that the type does not hold it.
            guard let value = Value(argument.text), range.contains(value) else {
                throw ValueError("\(argument.quoted) is out of range; expected \(expected)")
            }
            return value
        }
    }
}

extension ValueParser where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the cases of an enumeration, by its raw value.
    public static func choice(_ placeholder: String) -> ValueParser {
        let allowed = Value.allCases.map(\.rawValue)
        return ValueParser(placeholder, allowedValues: allowed, describe: { $0.rawValue }) {
            (argument) throws(ValueError) in
            if let value = argument.exactText.flatMap(Value.init(rawValue:)) { return value }
            throw ValueError(notAllowed: argument, allowed: allowed)
        }
    }
}

extension ValueParser where Value == String {
    /// One of a list of words.
    public static func word(_ placeholder: String, of allowed: [String]) -> ValueParser {
        ValueParser(placeholder, allowedValues: allowed) { (argument) throws(ValueError) in
            guard let text = argument.exactText, allowed.contains(text) else {
                throw ValueError(notAllowed: argument, allowed: allowed)
            }
            return text
        }
    }
}

extension ValueError {
    /// The error for an argument that is none of a list of words, with the one that may have been meant.
    public init(notAllowed argument: RawArgument, allowed: [String]) {
        let list = allowed.joined(separator: ", ")
        let suggestion = Suggestion.sentence(for: argument.text, among: allowed)
        self.init("\(argument.quoted) is not one of \(list)\(suggestion)")
    }
}

/// An argument of the form `KEY=VALUE`.
public struct KeyedValue<Value: Sendable>: Sendable {
    /// What stands before the first `=`; never empty.
    public let key: String
    /// What stands after it.
    public let value: Value

    /// A key with its value.
    public init(key: String, value: Value) {
        self.key = key
        self.value = value
    }
}

extension KeyedValue: Equatable where Value: Equatable {}

extension ValueParser {
    /// `KEY=VALUE`, split at the first `=`.
    ///
    /// - Parameters:
    ///   - key: The word that stands for the key in help.
    ///   - value: How what follows the `=` is read; its placeholder stands for it in help.
    public static func keyed<Content>(
        _ key: String,
        _ value: ValueParser<Content>
    ) -> ValueParser where Value == KeyedValue<Content> {
        let form = "\(key)=\(value.placeholder)"
        return ValueParser(form, describe: { "\($0.key)=\(value.describe($0.value))" }) {
            (argument) throws(ValueError) in
            guard let split = argument.bytes.firstIndex(of: UInt8(ascii: "=")) else {
                throw ValueError("there is no '='; expected \(form)")
            }
            let name = try RawArgument(bytes: Array(argument.bytes[..<split])).requireText()
            // What follows the '=' may be a secret, so the message does not repeat it.
            guard !name.isEmpty else { throw ValueError("nothing stands before the '='; expected \(form)") }
            let content = RawArgument(bytes: Array(argument.bytes[(split + 1)...]))
            return KeyedValue(key: name, value: try value.convert(content))
        }
    }
}
