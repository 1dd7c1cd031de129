internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding

/// `accounts backup FILE`: a copy of the store.
enum BackupCommand: ToolCommand {
    private static let file = Operand("FILE", ValueParser<String>.name, help: "The file that the copy is written to.")

    static let declaration = Command(
        name: "backup",
        summary: "Write a consistent copy of the store while it is in use.",
        discussion: """
            The copy is the store as it is at one moment. It is examined before it takes its place, so that the file \
            is there as a whole or not at all; a database that is there already is replaced, and any other file refused.

            The copy holds tokens. It can be read by its owner alone.
            """,
        operands: [file],
        examples: [Example("accounts backup /backup/accounts-monday.sqlite", "A copy under this name.")]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let target = parsed[file]
        let source = parsed[GlobalOptions.database]
        guard target != "-" else { throw parsed.usageError("a database cannot be written to a standard stream") }
        try await StoreAccess.with(parsed, for: .reading) { try await $0.backup(to: target) }
        try context.printJSON([("database", .text(source)), ("backup", .text(target))])
        context.note("\(DisplayText.line(target)) is a copy of \(DisplayText.line(source))")
        return .done
    }
}
