internal import FoundationEssentials
internal import KeyValueCoding

/// What an archive says of when a token was issued and when it ends, and what follows from it.
struct AccountTimes {
    /// When the token was issued.
    var issuedAt: Date?
    /// When it ends.
    var expiresAt: Date?

    /// The seconds from when the token was issued to when it ends; nil if one of the two is not known.
    ///
    /// - Parameter fallback: when it was issued, if the archive does not say.
    func lifetime(fallback: Date?) -> Int64? {
        guard let end = expiresAt.flatMap(Timestamp.unixSeconds),
            let start = (issuedAt ?? fallback).flatMap(Timestamp.unixSeconds)
        else { return nil }
        return end.subtractingSaturating(start)
    }

    /// When the token was issued, in whole seconds as a row keeps it.
    ///
    /// - Parameters:
    ///   - expiresIn: how long it lives, in seconds.
    ///   - fallback: when it was issued, if that does not follow from the archive.
    func obtainedAt(expiresIn: Int64, fallback: Date?) -> Date? {
        if let issuedAt { return Self.wholeSeconds(issuedAt) }
        if let end = expiresAt.flatMap(Timestamp.unixSeconds) {
            return Timestamp.date(unixSeconds: end.subtractingSaturating(expiresIn))
        }
        return fallback.flatMap(Self.wholeSeconds)
    }

    /// Whether the archive says all three, when it was issued, when it ends and how long it lives, and they do not agree.
    func contradict(expiresIn: Int64) -> Bool {
        guard let start = issuedAt.flatMap(Timestamp.unixSeconds), let end = expiresAt.flatMap(Timestamp.unixSeconds)
        else { return false }
        return start.addingSaturating(expiresIn) != end
    }

    private static func wholeSeconds(_ date: Date) -> Date? {
        Timestamp.unixSeconds(date).map(Timestamp.date(unixSeconds:))
    }
}
