import AccountStorage
import Foundation

/// Made-up accounts as a store has them: no two of one uid, and all with the time that they were issued at, so that
/// each has its entry in the index.
enum StoredAccounts {
    /// How many the benchmarks are about.
    static let count = 500_000

    private static let firstUID: Int64 = 1_000_000_000
    private static let lives: [Int64] = [157_679_999, 2_591_999, 604_800, 86_400]
    private static let tokenCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// `count` accounts in ascending order of their uids, tokens of 32 characters, issued at some time within six years.
    static func make(_ count: Int, seed: UInt64) -> [Account] {
        var random = SeededGenerator(seed: seed)
        var uid = firstUID
        return (0..<count).map { _ in
            uid += Int64(1 + random.next() % 16)
            return make(uid: uid, using: &random)
        }
    }

    /// The accounts with another token that was issued later.
    static func renewed(_ accounts: [Account], seed: UInt64) -> [Account] {
        var random = SeededGenerator(seed: seed)
        return accounts.map { account in
            var renewed = make(uid: account.uid, using: &random)
            renewed.obtainedAt = account.obtainedAt.map { $0 + Double(1 + random.next() % 10_000_000) }
            return renewed
        }
    }

    /// `count` uids of accounts that are there, in random order and with repetitions.
    static func uids(of accounts: [Account], count: Int, seed: UInt64) -> [Int64] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in accounts[Int(random.next() % UInt64(accounts.count))].uid }
    }

    private static func make(uid: Int64, using random: inout SeededGenerator) -> Account {
        let life = lives[Int(random.next() % 4)]
        let issued = 1_500_000_000 + random.next() % 190_000_000
        return Account(
            uid: uid,
            accessToken: token(using: &random),
            expiresIn: life,
            remindIn: life,
            obtainedAt: Date(timeIntervalSince1970: Double(issued))
        )
    }

    private static func token(using random: inout SeededGenerator) -> String {
        String(unsafeUninitializedCapacity: 32) { bytes in
            var bits: UInt64 = 0
            for index in 0..<32 {
                if index % 8 == 0 { bits = random.next() }
                bytes[index] = tokenCharacters[Int(bits & 63)]
                bits >>= 6
            }
            return 32
        }
    }
}
