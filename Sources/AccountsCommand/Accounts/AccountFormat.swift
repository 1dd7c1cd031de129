internal import AccountStorage
internal import FoundationEssentials
internal import KeyValueCoding

/// An account as the commands show it.
struct AccountFormat {
    /// Whether tokens and other secrets are shown whole.
    var reveals: Bool

    /// Appends the account as a JSON object.
    func appendJSON(_ account: Account, to bytes: inout [UInt8]) {
        var object = JSONObjectWriter(&bytes)
        object.field("uid", .integer(account.uid), &bytes)
        object.field("access_token", token(of: account), &bytes)
        object.field("expires_in", .integer(account.expiresIn), &bytes)
        object.field("remind_in", .integer(account.remindIn), &bytes)
        object.field("obtained_at", Self.time(account.obtainedAtUnix), &bytes)
        object.field("expires_at", Self.time(account.expiresAtUnix), &bytes)
        object.field("extras", .dictionary(extras(of: account)), &bytes)
        object.end(&bytes)
    }

    /// The token as it may be shown; null if there is none.
    private func token(of account: Account) -> Value {
        guard let token = account.accessToken else { return .null }
        return .text(reveals ? token : Redaction.prefix(of: token))
    }

    /// The token for people.
    func tokenText(of account: Account) -> String {
        guard let token = account.accessToken else { return "none" }
        return reveals ? DisplayText.quoted(token) : Redaction.redact(token)
    }

    /// The extras as they may be shown.
    func extras(of account: Account) -> [String: Value] {
        guard !reveals, case .dictionary(let extras) = Value.dictionary(account.extras).redactingSecrets() else {
            return account.extras
        }
        return extras
    }

    private static func time(_ seconds: Int64?) -> Value {
        seconds.map { .text(Timestamp.format(unixSeconds: $0)) } ?? .null
    }
}

extension Account {
    /// When the token was issued, in whole Unix seconds, as a row has it.
    var obtainedAtUnix: Int64? { obtainedAt.flatMap(Timestamp.unixSeconds) }

    /// When the token ends, in whole Unix seconds; exact, which a `Date` this far from now would not be.
    var expiresAtUnix: Int64? {
        guard let start = obtainedAtUnix else { return nil }
        let (end, overflow) = start.addingReportingOverflow(expiresIn)
        return overflow ? (expiresIn < 0 ? .min : .max) : end
    }
}
