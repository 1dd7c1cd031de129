import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("The rehearsal of an import")
struct RehearsalTests {
    @Test("it says of every save what the store does", arguments: ConflictRule.allCases)
    func outcomes(rule: ConflictRule) async throws {
        let folder = try TemporaryDirectory()
        var options = AccountStoreOptions()
        options.durability = .normal
        let store = try await AccountStore(path: folder.path(of: "accounts.sqlite"), options: options)
        try await store.save((0..<20).map { _ in Self.account() }, onConflict: .replace)
        let rehearsal = try RehearsalRepository(over: store)
        // The store changes with each save, so what the rehearsal reads of it has to be read before.
        for uid in Int64(0)..<4 {
            let account = try await store.account(uid: uid) ?? Account(uid: uid, accessToken: nil, expiresIn: 0)
            #expect(try await rehearsal.save(account, onConflict: .replace) == store.save(account))
        }
        for _ in 0..<Effort.tries(400) {
            let account = Self.account()
            let expected = try? await store.save(account, onConflict: rule)
            let found = try? await rehearsal.save(account, onConflict: rule)
            #expect(found == expected, "\(account)")
            if Bool.random() && Bool.random() {
                let uid = Int64.random(in: 0..<4)
                #expect(try await rehearsal.remove(uid: uid) == store.remove(uid: uid))
            }
        }
        try await rehearsal.close()
        try await store.close()
    }

    /// One of few accounts, so that many are equal, or equal in part.
    private static func account() -> Account {
        Account(
            uid: .random(in: 0..<4),
            accessToken: [nil, "", "a", "b\0", "b"].randomElement() ?? nil,
            expiresIn: .random(in: -1...1),
            remindIn: .random(in: 0...1),
            obtainedAt: [nil, Date(timeIntervalSince1970: 0.5), Date(timeIntervalSince1970: -0.5)].randomElement()
                ?? nil,
            extras: [[:], ["a": 1], ["b": .null]].randomElement() ?? [:]
        )
    }

    @Test("over nothing every account is new, once")
    func overNothing() async throws {
        let rehearsal = try RehearsalRepository(over: nil)
        let account = Account(uid: 1, accessToken: "t", expiresIn: 1)
        #expect(try await rehearsal.save([account, account], onConflict: .replace).inserted == 1)
        #expect(try await rehearsal.save(account, onConflict: .fail) == .unchanged)
        let other = Account(uid: 1, accessToken: "t", expiresIn: 2)
        let new = Account(uid: 2, accessToken: "t", expiresIn: 2)
        await #expect(throws: StoreError.self) { try await rehearsal.save([new, other], onConflict: .fail) }
        #expect(try await rehearsal.save(new, onConflict: .fail) == .inserted, "a save that fails changes nothing")
        #expect(try await rehearsal.count() == 0)
    }
}
