internal import AccountStorage
internal import ArgumentParsing
internal import FoundationEssentials
internal import KeyValueCoding
internal import Synchronization

/// `accounts list`: the accounts in the store.
enum ListCommand: ToolCommand {
    private static let expiringBefore = Option(
        "expiring-before",
        ValueParser<Date>.time,
        help: "Only accounts whose token ends before this time; those whose end is not known are left out."
    )
    private static let limit = Option(
        "limit",
        ValueParser<Int>.integer(in: 0...Int.max),
        help: "At most so many accounts."
    )

    static let declaration = Command(
        name: "list",
        summary: "List the accounts in the store.",
        discussion: """
            The accounts come in the order of their uids. With --json they are an array of objects with the keys uid, \
            access_token, expires_in, remind_in, obtained_at, expires_at and extras; it is written as it is read, so \
            that a store of any size can be listed.

            Of tokens, and of texts in extras under keys that look like tokens or passwords, only the beginning is \
            shown, unless --reveal is given.
            """,
        options: [expiringBefore, limit, SharedOptions.reveal],
        examples: [
            Example("accounts list", "A table of all accounts."),
            Example("accounts list --expiring-before 2030-01-01", "Those whose token ends before 2030."),
            Example("accounts list --json --reveal", "All of each account, for a script."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let query = AccountQuery(expiringBefore: parsed[expiringBefore], limit: parsed[limit])
        let format = AccountFormat(reveals: parsed[SharedOptions.reveal])
        return try await StoreAccess.with(parsed, for: .reading) { store in
            let badRows = Atomic(0)
            let accounts = store.accounts(
                query,
                onBadRow: .skip { row in
                    badRows.add(1, ordering: .relaxed)
                    context.report("badRow: " + DisplayText.line(row.message))
                }
            )
            let count = try await write(accounts, format, context)
            let bad = badRows.load(ordering: .relaxed)
            context.note(summary(count, bad: bad, query: query, database: parsed[GlobalOptions.database]))
            if bad == 0 { return .done }
            return count == 0 ? .failed : .partlyDone
        }
    }

    /// Writes the accounts, and says how many there were.
    private static func write(
        _ accounts: AccountSequence,
        _ format: AccountFormat,
        _ context: Context
    ) async throws -> Int {
        try await context.isJSON
            ? writeJSON(accounts, format, context) : writeTable(accounts, format, context)
    }

    private static func writeJSON(
        _ accounts: AccountSequence,
        _ format: AccountFormat,
        _ context: Context
    ) async throws -> Int {
        var writer = OutputWriter(context.output)
        try writer.write("[")
        var count = 0
        var failure: (any Error)?
        var iterator = accounts.makeAsyncIterator()
        while true {
            do {
                guard let account = try await iterator.next() else { break }
                try writer.write(count == 0 ? "\n" : ",\n")
                count += 1
                try writer.append { format.appendJSON(account, to: &$0) }
            } catch let error as OutputError {
                throw error
            } catch {
                // What was written before stays a document that can be read.
                failure = error
                break
            }
        }
        try writer.write(count == 0 ? "]\n" : "\n]\n")
        try writer.flush()
        if let failure { throw failure }
        return count
    }

    private static func writeTable(
        _ accounts: AccountSequence,
        _ format: AccountFormat,
        _ context: Context
    ) async throws -> Int {
        var writer = OutputWriter(context.output)
        var table = TextTable([
            ("UID", .right), ("TOKEN", .left), ("EXPIRES IN", .right), ("OBTAINED AT", .left), ("EXPIRES AT", .left),
            ("EXTRAS", .left),
        ])
        var count = 0
        for try await account in accounts {
            count += 1
            for line in table.add(row(account, format)) { try writer.line(line) }
        }
        if count > 0 {
            for line in table.takeLines() { try writer.line(line) }
        }
        try writer.flush()
        return count
    }

    private static func row(_ account: Account, _ format: AccountFormat) -> [String] {
        let keys = account.extras.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return [
            String(account.uid), format.tokenText(of: account), String(account.expiresIn),
            account.obtainedAtUnix.map(Timestamp.format(unixSeconds:)) ?? "-",
            account.expiresAtUnix.map(Timestamp.format(unixSeconds:)) ?? "-",
            keys.map { Redaction.name($0) }.joined(separator: ", "),
        ]
    }

    private static func summary(_ count: Int, bad: Int, query: AccountQuery, database: String) -> String {
        let name = DisplayText.line(database)
        if bad > 0 {
            return "\(Plural.accounts(count)) in \(name), and \(Plural.of(bad, "row")) that cannot be read; "
                + "saving the account again or removing it mends a row"
        }
        guard count == 0 else { return "\(Plural.accounts(count)) in \(name)" }
        if query.limit == 0 || query.expiringBefore != nil { return "no account in \(name) meets the conditions" }
        return "there are no accounts in \(name) yet; 'accounts import' or 'accounts add' brings some in"
    }
}

extension ValueParser where Value == Date {
    /// A day or a time of ISO 8601.
    static var time: ValueParser {
        ValueParser("ISO8601", expected: "a day or a time such as 2030-01-01 or 2030-01-01T08:00:00+08:00") {
            Timestamp.parse($0)
        }
    }
}

/// Numbers with their words.
enum Plural {
    /// `1 account`, `2 accounts`.
    static func accounts(_ count: Int) -> String { of(count, "account") }

    /// A number with a word that takes an `s`.
    static func of(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word)" : "\(count) \(word)s"
    }

    /// A number with its thousands apart: `1,234,567`.
    static func grouped(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var result = count < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
