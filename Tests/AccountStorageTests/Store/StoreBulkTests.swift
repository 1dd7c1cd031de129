import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Saving many accounts at once")
struct StoreBulkTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private static func accounts(_ count: Int, uids: ClosedRange<Int64>, seed: UInt64) -> [Account] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            var account = Account(uid: .random(in: uids, using: &generator), accessToken: nil, expiresIn: 0)
            account.expiresIn = .random(in: 0..<3, using: &generator)
            let token = Int.random(in: 0..<3, using: &generator)
            if number % 50 != 0 { account.accessToken = "2.00token令牌\(token)" }
            let time = Int.random(in: 0..<3, using: &generator)
            if number % 7 != 0 { account.obtainedAt = Date(timeIntervalSince1970: Double(time)) }
            if number % 11 == 0 { account.extras = ["n": .integer(Int64(number % 3))] }
            return account
        }
    }

    @Test("comes out as saving one by one does, whatever the rule", arguments: ConflictRule.allCases)
    func likeSingly(rule: ConflictRule) async throws {
        let (bulk, singly) = (try await folder.open(), MemoryRepository())
        for seed in 1...4 as ClosedRange<UInt64> {
            let accounts = Self.accounts(Effort.tries(3_000), uids: 1...1_500, seed: seed)
            let expected = try? await singly.save(accounts, onConflict: rule)
            let found = try? await bulk.save(accounts, onConflict: rule)
            #expect(found == expected)
        }
        #expect(try await bulk.accounts().collected() == (try await singly.accounts().collected()))
        #expect(try await bulk.check().isHealthy)
    }

    @Test("as many as have the indexes built anew leaves the store sound, and finds what expires")
    func indexes() async throws {
        let store = try await folder.open { $0.durability = .normal }
        let accounts = Self.accounts(60_000, uids: 1...1_000_000_000, seed: 9)
        let counts = try await store.save(accounts)
        #expect(counts.inserted + counts.updated + counts.unchanged == accounts.count)
        #expect(try await store.save(accounts.reversed()).inserted == 0)
        #expect(try await store.check().isHealthy)
        let expiring = try await store.accounts(AccountQuery(expiringBefore: Date(timeIntervalSince1970: 2)))
            .collected()
        let expected = try await store.accounts().collected().filter {
            ($0.expiresAt ?? .distantFuture) < Date(timeIntervalSince1970: 2)
        }
        #expect(expiring == expected && !expected.isEmpty)
    }

    @Test(
        "what is there just so is left alone, be it all, most, few or none of it",
        arguments: [0, 1, 2_000, 4_400],
        ConflictRule.allCases
    )
    func unchanged(changes: Int, rule: ConflictRule) async throws {
        let (bulk, singly) = (try await folder.open { $0.durability = .normal }, MemoryRepository())
        var generator = SeededGenerator(seed: UInt64(changes))
        var accounts = (1...5_000).map { Account.sample($0 * 3, expiresIn: 100, obtainedAt: 1_000) }
        for repository in [bulk, singly] as [any AccountRepository] { try await repository.save(accounts) }
        accounts.shuffle(using: &generator)
        for index in 0..<changes {
            switch index % 4 {
            case 0: accounts[index].accessToken? += "x"
            case 1: accounts[index].uid += 1
            case 2: accounts[index].obtainedAt? += index % 8 == 2 ? 1 : -1
            default: accounts[index].extras = ["n": .integer(1)]
            }
        }
        let some = Array(accounts.prefix(4_500))
        let expected = try? await singly.save(some, onConflict: rule)
        #expect((try? await bulk.save(some, onConflict: rule)) == expected)
        let found = try await bulk.accounts().collected()
        #expect(await singly.accounts(uids: found.map(\.uid)) == found)
        #expect(await singly.count() == found.count)
    }

    @Test("an account that no row can hold saves none of the others")
    func refused() async throws {
        let store = try await folder.open()
        var accounts = Self.accounts(100, uids: 1...1_000_000, seed: 3)
        var deep = Value.array([])
        for _ in 0..<5_000 { deep = .array([deep]) }
        accounts[70].extras = ["deep": deep]
        await #expect(throws: StoreError.self) { try await store.save(accounts) }
        #expect(try await store.count() == 0)
    }

    @Test("a snapshot sees one moment, passes on what its closure throws, and refuses the store inside")
    func snapshot() async throws {
        struct Stop: Error {}
        let store = try await folder.open()
        let accounts = Self.accounts(500, uids: 1...100_000, seed: 5).reduce(into: [Int64: Account]()) {
            $0[$1.uid] = $1
        }
        try await store.save(Array(accounts.values))
        let uids = accounts.keys.sorted()
        let (all, some, count) = try await store.read { snapshot in
            (try snapshot.accounts(), try snapshot.accounts(uids: [uids[3], 0, uids[1]]), try snapshot.count())
        }
        #expect(all.map(\.uid) == uids && count == uids.count)
        #expect(some.map(\.uid) == [uids[3], uids[1]])
        #expect(try store.readSync { try $0.account(uid: uids[0]) } == accounts[uids[0]])
        await #expect(throws: Stop.self) { try await store.read { _ in throw Stop() } }
        #expect(throws: Stop.self) { try store.readSync { try $0.forEach { _ in throw Stop() } } }
        #expect(throws: StoreError.self) { try store.readSync { _ in try store.readSync { try $0.count() } } }
        let inside = try store.readSync { snapshot in
            var found: [Account?] = []
            try snapshot.forEach { found.append(try snapshot.account(uid: $0.uid)) }
            return found
        }
        #expect(inside == all)
        let ended = try store.readSync { $0 }
        for use in [
            { _ = try ended.account(uid: 1) }, { _ = try ended.accounts() }, { _ = try ended.count() },
            { _ = try ended.accounts(uids: [1]) }, { try ended.forEach { _ in } },
        ] { #expect(throws: StoreError.self) { try use() } }
    }
}
