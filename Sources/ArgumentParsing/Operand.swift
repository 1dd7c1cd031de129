/// An operand, and the key under which a command reads its value: `parsed[file]`.
///
/// `Value` is what the command reads: `T` for one that has to be there, `T?` for one that need not, `[T]` for several.
public struct Operand<Value: Sendable>: OperandDeclaration {
    /// The operand without its type, as the parser uses it.
    public let specification: OperandSpecification
    let absent: Value?
}

/// An operand of any value type, for lists of them.
public protocol OperandDeclaration: Sendable {
    /// The operand without its type.
    var specification: OperandSpecification { get }
}

/// What the parser and help know of an operand, whatever its type.
public struct OperandSpecification: Sendable {
    /// The word that stands for it in help, in capitals: `PATH`.
    public let name: String
    /// What it is, in a sentence.
    public let help: String
    let minimum: Int
    /// The most that are taken; `nil` for any number.
    let maximum: Int?
    var allowedValues: [String] = []
    let convert: @Sendable ([RawArgument]) throws(ValueError) -> any Sendable

    /// `PATH`, `[FILE]`, `PATH...` or `[PATH...]`, as a usage line shows it.
    var form: String {
        let name = maximum == 1 ? name : name + "..."
        return minimum == 0 ? "[\(name)]" : name
    }
}

extension Operand {
    /// An operand that has to be there.
    public init(_ name: String, _ parser: ValueParser<Value>, help: String) {
        var specification = OperandSpecification(name: name, help: help, minimum: 1, maximum: 1) {
            (arguments) throws(ValueError) in
            guard let argument = arguments.first else { throw ValueError("a value is missing") }
            return try parser.convert(argument)
        }
        specification.allowedValues = parser.allowedValues
        self.specification = specification
        absent = nil
    }

    /// An operand that need not be there, and reads as `nil` then.
    public init<T>(optional name: String, _ parser: ValueParser<T>, help: String) where Value == T? {
        var specification = OperandSpecification(name: name, help: help, minimum: 0, maximum: 1) {
            (arguments) throws(ValueError) -> any Sendable in
            guard let argument = arguments.first else { return T?.none }
            return T?.some(try parser.convert(argument))
        }
        specification.allowedValues = parser.allowedValues
        self.specification = specification
        absent = .some(nil)
    }

    /// Several operands of one kind.
    ///
    /// - Parameters:
    ///   - name: The word that stands for each in help.
    ///   - parser: How each is read.
    ///   - minimum: How many there have to be.
    ///   - maximum: How many there may be; `nil` for any number.
    ///   - help: What they are, in a sentence.
    public init<T>(
        repeating name: String,
        _ parser: ValueParser<T>,
        minimum: Int = 1,
        maximum: Int? = nil,
        help: String
    ) where Value == [T] {
        var specification = OperandSpecification(name: name, help: help, minimum: minimum, maximum: maximum) {
            (arguments) throws(ValueError) in
            var values: [T] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments {
                values.append(try parser.convert(argument))
            }
            return values
        }
        specification.allowedValues = parser.allowedValues
        self.specification = specification
        absent = []
    }
}
