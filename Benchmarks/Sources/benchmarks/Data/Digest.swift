import AccountStorage
import CBaselines

/// What is added up of an account, the same as the baselines in C add up.
@inline(__always)
func digest(_ account: Account) -> UInt64 {
    let token = account.accessToken ?? ""
    return cb_digest(
        UInt64(bitPattern: account.uid),
        UInt64(bitPattern: account.expiresIn),
        UInt64(bitPattern: account.remindIn),
        UInt64(token.utf8.count),
        UInt64(token.utf8.first ?? 0)
    )
}
