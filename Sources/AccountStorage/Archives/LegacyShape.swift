internal import KeyedArchive

/// What the archives of accounts have in common that are written in the legacy app's form and differ in their values' bytes alone.
///
/// Apple's writer puts equal numbers into one object, so besides how many bytes the values take it counts which of an account's numbers
/// are equal.
struct LegacyShape {
    /// A number that tells it from all others.
    let key: UInt64

    /// The number under `$version`, which an account's number may be equal to as well.
    private static let archiveVersion: Int64 = 100_000
    /// Longer texts are always objects of their own.
    private static let longestSharedText = 11
    /// The longest text that the key has room for.
    private static let longestText = 0xFFFF
    /// Equal numbers share an object if they are less than this, the sign aside.
    private static let sharedBound: Int64 = 1 << 55

    /// Finds the shape; nil for an account that may share an object with something else, and for one with extras.
    @inline(__always)
    init?(_ account: borrowing Account) {
        guard account.extras.isEmpty else { return nil }
        var key: UInt64 = 0
        if let count = account.accessToken?.utf8.count {
            guard count > Self.longestSharedText, count <= Self.longestText else { return nil }
            key = UInt64(truncatingIfNeeded: count)
        }
        let (life, remaining, uid) = (account.expiresIn, account.remindIn, account.uid)
        guard Self.isOwn(life), Self.isOwn(remaining), Self.isOwn(uid) else { return nil }
        key = key << 4 | UInt64(UInt64(bitPattern: life).propertyListWidth)
        key = key << 4 | UInt64(UInt64(bitPattern: remaining).propertyListWidth)
        key = key << 4 | UInt64(UInt64(bitPattern: uid).propertyListWidth)
        key = key << 1 | (life == remaining ? 1 : 0)
        key = key << 1 | (life == uid ? 1 : 0)
        self.key = key << 1 | (remaining == uid ? 1 : 0)
    }

    @inline(__always)
    private static func isOwn(_ number: Int64) -> Bool {
        number != archiveVersion && number < sharedBound && number >= -sharedBound
    }
}
