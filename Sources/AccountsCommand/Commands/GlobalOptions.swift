internal import ArgumentParsing

/// The options of every command.
enum GlobalOptions {
    static let database = Option(
        "database",
        ValueParser<String>.databasePath,
        default: "accounts.sqlite",
        environment: "ACCOUNTS_DATABASE",
        help: "The SQLite file that is the store."
    )
    static let json = Option(
        flag: "json",
        help: "Print one JSON document on standard output, and nothing else there."
    )
    static let quiet = Option(flag: "quiet", short: "q", help: "Print nothing on standard error but errors.")

    static let all: [any OptionDeclaration] = [database, json, quiet]
}

extension ValueParser where Value == String {
    /// A path for SQLite, which takes text only and has special meanings for some names.
    fileprivate static var databasePath: ValueParser {
        ValueParser("PATH") { (argument) throws(ValueError) in
            guard !argument.bytes.isEmpty else { throw ValueError("a path must not be empty") }
            guard !argument.isStandardStream else {
                throw ValueError("a database is a file; it cannot be a standard stream")
            }
            let path = try argument.requireText()
            return path.hasPrefix(":") ? "./" + path : path
        }
    }
}

/// Options that several commands have.
enum SharedOptions {
    static let reveal = Option(flag: "reveal", help: "Show tokens and other secrets whole.")
}

extension AccountsTool {
    /// The commands, in the order in which help lists them.
    static let commands: [any ToolCommand.Type] = [
        ImportCommand.self, ExportCommand.self, InspectCommand.self, ListCommand.self, ShowCommand.self,
        AddCommand.self, RemoveCommand.self, MigrateCommand.self, CheckCommand.self, BackupCommand.self,
    ]

    /// The command line.
    static let parser = Parser(
        program: programName,
        version: version,
        summary: "Keeps OAuth accounts in a SQLite file, and brings them there from the account.data files of old iOS "
            + "apps, and back.",
        commands: commands.map { $0.declaration },
        globalOptions: GlobalOptions.all,
        examples: [
            Example("accounts import Legacy", "Bring all archives of the folder Legacy into accounts.sqlite."),
            Example("accounts list", "See what is there."),
            Example("accounts export --uid 1404376560 --output account.data", "Get one of them back as an archive."),
        ],
        exitStatuses: [
            ExitStatus(0, "all was done"),
            ExitStatus(1, "it failed; a line on standard error says why"),
            ExitStatus(2, "partly done: some inputs were refused, the rest was done"),
            ExitStatus(130, "interrupted with Ctrl-C; what was done before stays"),
            ExitStatus(64, "the command line is wrong"),
        ]
    )
}
