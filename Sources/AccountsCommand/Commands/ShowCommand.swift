internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding
internal import KeyedArchive

/// `accounts show UID`: one account.
enum ShowCommand: ToolCommand {
    private static let uid = Operand("UID", ValueParser<Int64>.integer(), help: "The id of the account's user.")

    static let declaration = Command(
        name: "show",
        summary: "Show an account.",
        discussion: """
            Of the token, and of texts in extras under keys that look like tokens or passwords, only the beginning is \
            shown, unless --reveal is given.
            """,
        options: [SharedOptions.reveal],
        operands: [uid],
        examples: [
            Example("accounts show 1404376560", "The account for people."),
            Example("accounts show 1404376560 --json --reveal | jq -r .access_token", "The token for a script."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let uid = parsed[uid]
        let stored = try await StoreAccess.with(parsed, for: .reading) { try await $0.storedArchive(uid: uid) }
        guard let stored else { throw CommandFailure.noAccount(uid, in: parsed[GlobalOptions.database]) }
        let format = AccountFormat(reveals: parsed[SharedOptions.reveal])
        var writer = OutputWriter(context.output)
        if context.isJSON {
            try writer.append { bytes in
                format.appendJSON(stored.account, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        } else {
            for line in lines(stored, format, usesColour: context.usesColour) { try writer.line(line) }
        }
        try writer.flush()
        return .done
    }

    private static func lines(_ stored: StoredArchive, _ format: AccountFormat, usesColour: Bool) -> [String] {
        let account = stored.account
        let rows = [
            ("uid", String(account.uid)),
            ("access_token", format.tokenText(of: account)),
            ("expires_in", Duration.text(ofSeconds: account.expiresIn)),
            ("remind_in", Duration.text(ofSeconds: account.remindIn)),
            ("obtained_at", account.obtainedAtUnix.map(Timestamp.format(unixSeconds:)) ?? "not known"),
            ("expires_at", account.expiresAtUnix.map(Timestamp.format(unixSeconds:)) ?? "not known"),
            (
                "came from",
                stored.form.map {
                    "\($0.format == .xml ? "an XML" : "a binary") archive of the class "
                        + Redaction.name($0.className)
                } ?? "no archive"
            ),
        ]
        var lines = rows.map { label, text in label + String(repeating: " ", count: 14 - label.count) + text }
        var tree = ValueTree(usesColour: usesColour)
        if !account.extras.isEmpty { lines += tree.draw(.dictionary(format.extras(of: account)), label: "extras") }
        return lines
    }
}

extension CommandFailure {
    /// There is no account of a uid.
    static func noAccount(_ uid: Int64, in database: String) -> CommandFailure {
        CommandFailure("there is no account with the uid \(uid) in \(DisplayText.line(database))")
    }
}

extension Duration {
    /// Seconds, and what that is in days.
    fileprivate static func text(ofSeconds seconds: Int64) -> String {
        let days = seconds / 86_400
        let unit = seconds == 1 || seconds == -1 ? "second" : "seconds"
        return days == 0
            ? "\(seconds) \(unit)" : "\(seconds) \(unit) (\(days) \(days == 1 || days == -1 ? "day" : "days"))"
    }
}
