import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Saving accounts")
struct StoreSaveTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("an account comes back as it was saved")
    func roundTrip() async throws {
        let account = Account.sample(
            1_404_376_560,
            token: "2.00abc",
            expiresIn: 157_679_999,
            remindIn: 157_679_999,
            obtainedAt: 1_440_308_000,
            extras: ["isRealName": "true", "at": .date(Date(timeIntervalSinceReferenceDate: 0.1))]
        )
        do {
            let store = try await folder.open()
            #expect(try await store.save(account) == .inserted)
            #expect(try await store.account(uid: account.uid) == account)
            try await store.close()
        }
        let store = try await folder.open { $0.mode = .readOnly }
        #expect(try await store.account(uid: account.uid) == account)
        #expect(try await store.account(uid: 1) == nil)
        #expect(try await store.count() == 1)
    }

    @Test(
        "tokens survive to the byte (A4)",
        arguments: [nil, "", "a\0b", "\0", "a\0", "é", "e\u{301}", String(repeating: "x", count: 100_000)]
    )
    func tokens(token: String?) async throws {
        let store = try await folder.open()
        try await store.save(.sample(1, token: token))
        let read = try await store.account(uid: 1)
        #expect(read?.accessToken.map { Array($0.utf8) } == token.map { Array($0.utf8) })
        #expect(try await store.save(.sample(1, token: token)) == .unchanged)
        if let token {
            let connection = try Connection(path: folder.path, mode: .readOnly)
            let found = try connection.value("SELECT uid FROM accounts WHERE access_token = ?", [.text(token)])
            #expect(found == 1)
        }
    }

    @Test("texts that differ only in how Unicode composes them are different")
    func composition() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1, token: "é"))
        #expect(try await store.save(.sample(1, token: "e\u{301}")) == .updated)
    }

    @Test("the numbers at the ends of 64 bits are kept, and the end of an account never wraps (A1)")
    func extremes() async throws {
        let store = try await folder.open()
        for uid in [Int64.min, -1, 0, 1, .max] {
            let account = Account.sample(uid, expiresIn: .max, remindIn: .min, obtainedAt: 5)
            #expect(try await store.save(account) == .inserted)
            #expect(try await store.account(uid: uid) == account)
        }
        #expect(try folder.sql("SELECT DISTINCT expires_at FROM accounts") == [[.integer(.max)]])
        #expect(try await store.accounts().collected().map(\.uid) == [.min, -1, 0, 1, .max])
    }

    @Test("what happened is told right, save after save, of one uid and of others")
    func outcomes() async throws {
        let store = try await folder.open()
        #expect(try await store.save(.sample(0)) == .inserted)
        #expect(try await store.save(.sample(0)) == .unchanged)
        #expect(try await store.save(.sample(0, token: "new")) == .updated)
        #expect(try await store.save(.sample(7)) == .inserted)
        #expect(try await store.save(.sample(7, token: "new")) == .updated)
        #expect(try await store.save(.sample(0, token: "newer")) == .updated)
        #expect(try await store.remove(uid: 7))
        #expect(try await store.remove(uid: 7) == false)
        #expect(try await store.save(.sample(7)) == .inserted)
        #expect(try await store.save(.sample(7, token: nil)) == .updated)
        #expect(try await store.save(.sample(7, token: "")) == .updated)
        #expect(try await store.save(.sample(7, token: ""), onConflict: .keep) == .unchanged)
        #expect(try await store.save(.sample(7, token: "x"), onConflict: .keep) == .kept)
        #expect(try await store.save(.sample(8), onConflict: .keep) == .inserted)
        #expect(try await store.save(.sample(9), onConflict: .newest) == .inserted)
        #expect(try await store.save(.sample(10), onConflict: .fail) == .inserted)
    }

    @Test("an account that differs in any one column is not the same", arguments: [ConflictRule.replace, .keep])
    func differences(rule: ConflictRule) async throws {
        let store = try await folder.open()
        let changes: [Account] = [
            .sample(1, token: nil), .sample(1, expiresIn: 1), .sample(1, remindIn: 1), .sample(1, obtainedAt: 1),
            .sample(1, extras: ["a": 1]),
        ]
        for other in changes {
            try await store.save(.sample(1))
            #expect(try await store.save(other, onConflict: rule) == (rule == .keep ? .kept : .updated))
            #expect(try await store.save(.sample(1), onConflict: rule) == (rule == .keep ? .unchanged : .updated))
        }
    }

    @Test("another account of the uid is refused under the rule fail, and the very same is unchanged")
    func fail() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1, token: "2.00secret"))
        #expect(try await store.save(.sample(1, token: "2.00secret"), onConflict: .fail) == .unchanged)
        let error = try await storeError { try await store.save(.sample(1, token: "2.00other"), onConflict: .fail) }
        #expect(error.code == .conflict)
        #expect(error.message.contains("uid 1;"))
        #expect(!error.message.contains("2.00"))
        #expect(try await store.account(uid: 1)?.accessToken == "2.00secret")
        let batch = [Account.sample(2), .sample(3), .sample(2, token: "x")]
        #expect(try await storeError { try await store.save(batch, onConflict: .fail) }.code == .conflict)
        #expect(try await store.count() == 1)
        #expect(try await store.save([.sample(2), .sample(2)], onConflict: .fail).unchanged == 1)
    }

    @Test("a batch is counted by outcomes, and a later account meets an earlier one of its uid")
    func batch() async throws {
        let store = try await folder.open()
        try await store.save([.sample(1), .sample(2, obtainedAt: 9)])
        let counts = try await store.save(
            [.sample(1), .sample(2, obtainedAt: 5), .sample(3), .sample(3, obtainedAt: 1), .sample(3)],
            onConflict: .newest
        )
        #expect(counts.inserted == 1)
        #expect(counts.updated == 1)
        #expect(counts.unchanged == 1)
        #expect(counts.kept == 2)
        #expect(try await store.save([]) == SaveCounts())
    }

    @Test("a saved date loses its fraction, and saving it again changes nothing")
    func fractions() async throws {
        let store = try await folder.open()
        var account = Account.sample(1)
        account.obtainedAt = Date(timeIntervalSince1970: 10.75)
        try await store.save(account)
        #expect(try await store.account(uid: 1)?.obtainedAt == Date(timeIntervalSince1970: 10))
        #expect(try await store.save(account) == .unchanged)
        account.obtainedAt = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(try await store.save(account) == .updated)
        #expect(try await store.account(uid: 1)?.obtainedAt == nil)
    }
}

