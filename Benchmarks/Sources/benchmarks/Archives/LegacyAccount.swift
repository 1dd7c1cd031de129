import AccountStorage
import Foundation

/// The account as a class that Foundation archives: what the legacy app's class would be in Swift.
final class LegacyAccount: NSObject, NSSecureCoding {
    let accessToken: String?
    let expiresIn: Int64
    let remindIn: Int64
    let uid: Int64

    static var supportsSecureCoding: Bool { true }

    init(_ account: Account) {
        accessToken = account.accessToken
        expiresIn = account.expiresIn
        remindIn = account.remindIn
        uid = account.uid
    }

    init?(coder: NSCoder) {
        accessToken = coder.decodeObject(of: NSString.self, forKey: "access_token")?._bridgeToSwift()
        expiresIn = coder.decodeInt64(forKey: "expires_in")
        remindIn = coder.decodeInt64(forKey: "remind_in")
        uid = coder.decodeInt64(forKey: "uid")
    }

    func encode(with coder: NSCoder) {
        coder.encode(accessToken?._bridgeToObjectiveC(), forKey: "access_token")
        coder.encode(expiresIn, forKey: "expires_in")
        coder.encode(remindIn, forKey: "remind_in")
        coder.encode(uid, forKey: "uid")
    }

    /// The same as the library's account.
    var account: Account {
        Account(uid: uid, accessToken: accessToken, expiresIn: expiresIn, remindIn: remindIn)
    }

    /// Reads an archive whose class is `Account`.
    static func unarchive(_ data: Data) throws -> LegacyAccount {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        unarchiver.setClass(LegacyAccount.self, forClassName: "Account")
        defer { unarchiver.finishDecoding() }
        guard let account = unarchiver.decodeObject(of: LegacyAccount.self, forKey: NSKeyedArchiveRootObjectKey) else {
            throw BenchmarkError("Foundation reads no account")
        }
        return account
    }

    /// Writes an archive.
    func archived() throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
    }
}
