import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A fault of the files in a large write")
struct LargeWriteFaultTests {
    /// So many that the indexes are built anew, and that not all pages fit into memory.
    private static let accounts = (0..<50_000 as Range<Int64>).map { number in
        Account.sample(number, token: String(repeating: "t", count: 300), obtainedAt: 50_000 - number)
    }
    private static let plans = FaultPlan.all.filter { plan in
        Effort.isWhole ? plan.calls == .all : plan.cause == .fullDisk && plan.stays
    }

    @Test("costs the write, and neither rows nor the indexes", arguments: plans)
    func bulk(plan: FaultPlan) async throws {
        let bytes = try await FaultyStore.bytes()
        let files = try FaultyFiles()
        let before = Dictionary(uniqueKeysWithValues: FaultedOperation.before.map { ($0.uid, $0) })
        try await plan.forEachCall(part: 2, whole: 100) { nth in
            let faulty = try FaultyStore(files: files, bytes: bytes)
            let store = try await faulty.open()
            files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
            var isSaved = true
            do {
                try await store.save(Self.accounts)
            } catch {
                isSaved = false
                expect(error, isOf: plan, in: faulty.folder.path)
            }
            let calls = files.calls
            let failures = files.disarm()
            #expect(isSaved || failures > 0)
            #expect(try await store.count() == (isSaved ? Self.accounts.count : before.count))
            if !isSaved { #expect(try await store.contents() == before) }
            let problems = try await store.check().problems
            #expect(problems == [])
            try await store.save(.sample(-5))
            try await store.close()
            return (failures, calls)
        }
    }
}