@Suite("The newest of two accounts")
struct NewestRuleTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// In ascending order: each differs from the one before in what comes next in the order of the rule.
    private static let ascending: [Account] = [
        .sample(1, token: nil, expiresIn: 9),
        .sample(1, token: "", expiresIn: 9),
        .sample(1, token: "z", expiresIn: 10, obtainedAt: .min / 2_048),
        .sample(1, token: "z", expiresIn: -1, remindIn: 5, obtainedAt: -1),
        .sample(1, token: "z", expiresIn: 10, remindIn: 5, obtainedAt: -1),
        .sample(1, token: nil, expiresIn: 10, remindIn: 5, obtainedAt: 0),
        .sample(1, token: nil, expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "a", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "a\0", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "a\0b", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "aa", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "é", expiresIn: 10, remindIn: 6, obtainedAt: 0, extras: ["a": 1]),
        .sample(1, token: "é", expiresIn: 10, remindIn: 6, obtainedAt: 0, extras: ["a": 2]),
        .sample(1, token: "é", expiresIn: 10, remindIn: 6, obtainedAt: 0),
        .sample(1, token: "a", expiresIn: 0, obtainedAt: 1),
    ]

    @Test("each of two stays or gives way by the documented order, whichever comes first")
    func totalOrder() async throws {
        let store = try await folder.open()
        for (index, first) in Self.ascending.enumerated() {
            for (otherIndex, second) in Self.ascending.enumerated() {
                try await store.save(first)
                let outcome = try await store.save(second, onConflict: .newest)
                let expected: SaveOutcome = otherIndex > index ? .updated : otherIndex == index ? .unchanged : .kept
                #expect(outcome == expected, "\(index) then \(otherIndex)")
                let winner = Self.ascending[max(index, otherIndex)]
                #expect(try await store.account(uid: 1) == winner)
            }
        }
    }

    @Test("the outcome of many does not depend on their order", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try await folder.open()
        try await store.save(Self.ascending.shuffled(using: &generator), onConflict: .newest)
        #expect(try await store.account(uid: 1) == Self.ascending.last)
    }
}
