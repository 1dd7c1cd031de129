import AccountStorage
import CBaselines
import CStoreBaselines
import Foundation

/// What is added up of an account out of an archive, the same as the baselines in C add up.
@inline(__always)
func digest(_ account: Account) -> UInt64 {
    let token = tokenDigest(account)
    return cb_digest(
        UInt64(bitPattern: account.uid),
        UInt64(bitPattern: account.expiresIn),
        UInt64(bitPattern: account.remindIn),
        token.size,
        token.first
    )
}

/// What is added up of an account out of a store.
@inline(__always)
func storedDigest(_ account: Account) -> UInt64 {
    let token = tokenDigest(account)
    let obtainedAt = account.obtainedAt.map { Int64($0.timeIntervalSince1970) } ?? 0
    return cs_digest(account.uid, account.expiresIn, account.remindIn, obtainedAt, token.size, token.first)
}

/// The token's size and first byte.
@inline(__always)
private func tokenDigest(_ account: Account) -> (size: UInt64, first: UInt64) {
    // C looks at a pointer and a length, and so does this: a view of the text would count references and look for its first character.
    let token =
        account.accessToken?.utf8.withContiguousStorageIfAvailable { (UInt64($0.count), UInt64($0.first ?? 0)) } ?? nil
    return (token?.0 ?? 0, token?.1 ?? 0)
}
