public import ArgumentParsing

/// The program `accounts`: what its command line means, and what it does.
public enum AccountsTool {
    /// The name of the program.
    static let programName = "accounts"
    /// The version that `--version` prints.
    static let version = "1.0.0"

    /// What the exit status of a command says.
    enum Status: Int32 {
        /// All was done.
        case done = 0
        /// Nothing was done, or what was asked about is not so.
        case failed = 1
        /// Some inputs were refused, the rest was done.
        case partlyDone = 2
    }

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name.
    ///   - environment: gives the value of an environment variable.
    ///   - standardInput: what a command reads that is given no file.
    ///   - standardOutput: where results go.
    ///   - standardError: where messages, progress and errors go.
    ///   - helpWidth: the columns that help may take.
    ///   - interrupts: cancels the task that this runs in; nil to leave the process's signals alone.
    /// - Returns: the exit status.
    public static func run(
        arguments: [RawArgument],
        environment: @escaping @Sendable (String) -> RawArgument? = { _ in nil },
        standardInput: any ByteSource,
        standardOutput: any ByteSink,
        standardError: any ByteSink,
        helpWidth: Int = 80,
        interrupts: Interrupts? = nil
    ) async -> Int32 {
        var context = Context(
            input: standardInput,
            output: standardOutput,
            error: standardError,
            environment: environment,
            interrupts: interrupts
        )
        do {
            switch try parser.parse(arguments, environment: environment, width: helpWidth) {
            case .run(let parsed):
                context.isJSON = parsed[GlobalOptions.json]
                context.isQuiet = parsed[GlobalOptions.quiet]
                return try await run(parsed, in: context).rawValue
            case .help(let text):
                try standardOutput.write(Array(text.utf8))
            case .version(let line):
                try standardOutput.write(Array((line + "\n").utf8))
            case .nothing(let help):
                try standardError.write(Array(help.utf8))
                return UsageError.exitStatus
            }
            return Status.done.rawValue
        } catch {
            return report(error, in: context)
        }
    }

    private static func run(_ parsed: ParsedCommand, in context: Context) async throws -> Status {
        guard let command = commands.first(where: { $0.declaration == parsed.command }) else {
            throw CommandFailure("the command '\(parsed.command.name)' is not known")
        }
        return try await command.run(parsed, in: context)
    }

    /// Tells of an error that has ended a command.
    private static func report(_ error: any Error, in context: Context) -> Int32 {
        switch error {
        case let error as UsageError:
            try? context.error.write(Array((error.description + "\n").utf8))
            return UsageError.exitStatus
        case is CancellationError where context.interrupts?.signal != nil:
            // As a shell has it for a process that a signal ends.
            return 128 + (context.interrupts?.signal ?? 0)
        case let error as OutputError:
            if !error.isClosedPipe { context.report("cannot write to standard output: \(error.reason)") }
        default:
            context.report(FailureText(error).line)
        }
        return Status.failed.rawValue
    }
}

/// A command of the program.
protocol ToolCommand: SendableMetatype {
    /// What the command takes, and its help.
    static var declaration: Command { get }

    /// Runs the command.
    ///
    /// - Throws: what has ended it; nothing of it has been told then.
    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status
}
