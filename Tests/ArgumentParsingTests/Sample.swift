import ArgumentParsing

/// A program with every kind of option and operand that the parser knows.
enum Sample {
    enum Rule: String, CaseIterable, Sendable {
        case newest, replace, keep, fail
    }

    static let database = Option(
        "database",
        .path,
        default: "accounts.sqlite",
        environment: "ACCOUNTS_DATABASE",
        help: "The store."
    )
    static let json = Option(flag: "json", help: "Print JSON.")
    static let quiet = Option(flag: "quiet", short: "q", help: "Say less.")
    static let verbose = Option(flag: "verbose", short: "v", help: "Say more.")

    static let classes = Option(repeating: "class", .name, help: "Accept a class.")
    static let missing = Option(repeating: "missing", .keyed("KEY", .text), help: "A value for a key that is missing.")
    static let conflict = Option("on-conflict", .choice("RULE"), default: Rule.newest, help: "Which account is kept.")
    static let jobs = Option("jobs", short: "j", .integer(in: 1...256), help: "Threads.")
    static let dryRun = Option(flag: "dry-run", help: "Write nothing.")
    static let paths = Operand(repeating: "PATH", .path, help: "Archives and folders.")

    static let all = Option(flag: "all", help: "Every account.")
    static let uids = Option(list: "uid", .integer(in: Int64.min...Int64.max).named("N"), help: "These accounts.")
    static let output = Option(required: "output", short: "o", .path, help: "Where to.")

    static let uid = Operand("UID", ValueParser<Int64>.integer(), help: "An account.")
    static let file = Operand(optional: "FILE", .path, help: "A file.")

    static let importCommand = Command(
        name: "import",
        summary: "Archives into the store.",
        discussion: "Folders are walked.\n\n  verbatim   line\n\nA last paragraph.",
        options: [classes, missing, conflict, jobs, dryRun],
        operands: [paths],
        examples: [Example("accounts import old", "Everything in the folder old.")]
    )
    static let exportCommand = Command(
        name: "export",
        summary: "Accounts out of the store.",
        options: [all, uids, output],
        groups: [OptionGroup(.exactlyOne, all, uids)]
    )
    static let show = Command(name: "show", summary: "Show an account.", operands: [uid])
    static let list = Command(name: "list", summary: "List accounts.")
    static let add = Command(name: "add", summary: "Add an account.", operands: [file])

    static let parser = Parser(
        program: "accounts",
        version: "1.2.3",
        summary: "Keeps accounts.",
        commands: [importCommand, exportCommand, show, list, add],
        globalOptions: [database, json, quiet, verbose],
        exitStatuses: [ExitStatus(0, "all done"), ExitStatus(64, "wrong usage")]
    )
}

/// A command line as it is written in a shell, without quoting.
func words(_ line: String) -> [RawArgument] {
    line.split(separator: " ").map { RawArgument(String($0)) }
}

/// What `line` asks to run.
func run(_ line: String, environment: [String: RawArgument] = [:]) throws -> ParsedCommand {
    try run(words(line), environment: environment)
}

/// What the arguments ask to run.
func run(_ arguments: [RawArgument], environment: [String: RawArgument] = [:]) throws -> ParsedCommand {
    let outcome = try Sample.parser.parse(arguments, environment: { environment[$0] })
    guard case .run(let parsed) = outcome else { throw Unexpected(outcome: "\(outcome)") }
    return parsed
}

/// The fault of a command line, or `nil` if it has none.
func fault(_ line: String) -> UsageError? {
    fault(words(line))
}

/// The fault of the arguments, or `nil` if they have none.
func fault(_ arguments: [RawArgument], environment: [String: RawArgument] = [:]) -> UsageError? {
    do {
        _ = try Sample.parser.parse(arguments, environment: { environment[$0] })
        return nil
    } catch {
        return error
    }
}

/// The help that a command line asks for.
func help(_ line: String, width: Int = 80) throws -> String {
    let outcome = try Sample.parser.parse(words(line), width: width)
    guard case .help(let text) = outcome else { throw Unexpected(outcome: "\(outcome)") }
    return text
}

struct Unexpected: Error {
    var outcome: String
}
