import KeyedArchive
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// What a store does while a fault hits it.
///
/// Its steps begin at the same time. Each changes the accounts of other uids, wholly or, when it throws, not at all.
struct FaultedOperation: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var run: @Sendable (AccountStore) async throws -> Void
        /// What it does to the accounts.
        var change: @Sendable (inout Contents) -> Void = { _ in }
    }

    /// The accounts of a store by their uids.
    typealias Contents = [Int64: Account]

    let testDescription: String
    var steps: [Step]

    init(_ name: String, _ steps: [Step]) {
        testDescription = name
        self.steps = steps
    }

    /// What each store holds before.
    static let before = (1...300 as ClosedRange<Int64>).map { Account.sample($0, token: "before", obtainedAt: $0) }

    static let all = [
        FaultedOperation("a save", [save([1_000])]),
        FaultedOperation("a save of what is there", [save([7])]),
        FaultedOperation("saves at the same time", (0..<8 as Range<Int64>).map { save([$0 * 500]) }),
        FaultedOperation("a save of many", [save(Array(200..<700))]),
        FaultedOperation(
            "saves of many at the same time",
            [save(Array(0..<200)), save(Array(900..<990)), remove(250)]
        ),
        FaultedOperation("an import", [importFile]),
        FaultedOperation("a removal", [remove(5)]),
        FaultedOperation("a checkpoint", [checkpoint]),
        FaultedOperation("a save after a checkpoint", [checkpointAndSave]),
        FaultedOperation("reads", [readOne, readAll]),
        FaultedOperation("a check", [check]),
    ]

    private static func save(_ uids: [Int64]) -> Step {
        let accounts = uids.map { Account.sample($0, token: "after", obtainedAt: 5) }
        return Step { store in
            if accounts.count == 1 { try await store.save(accounts[0]) } else { try await store.save(accounts) }
        } change: { contents in
            for account in accounts { contents[account.uid] = account }
        }
    }

    private static func remove(_ uid: Int64) -> Step {
        Step {
            try await $0.remove(uid: uid)
        } change: {
            $0[uid] = nil
        }
    }

    private static let importFile = Step { store in
        let accounts = (290..<400 as Range<Int64>).map { Account.sample($0, token: "imported") }
        var file = try ImportedFile.sample("/one")
        let form = try ArchiveForm.sample("Account")
        file.accounts = accounts.map { ArchivedAccount(account: $0, form: form, details: [:]) }
        _ = try await store.save([file], onConflict: .replace)
    } change: { contents in
        for uid in 290..<400 as Range<Int64> { contents[uid] = .sample(uid, token: "imported") }
    }

    private static let checkpoint = Step { store in
        do { _ = try await store.pool.checkpoint(.truncate) } catch { throw StoreError.translating(error) }
    }

    private static let checkpointAndSave = Step { store in
        // Whether it succeeds or not, the save stands by itself.
        _ = try? await store.pool.checkpoint(.restart)
        try await store.save(.sample(2_000, token: "after"))
    } change: {
        $0[2_000] = .sample(2_000, token: "after")
    }

    private static let readOne = Step { store in
        let account = try await store.account(uid: 9)
        #expect(account == before[8])
    }

    private static let check = Step { store in
        let report = try await store.check()
        #expect(report.isHealthy)
    }

    private static let readAll = Step { store in
        let (accounts, count) = (try await store.accounts().collected(), try await store.count())
        #expect(accounts == before)
        #expect(count == before.count)
    }
}
