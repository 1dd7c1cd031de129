internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding

/// The options of `import` and `add` that say how keys become properties.
struct MappingChoices {
    let key: Option<[KeyedValue<String>]>
    let missing: Option<[KeyedValue<Value>]>
    let unknown: Option<UnknownKeyPolicy>

    /// Makes the options.
    ///
    /// - Parameters:
    ///   - source: what the keys are in: `archive`, `reply`.
    ///   - properties: what `--key` can read a key as.
    init(source: String, properties: [String]) {
        key = Option(
            repeating: "key",
            ValueParser<KeyedValue<String>>.renaming(to: properties),
            help: "Read what the \(source) has under one key as the property of another name, one of "
                + properties.joined(separator: ", ") + "."
        )
        missing = Option(
            repeating: "missing",
            ValueParser<KeyedValue<Value>>.standIn,
            help:
                "The value of a key that the \(source) does not have; KEY is one of access_token, expires_in, remind_in."
        )
        unknown = Option(
            "unknown",
            ValueParser<UnknownKeyPolicy>.choice("POLICY"),
            default: .keep,
            help: "What becomes of keys that an account does not have: kept as extras, dropped, or a reason to refuse."
        )
    }

    var all: [any OptionDeclaration] { [key, missing, unknown] }

    /// What the options say together.
    ///
    /// - Throws: `UsageError` if two of them contradict each other.
    func mapping(_ parsed: ParsedCommand) throws(UsageError) -> MappingOptions {
        var options = MappingOptions(unknownKeys: parsed[unknown])
        for pair in parsed[key] {
            if let other = options.aliases.updateValue(pair.value, forKey: pair.key), other != pair.value {
                throw parsed.usageError(
                    "option '--key' reads '\(Redaction.name(pair.key))' as both \(other) and \(pair.value)"
                )
            }
        }
        for pair in parsed[missing] {
            if let other = options.defaults.updateValue(pair.value, forKey: pair.key), other != pair.value {
                throw parsed.usageError("option '--missing' gives two values for \(pair.key)")
            }
        }
        return options
    }
}

extension ValueParser where Value == KeyedValue<String> {
    /// `ARCHIVED=PROPERTY`. The last `=` is the one, since no property has one in its name.
    fileprivate static func renaming(to properties: [String]) -> ValueParser {
        ValueParser("ARCHIVED=PROPERTY", describe: { "\($0.key)=\($0.value)" }) {
            (argument) throws(ValueError) -> KeyedValue<String> in
            guard let split = argument.bytes.lastIndex(of: UInt8(ascii: "=")) else {
                throw ValueError("there is no '='; expected ARCHIVED=PROPERTY")
            }
            let key = try RawArgument(bytes: Array(argument.bytes[..<split])).requireText()
            guard !key.isEmpty else {
                throw ValueError("nothing stands before the '='; expected ARCHIVED=PROPERTY")
            }
            let name = RawArgument(bytes: Array(argument.bytes[(split + 1)...]))
            guard let property = name.exactText, properties.contains(property) else {
                throw ValueError(notAllowed: name, allowed: properties)
            }
            return KeyedValue(key: key, value: property)
        }
    }
}

extension ValueParser where Value == KeyedValue<KeyValueCoding.Value> {
    /// `KEY=VALUE`, the value being of the property's type.
    fileprivate static var standIn: ValueParser {
        ValueParser("KEY=VALUE", describe: { $0.key }) {
            (argument) throws(ValueError) -> KeyedValue<KeyValueCoding.Value> in
            guard let split = argument.bytes.firstIndex(of: UInt8(ascii: "=")) else {
                throw ValueError("there is no '='; expected KEY=VALUE")
            }
            let key = RawArgument(bytes: Array(argument.bytes[..<split]))
            let content = try RawArgument(bytes: Array(argument.bytes[(split + 1)...])).requireText()
            return KeyedValue(key: key.text, value: try value(content, for: key))
        }
    }

    private static func value(_ content: String, for key: RawArgument) throws(ValueError) -> KeyValueCoding.Value {
        switch key.exactText {
        case "access_token":
            return .text(content)
        case "expires_in", "remind_in":
            guard let number = try? Coercion.integer(from: .text(content), as: Int64.self, policy: .strict) else {
                throw ValueError("the value of \(key.text) is not a whole number of 64 bits")
            }
            return .integer(number)
        case "uid":
            throw ValueError("there is no stand-in for uid: accounts of different users would become one")
        default:
            throw ValueError(notAllowed: key, allowed: ["access_token", "expires_in", "remind_in"])
        }
    }
}
