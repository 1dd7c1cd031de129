import AccountStorage
import Foundation

/// The account of all forms of ``SampleForm`` as a class that Foundation unarchives: what an app would have that reads what twenty
/// apps have written.
final class MixedAccount: NSObject, NSSecureCoding {
    let accessToken: String?
    let expiresIn: Int64
    let remindIn: Int64
    let uid: Int64

    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) {
        let token = Self.key(["access_token", "accessToken", "token"], in: coder)
        accessToken = coder.decodeObject(of: NSString.self, forKey: token)?._bridgeToSwift()
        expiresIn = Self.number(["expires_in", "expiresIn", "expires"], in: coder)
        remindIn = Self.number(["remind_in", "remindIn"], in: coder)
        uid = Self.number(["uid", "userID", "user"], in: coder)
    }

    func encode(with coder: NSCoder) {}

    /// The name under which a value is there; the last if it is not.
    private static func key(_ names: [String], in coder: NSCoder) -> String {
        names.first { coder.containsValue(forKey: $0) } ?? names[names.count - 1]
    }

    /// A number that is in the object's own dictionary, an `NSNumber`, or a text; 0 if there is none.
    private static func number(_ names: [String], in coder: NSCoder) -> Int64 {
        let key = key(names, in: coder)
        let inline = coder.decodeInt64(forKey: key)
        guard inline == 0, coder.containsValue(forKey: key) else { return inline }
        switch coder.decodeObject(of: [NSNumber.self, NSString.self], forKey: key) {
        case let number as NSNumber: return number.int64Value
        case let text as NSString: return text.longLongValue
        case let text as String: return Int64(text) ?? 0
        default: return 0
        }
    }

    /// The same as the library's account.
    var account: Account {
        Account(uid: uid, accessToken: accessToken, expiresIn: expiresIn, remindIn: remindIn)
    }

    /// Reads an archive.
    static func unarchive(_ data: Data) throws -> MixedAccount {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        for name in SampleForm.classNames { unarchiver.setClass(MixedAccount.self, forClassName: name) }
        defer { unarchiver.finishDecoding() }
        let key =
            unarchiver.containsValue(forKey: NSKeyedArchiveRootObjectKey) ? NSKeyedArchiveRootObjectKey : "account"
        guard let account = unarchiver.decodeObject(of: MixedAccount.self, forKey: key) else {
            throw BenchmarkError("Foundation reads no account")
        }
        return account
    }
}

extension LegacyFolder {
    /// Lists the folder, reads its files and unarchives them with Foundation.
    func readWithFoundation(_ turn: Rounds.Turn) async throws -> Measurement {
        let (sum, time) = try await turn.stopwatch.time {
            let files = try FileManager.default.contentsOfDirectory(
                at: URL(fileURLWithPath: path),
                includingPropertiesForKeys: nil
            )
            return try files.reduce(into: UInt64(0)) { sum, file in
                sum &+= benchmarks.digest(try MixedAccount.unarchive(Data(contentsOf: file)).account)
            }
        }
        return Measurement(operations: [Double(count)], time: time, digest: sum)
    }
}
