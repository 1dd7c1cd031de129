import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage

/// The store against the repository in memory, which says in plain Swift what the store says in SQL.
@Suite("A store and its model")
struct StoreModelTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("random saves, imports and removals come out the same in both", arguments: 1...6 as ClosedRange<UInt64>)
    func randomUse(seed: UInt64) async throws {
        var random = RandomAccounts(seed: seed)
        let store = try await folder.open { $0.durability = .normal }
        let model = MemoryRepository()
        for step in 0..<150 {
            let rule = random.rule()
            switch random.number(below: 5) {
            case 0:
                let account = random.account()
                let expected = try? await model.save(account, onConflict: rule)
                #expect(try await ofConflict { try await store.save(account, onConflict: rule) } == expected)
            case 1:
                let accounts = random.accounts()
                let expected = try? await model.save(accounts, onConflict: rule)
                #expect(try await ofConflict { try await store.save(accounts, onConflict: rule) } == expected)
            case 2, 3:
                let files = try (0..<random.number(below: 4)).map { try random.file("\(step)-\($0)") }
                let expected = await model.save(files, onConflict: rule)
                #expect(try await store.save(files, onConflict: rule) == expected)
            default:
                let uid = random.uid()
                let expected = await model.remove(uid: uid)
                #expect(try await store.remove(uid: uid) == expected)
            }
        }
        #expect(try await store.accounts().collected() == (try await model.accounts().collected()))
        for uid in RandomAccounts.uids {
            let expected = await model.storedArchive(uid: uid)
            #expect(try await store.storedArchive(uid: uid) == expected)
        }
        for seconds in stride(from: -1, through: 12, by: 1) as StrideThrough<Double> {
            let query = AccountQuery(expiringBefore: Date(timeIntervalSince1970: seconds), limit: 5)
            #expect(try await store.accounts(query).collected() == (try await model.accounts(query).collected()))
        }
        #expect(try await store.check().isHealthy)
    }

    /// Nil for a conflict.
    private func ofConflict<Output>(_ body: () async throws -> Output) async throws -> Output? {
        do {
            return try await body()
        } catch let error as StoreError where error.code == .conflict {
            return nil
        }
    }

    @Test("each kind of archive comes back from the store byte for byte")
    func archives() async throws {
        let store = try await folder.open()
        for path in try ArchiveFixtures.archives(in: "variants") + ArchiveFixtures.archives(in: "expected") {
            let bytes = try ArchiveFixtures.bytes(path)
            let archived = try ArchivedAccount.accounts(in: bytes, options: ArchiveRoundTripTests.lenient)
            let identity = FileIdentity(path: Array(path.utf8), size: Int64(bytes.count), modifiedAt: 0)
            let account = try #require(archived.first)
            // The very same account would keep the form that it came in first.
            try await store.remove(uid: account.account.uid)
            _ = try await store.save([ImportedFile(identity: identity, accounts: archived)], onConflict: .replace)
            let stored = try #require(try await store.storedArchive(uid: account.account.uid))
            #expect(stored.account == account.account, "\(path)")
            #expect(try stored.archiveData() == bytes, "\(path)")
        }
    }
}

/// Accounts with few values each, so that they meet and tie often.
private struct RandomAccounts {
    static let uids: ClosedRange<Int64> = -2...3
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    mutating func rule() -> ConflictRule { ConflictRule.allCases[number(below: ConflictRule.allCases.count)] }

    mutating func uid() -> Int64 { Int64.random(in: Self.uids, using: &generator) }

    mutating func account() -> Account {
        .sample(
            uid(),
            token: [nil, "", "a", "ab"][number(below: 4)],
            expiresIn: Int64(number(below: 2) * 5),
            remindIn: Int64(number(below: 2)),
            obtainedAt: [nil, 0, 5][number(below: 3)],
            extras: [[:], ["a": 1]][number(below: 2)]
        )
    }

    mutating func accounts() -> [Account] { (0..<number(below: number(below: 2) == 0 ? 5 : 40)).map { _ in account() } }

    mutating func file(_ name: String) throws -> ImportedFile {
        let form = try ArchiveForm.sample(["A", "B", "C"][number(below: 3)])
        let details: ArchiveFormDetails = [[:], [1: [2]]][number(below: 2)]
        return ImportedFile(
            identity: FileIdentity(path: Array(name.utf8), size: 1, modifiedAt: 1),
            accounts: accounts().map { ArchivedAccount(account: $0, form: form, details: details) }
        )
    }
}
