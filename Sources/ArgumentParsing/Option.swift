/// An option, and the key under which a command reads its value: `parsed[database]`.
///
/// `Value` is what the command reads: `Bool` for a flag, `T?` for an option that may be absent, `T` for one that has a
/// default or is required, `[T]` for one that may be given more than once.
public struct Option<Value: Sendable>: OptionDeclaration {
    /// The option without its type, as the parser uses it.
    public let specification: OptionSpecification
    /// What the option reads as when it is not given; `nil` if it has to be given.
    let absent: Value?
}

/// An option of any value type, for lists of them.
public protocol OptionDeclaration: Sendable {
    /// The option without its type.
    var specification: OptionSpecification { get }
}

/// What the parser and help know of an option, whatever its type.
public struct OptionSpecification: Sendable {
    /// How many values an option takes, and how often it may be given.
    enum Arity: Sendable, Equatable {
        /// No value. Giving it again changes nothing.
        case flag
        /// One value, once.
        case single
        /// One value each time.
        case repeating
        /// One or more values each time, up to the next option; each may hold several, split at the separator.
        case list(separator: Character?)
    }

    /// The long name, without dashes.
    public let name: String
    /// The one-letter name, without a dash.
    public let short: Character?
    /// What the option does, in a sentence.
    public let help: String
    let arity: Arity
    var placeholder: String?
    var allowedValues: [String] = []
    var isRequired = false
    var defaultText: String?
    var environment: String?
    /// Gives the value for all arguments that were collected, in order.
    let convert: @Sendable ([RawArgument]) throws(ValueError) -> any Sendable
}

extension Option where Value == Bool {
    /// A flag, which reads as `true` when it is given.
    public init(flag name: String, short: Character? = nil, help: String) {
        specification = OptionSpecification(name: name, short: short, help: help, arity: .flag) {
            (_) throws(ValueError) in true
        }
        absent = false
    }
}

extension Option {
    /// An option that may be given once, and reads as `nil` otherwise.
    ///
    /// - Parameters:
    ///   - name: The long name, without dashes.
    ///   - short: The one-letter name, if there is one.
    ///   - parser: How the value is read.
    ///   - environment: An environment variable that stands in for the option; empty counts as unset.
    ///   - defaultText: What help says of the default.
    ///   - help: What the option does, in a sentence.
    public init<T>(
        _ name: String,
        short: Character? = nil,
        _ parser: ValueParser<T>,
        environment: String? = nil,
        defaultText: String? = nil,
        help: String
    ) where Value == T? {
        var specification = Self.single(name, short, parser, help) { .some($0) }
        specification.environment = environment
        specification.defaultText = defaultText
        self.specification = specification
        absent = .some(nil)
    }

    /// An option that may be given once, and reads as a default otherwise.
    ///
    /// - Parameters:
    ///   - name: The long name, without dashes.
    ///   - short: The one-letter name, if there is one.
    ///   - parser: How the value is read.
    ///   - value: What the option reads as when it is not given.
    ///   - environment: An environment variable that stands in for the option; empty counts as unset.
    ///   - help: What the option does, in a sentence.
    public init(
        _ name: String,
        short: Character? = nil,
        _ parser: ValueParser<Value>,
        default value: Value,
        environment: String? = nil,
        help: String
    ) {
        var specification = Self.single(name, short, parser, help) { $0 }
        specification.environment = environment
        specification.defaultText = parser.describe(value)
        self.specification = specification
        absent = value
    }

    /// An option that has to be given, once.
    public init(required name: String, short: Character? = nil, _ parser: ValueParser<Value>, help: String) {
        var specification = Self.single(name, short, parser, help) { $0 }
        specification.isRequired = true
        self.specification = specification
        absent = nil
    }

    /// An option that may be given any number of times, with one value each time.
    public init<T>(
        repeating name: String,
        short: Character? = nil,
        _ parser: ValueParser<T>,
        help: String
    ) where Value == [T] {
        specification = Self.many(name, short, parser, .repeating, help)
        absent = []
    }

    /// An option that takes one or more values up to the next option, any number of times: `--uid 1 2`,
    /// `--uid 1 --uid 2`, and, with a separator, `--uid 1,2`.
    ///
    /// After `--uid=1` no further value is taken. `--` ends the values.
    public init<T>(
        list name: String,
        short: Character? = nil,
        _ parser: ValueParser<T>,
        separator: Character? = ",",
        help: String
    ) where Value == [T] {
        specification = Self.many(name, short, parser, .list(separator: separator), help)
        absent = []
    }

    private static func single<T>(
        _ name: String,
        _ short: Character?,
        _ parser: ValueParser<T>,
        _ help: String,
        wrap: @escaping @Sendable (T) -> Value
    ) -> OptionSpecification {
        var specification = OptionSpecification(name: name, short: short, help: help, arity: .single) {
            (arguments) throws(ValueError) in
            guard let argument = arguments.last else { throw ValueError("a value is missing") }
            return wrap(try parser.convert(argument))
        }
        specification.placeholder = parser.placeholder
        specification.allowedValues = parser.allowedValues
        return specification
    }

    private static func many<T>(
        _ name: String,
        _ short: Character?,
        _ parser: ValueParser<T>,
        _ arity: OptionSpecification.Arity,
        _ help: String
    ) -> OptionSpecification where Value == [T] {
        var specification = OptionSpecification(name: name, short: short, help: help, arity: arity) {
            (arguments) throws(ValueError) in
            var values: [T] = []
            for argument in arguments {
                for element in argument.split(by: arity.separator) {
                    values.append(try parser.convert(element))
                }
            }
            return values
        }
        specification.placeholder = parser.placeholder
        specification.allowedValues = parser.allowedValues
        return specification
    }
}

extension OptionSpecification.Arity {
    var separator: Character? {
        if case .list(let separator) = self { separator } else { nil }
    }
}

extension OptionSpecification {
    /// `--name`.
    var long: String { "--" + name }

    /// `--name PATH`, as a usage line shows it.
    var invocation: String {
        guard let placeholder else { return long }
        let isList = if case .list = arity { true } else { false }
        return "\(long) \(placeholder)\(isList ? "..." : "")"
    }
}

extension RawArgument {
    /// The parts between separators; the whole where there is no separator.
    func split(by separator: Character?) -> [RawArgument] {
        guard let byte = separator?.asciiValue else { return [self] }
        return bytes.split(separator: byte, omittingEmptySubsequences: false).map { RawArgument(bytes: Array($0)) }
    }
}
