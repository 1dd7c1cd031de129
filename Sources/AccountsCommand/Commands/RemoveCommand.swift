internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding

/// `accounts remove UID`: takes an account out of the store.
enum RemoveCommand: ToolCommand {
    private static let uid = Operand("UID", ValueParser<Int64>.integer(), help: "The id of the account's user.")

    static let declaration = Command(
        name: "remove",
        summary: "Remove an account from the store.",
        discussion: """
            The account goes for good. The file that it was imported from stays as it is, and is not imported again \
            unless it changes or 'import --again' reads it.
            """,
        operands: [uid],
        examples: [Example("accounts remove 1404376560", "Forget this account.")]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let uid = parsed[uid]
        let database = parsed[GlobalOptions.database]
        let wasThere = try await StoreAccess.with(parsed, for: .changing) { try await $0.remove(uid: uid) }
        guard wasThere else { throw CommandFailure.noAccount(uid, in: database) }
        try context.printJSON([("uid", .integer(uid)), ("removed", .bool(true))])
        context.note("removed the account with the uid \(uid) from \(DisplayText.line(database))")
        return .done
    }
}
