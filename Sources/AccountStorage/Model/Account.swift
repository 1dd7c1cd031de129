public import FoundationEssentials
public import KeyValueCoding

/// An account at an OAuth service: the token that opens its API, how long the token lives, and whose it is.
///
/// The four properties of the legacy `Account` class keep its names, in Swift's spelling. Filling from a dictionary,
/// reading and writing a row, and decoding an archive all go through ``properties``.
///
/// The token is a secret: descriptions, mirrors and errors show its first four characters at most.
public struct Account: Sendable, Hashable, KeyValueCodable {
    /// The token for the API; nil if the app had none, which differs from an empty one.
    public var accessToken: String?
    /// The life of the token, in seconds from when it was issued.
    public var expiresIn: Int64
    /// The same in seconds, under a name that the API has deprecated.
    public var remindIn: Int64
    /// The id of the authorised user.
    public var uid: Int64
    /// When the token was issued, if that is known. A store keeps whole seconds, rounded down: not a number is nil there, and a time
    /// beyond `Int64` or an infinity is the nearest limit.
    public var obtainedAt: Date?
    /// What came with the account under keys that the model has no property for.
    public var extras: [String: Value]

    /// Makes an account from its parts.
    public init(
        uid: Int64,
        accessToken: String?,
        expiresIn: Int64,
        remindIn: Int64 = 0,
        obtainedAt: Date? = nil,
        extras: [String: Value] = [:]
    ) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.remindIn = remindIn
        self.uid = uid
        self.obtainedAt = obtainedAt
        self.extras = extras
    }

    /// Makes an account with nothing in it, to be filled by key.
    public init() {
        self.init(uid: 0, accessToken: nil, expiresIn: 0)
    }

    /// The table of the keys under which dictionaries, archives and rows hold the properties.
    ///
    /// `Account(dictionary:)` fills an account through it as the legacy `accountWithDict:` did from the API's reply: text
    /// with digits becomes an integer, a key without a property goes to ``extras``, and a missing `remind_in`, which
    /// the API no longer sends, is 0. It throws a `MappingError` that names the key, what was found and what was expected.
    public static let properties = PropertyTable<Account>(
        Property("access_token", \.accessToken, secret: true),
        Property("expires_in", \.expiresIn),
        Property("remind_in", \.remindIn, .defaulted(0)),
        Property("uid", \.uid),
        Property("obtained_at", \.obtainedAt, .optional),
        extras: \.extras
    )
}

extension Account {
    /// When the token ends: ``obtainedAt`` in whole seconds plus ``expiresIn``; nil if the former is not known.
    ///
    /// A sum beyond what 64 bits of seconds hold is taken for the last, or first, second that they do.
    public var expiresAt: Date? {
        expiresAtSeconds.map(Timestamp.date(unixSeconds:))
    }

    /// ``obtainedAt`` as a row has it: whole Unix seconds, rounded down.
    var obtainedAtSeconds: Int64? { obtainedAt.flatMap(Timestamp.unixSeconds) }

    /// ``expiresAt`` as a row has it.
    var expiresAtSeconds: Int64? { obtainedAtSeconds.map { $0.addingSaturating(expiresIn) } }
}

extension Int64 {
    /// The sum, or the nearest number that there is.
    func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that there is.
    func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

extension Account: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The properties, with the token cut to its first four characters and the extras by key only.
    public var description: String {
        let token = accessToken.map(Redaction.redact) ?? "nil"
        let obtained = obtainedAt.map(Timestamp.format) ?? "nil"
        let names = extras.keys.sorted().map { Redaction.name($0) }.joined(separator: ", ")
        return "Account(uid: \(uid), accessToken: \(token), expiresIn: \(expiresIn), remindIn: \(remindIn), "
            + "obtainedAt: \(obtained), extras: [\(names)])"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows no more of the token than ``description`` does.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "accessToken": accessToken.map(Redaction.redact) as Any, "expiresIn": expiresIn, "remindIn": remindIn,
                "uid": uid, "obtainedAt": obtainedAt as Any, "extras": extras,
            ],
            displayStyle: .struct
        )
    }
}
