/// The command line of a program that has commands: `program [options] COMMAND [options] [operands]`.
///
/// Options and operands may stand in any order. The program's options are accepted before and after the command, the
/// command's after it. `--help`, `-h`, `--version` and the command `help` are always there.
public struct Parser: Sendable {
    /// What a command line asks for.
    public enum Outcome: Sendable {
        /// To run a command.
        case run(ParsedCommand)
        /// To print this help on standard output, and succeed.
        case help(String)
        /// To print this line on standard output, and succeed.
        case version(String)
        /// Nothing at all: to print this help on standard error, and fail with ``UsageError/exitStatus``.
        case nothing(help: String)
    }

    /// The name of the program, as messages and help show it.
    public let program: String
    /// What `--version` prints after the program's name.
    public let version: String
    /// What the program does, in one line.
    public let summary: String
    /// The commands, in the order in which help lists them.
    public let commands: [Command]
    /// The options that every command takes.
    public let globalOptions: [any OptionDeclaration]
    /// Command lines for the program's own help.
    public let examples: [Example]
    /// What the program's exit statuses mean.
    public let exitStatuses: [ExitStatus]

    /// Declares a command line.
    public init(
        program: String,
        version: String,
        summary: String,
        commands: [Command],
        globalOptions: [any OptionDeclaration] = [],
        examples: [Example] = [],
        exitStatuses: [ExitStatus] = []
    ) {
        self.program = program
        self.version = version
        self.summary = summary
        self.commands = commands
        self.globalOptions = globalOptions
        self.examples = examples
        self.exitStatuses = exitStatuses
    }

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - environment: Gives the value of an environment variable.
    ///   - width: The columns that help may take.
    /// - Throws: ``UsageError`` for the first fault that is found. A command line that asks for help gets it, whatever
    ///   else is wrong with it, as long as its command exists.
    public func parse(
        _ arguments: [RawArgument],
        environment: (String) -> RawArgument? = { _ in nil },
        width: Int = 80
    ) throws(UsageError) -> Outcome {
        if arguments.isEmpty { return .nothing(help: help(width: width)) }
        var scanner = ArgumentScanner(parser: self)
        do {
            try scanner.scan(arguments)
        } catch {
            guard scanner.mayShowHelp, asksForHelp(arguments) else { throw error }
            return .help(help(for: scanner.command, width: width))
        }
        if scanner.isGiven(Parser.helpFlag) { return .help(help(for: scanner.command, width: width)) }
        if scanner.isGiven(Parser.versionFlag) { return .version("\(program) \(version)") }
        guard let command = scanner.command else {
            throw UsageError(message: "there is no command", command: nil, program: program)
        }
        if command == Parser.helpCommand {
            return .help(help(for: try topic(scanner.operands), width: width))
        }
        return .run(try ValueReader(parser: self, command: command).read(scanner, environment: environment))
    }

    /// The command of this name, `help` included.
    func command(named name: String) -> Command? {
        commands.first { $0.name == name } ?? (name == Parser.helpCommand.name ? Parser.helpCommand : nil)
    }

    /// The error for a word that is no command.
    func unknownCommand(_ word: RawArgument) -> UsageError {
        let names = commands.map(\.name) + [Parser.helpCommand.name]
        let suggestion = Suggestion.sentence(for: word.text, among: names)
        return UsageError(message: "there is no command \(word.quoted)\(suggestion)", command: nil, program: program)
    }

    /// The command that `help` is asked about; `nil` for the program.
    private func topic(_ operands: [RawArgument]) throws(UsageError) -> Command? {
        guard let word = operands.first else { return nil }
        if operands.count > 1 {
            let message = "'help' takes one command; \(operands[1].quoted) is one too many"
            throw UsageError(message: message, command: nil, program: program)
        }
        guard let command = word.exactText.flatMap(command(named:)) else { throw unknownCommand(word) }
        return command
    }

    /// Whether `--help` or `-h` stands among the options. An option's value never looks so.
    private func asksForHelp(_ arguments: [RawArgument]) -> Bool {
        arguments.prefix { $0 != .terminator }.contains { $0 == "--help" || $0 == "-h" }
    }
}

extension Parser {
    static let helpFlag = Option(flag: "help", short: "h", help: "Show help and exit.")
    static let versionFlag = Option(flag: "version", help: "Show the version and exit.")
    static let helpCommand = Command(
        name: "help",
        summary: "Show help on the program or on a command.",
        operands: [Operand(optional: "COMMAND", .name, help: "The command to read about.")]
    )

    /// The program's options and those that are always there.
    var allGlobalOptions: [OptionSpecification] {
        globalOptions.map(\.specification) + [Parser.helpFlag.specification, Parser.versionFlag.specification]
    }

    /// All options that may stand after a command.
    func optionTable(for command: Command?) -> OptionTable {
        OptionTable((command?.options.map(\.specification) ?? []) + allGlobalOptions)
    }
}
