import AccountStorage
import CBaselines

/// What is added up of an account, the same as the baselines in C add up.
@inline(__always)
func digest(_ account: Account) -> UInt64 {
    // C looks at a pointer and a length, and so does this: a view of the text would count references and look for its first character.
    let token =
        account.accessToken?.utf8.withContiguousStorageIfAvailable { (UInt64($0.count), UInt64($0.first ?? 0)) } ?? nil
    return cb_digest(
        UInt64(bitPattern: account.uid),
        UInt64(bitPattern: account.expiresIn),
        UInt64(bitPattern: account.remindIn),
        token?.0 ?? 0,
        token?.1 ?? 0
    )
}
