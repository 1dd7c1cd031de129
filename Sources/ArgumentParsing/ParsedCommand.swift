/// A command with the values of its options and operands, each read by the declaration that it has.
public struct ParsedCommand: Sendable {
    /// The command that was given.
    public let command: Command
    let program: String
    /// The names of all options that the command and the program declare.
    let declared: Set<String>
    let given: Set<String>
    let options: [String: any Sendable]
    let operands: [String: any Sendable]

    /// The value of an option.
    ///
    /// The option has to be one of the command's or the program's. An undeclared one is a mistake in the program: it
    /// stops a debug build, and reads as absent in a release build.
    public subscript<Value>(option: Option<Value>) -> Value {
        let name = option.specification.name
        if let stored = options[name], let value = stored as? Value { return value }
        assert(declared.contains(name) && options[name] == nil, "--\(name) is not declared so by '\(command.name)'")
        guard let absent = option.absent else {
            preconditionFailure("'\(command.name)' reads --\(name), which it does not declare as required")
        }
        return absent
    }

    /// The value of an operand, which has to be one of the command's.
    public subscript<Value>(operand: Operand<Value>) -> Value {
        let name = operand.specification.name
        if let stored = operands[name], let value = stored as? Value { return value }
        assertionFailure("\(name) is not declared so by '\(command.name)'")
        guard let absent = operand.absent else {
            preconditionFailure("'\(command.name)' reads \(name), which it does not declare as required")
        }
        return absent
    }

    /// Whether an option was given on the command line, rather than left to its default or the environment.
    public func isGiven(_ option: some OptionDeclaration) -> Bool {
        given.contains(option.specification.name)
    }

    /// A usage error about this command, for rules that only its code can check.
    public func usageError(_ message: String) -> UsageError {
        UsageError(message: message, command: command.name, program: program)
    }
}
