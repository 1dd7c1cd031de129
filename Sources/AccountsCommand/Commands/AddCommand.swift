internal import AccountStorage
internal import ArgumentParsing
internal import FoundationEssentials
internal import KeyValueCoding

/// `accounts add [FILE]`: the API's reply into the store.
enum AddCommand: ToolCommand {
    private static let file = Operand(
        optional: "FILE",
        .path,
        help: "The reply; '-', or nothing, is standard input."
    )
    private static let mapping = MappingChoices(
        source: "reply",
        properties: ["access_token", "expires_in", "remind_in", "uid"]
    )
    private static let conflict = Option(
        "on-conflict",
        .choice("RULE"),
        default: ConflictRule.replace,
        help: "What happens where an account of the same uid is there already: the one with the later obtained_at "
            + "stays, the added one replaces the other, the other is kept, or it fails."
    )
    private static let obtainedAt = Option(
        "obtained-at",
        ValueParser<IssueTime>.issueTime,
        defaultText: "mtime for a file, else now",
        help: "When the token was issued: now, when the file was changed last (mtime), unknown (none), or a time of "
            + "ISO 8601."
    )

    static let declaration = Command(
        name: "add",
        summary: "Add an account from the API's reply.",
        discussion: """
            The reply is a JSON object such as

              {"access_token":"2.00…","remind_in":"157679999","expires_in":157679999,"uid":"1404376560"}

            Text of digits becomes a number, as it did in the app, and digits stay exact. Keys that an account does \
            not have are kept as extras. remind_in may be missing, since the API is dropping it. Extras of an account \
            that is there already stay, unless the reply has others under their keys.

            An array of such objects is accepted, too: all of them are added or, if one is wrong, none.
            """,
        options: mapping.all + [conflict, obtainedAt],
        operands: [file],
        examples: [
            Example("accounts add reply.json", "A reply that was saved as a file."),
            Example(
                "curl -s \"$TOKEN_URL\" | accounts add",
                "A reply right from the API, with the time of issue being now."
            ),
            Example("accounts add reply.json --key user_id=uid", "A reply whose uid has another name."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let argument = parsed[file].flatMap { $0.isStandardStream ? nil : $0 }
        let path = argument.map { FilePath(bytes: $0.bytes) } ?? FilePath("standard input")
        let options = try mapping.mapping(parsed)
        let time = parsed[obtainedAt]
        if argument == nil, time == .modification {
            throw parsed.usageError("option '--obtained-at': standard input has no time of last change")
        }
        let accounts: [Account]
        do {
            let input = try read(argument.map { FilePath(bytes: $0.bytes) }, context)
            accounts = try self.accounts(in: input, options: options, obtainedAt: time ?? .standard(for: input))
        } catch {
            throw CommandFailure(FailureText(error).line(about: path))
        }
        let counts = try await StoreAccess.with(parsed, for: .adding) { store in
            try await store.save(try await keepingExtras(of: accounts, in: store), onConflict: parsed[conflict])
        }
        try context.printJSON(json(accounts, counts))
        if accounts.count <= 20 {
            for account in accounts { context.note(line(about: account)) }
        }
        context.note(summary(counts, database: parsed[GlobalOptions.database]))
        return .done
    }

    private static func read(_ path: FilePath?, _ context: Context) throws(InputError) -> InputFile {
        let limit = JSONLimits().bytes
        if let path { return try InputFile.read(path, limit: limit) }
        if context.input.isTerminal {
            context.note("reading the reply from the terminal; Control-D ends it")
        }
        return InputFile(bytes: try context.input.readAll(limit: limit))
    }

    private static func accounts(
        in input: InputFile,
        options: MappingOptions,
        obtainedAt: IssueTime
    ) throws -> [Account] {
        if input.bytes.starts(with: "bplist".utf8) || input.bytes.starts(with: "<".utf8) {
            throw CommandFailure("this is not JSON; 'accounts import' brings archives in")
        }
        let value = try Value(json: input.bytes, dialect: .plain)
        let time = obtainedAt.date(for: input)
        switch value {
        case .dictionary(let dictionary):
            return [try account(dictionary, options, time)]
        case .array(let elements):
            guard !elements.isEmpty else { throw CommandFailure("the array is empty, so there is no account in it") }
            return try elements.enumerated().map { index, element in
                guard case .dictionary(let dictionary) = element else {
                    throw CommandFailure(
                        "[\(index)] is \(element.kind); expected an object with the keys of an account"
                    )
                }
                do {
                    return try account(dictionary, options, time)
                } catch var error as MappingError {
                    error.key = "[\(index)].\(error.key)"
                    throw error
                }
            }
        default:
            throw CommandFailure(
                "the reply is \(value.kind); expected an object with the keys of an account, or an array of such objects"
            )
        }
    }

    private static func account(
        _ dictionary: [String: Value],
        _ options: MappingOptions,
        _ time: Date?
    ) throws(MappingError) -> Account {
        var account = try Account(dictionary: dictionary, options: options)
        account.obtainedAt = account.obtainedAt ?? time
        return account
    }

    /// Accounts with the extras that the store has for them and the reply does not: a new token takes nothing else away.
    private static func keepingExtras(of accounts: [Account], in store: AccountStore) async throws -> [Account] {
        var known: [Int64: [String: Value]] = [:]
        for account in try await store.accounts(uids: accounts.map(\.uid)) { known[account.uid] = account.extras }
        return accounts.map { account in
            var account = account
            account.extras.merge(known[account.uid] ?? [:]) { new, _ in new }
            return account
        }
    }

    // MARK: What is said of it

    private static func line(about account: Account) -> String {
        let token = AccountFormat(reveals: false).tokenText(of: account)
        let end = account.expiresAtUnix.map { "ends \(Timestamp.format(unixSeconds: $0))" } ?? "end not known"
        let keys = account.extras.keys.sorted().map { Redaction.name($0) }.joined(separator: ", ")
        return "uid \(account.uid): token \(token), \(end)" + (keys.isEmpty ? "" : ", extras: \(keys)")
    }

    private static func summary(_ counts: SaveCounts, database: String) -> String {
        var parts: [String] = []
        if counts.inserted > 0 { parts.append("\(Plural.accounts(counts.inserted)) inserted") }
        if counts.updated > 0 { parts.append("\(Plural.accounts(counts.updated)) updated") }
        if counts.unchanged > 0 { parts.append("\(Plural.accounts(counts.unchanged)) unchanged") }
        if counts.kept > 0 { parts.append("\(Plural.accounts(counts.kept)) of \(DisplayText.line(database)) kept") }
        return parts.joined(separator: ", ")
    }

    private static func json(_ accounts: [Account], _ counts: SaveCounts) -> JSONFields {
        [
            ("accounts", .integer(Int64(accounts.count))), ("inserted", .integer(Int64(counts.inserted))),
            ("updated", .integer(Int64(counts.updated))),
            ("unchanged", .integer(Int64(counts.unchanged + counts.kept))),
            ("uids", .array(accounts.map { .integer($0.uid) })),
        ]
    }
}
