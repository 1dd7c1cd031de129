/// A command line that does not say what to do: what was wrong, and what was expected.
public struct UsageError: Error, Sendable, Equatable {
    /// The exit status for wrong usage, `EX_USAGE` of `sysexits.h`.
    public static let exitStatus: Int32 = 64

    /// One line: what was wrong, what was expected, and what may have been meant.
    public let message: String
    /// The name of the command that the arguments belong to; `nil` if there was none.
    public let command: String?
    /// The name of the program.
    public let program: String

    /// Makes an error. Command code uses ``ParsedCommand/usageError(_:)`` instead, which knows the names.
    public init(message: String, command: String?, program: String) {
        self.message = message
        self.command = command
        self.program = program
    }

    /// Where to read on, as a sentence: `See 'accounts help import'.`
    public var hint: String {
        "See '\(program) help\(command.map { " " + $0 } ?? "")'."
    }
}

extension UsageError: CustomStringConvertible {
    /// What to print on standard error: the message after the program's name, and the hint on a line of its own.
    public var description: String {
        "\(program): \(message)\n\(hint)"
    }
}
