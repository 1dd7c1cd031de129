import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A fault of the files")
struct FaultTests {
    @Test(
        "is told as what it is, costs nothing that was acknowledged, and work goes on when it is gone",
        arguments: FaultedOperation.all,
        FaultPlan.all
    )
    func operations(operation: FaultedOperation, plan: FaultPlan) async throws {
        let bytes = try await FaultyStore.bytes()
        let files = try FaultyFiles()
        try await plan.forEachCall { nth in
            let faulty = try FaultyStore(files: files, bytes: bytes)
            let store = try await faulty.open()
            try await store.save(FaultedOperation.before[0])
            files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
            let outcomes = await results(of: operation.steps, on: store)
            let calls = files.calls
            let failures = files.disarm()
            var expected = Dictionary(uniqueKeysWithValues: FaultedOperation.before.map { ($0.uid, $0) })
            for (step, outcome) in zip(operation.steps, outcomes) {
                switch outcome {
                case .success: step.change(&expected)
                case .failure(let error):
                    #expect(failures > 0, "call \(nth)")
                    expect(error, isOf: plan, in: faulty.folder.path)
                }
            }
            var contents = try await store.contents()
            #expect(contents.difference(from: expected) == [], "call \(nth)")
            for (step, outcome) in zip(operation.steps, outcomes) {
                guard case .failure = outcome else { continue }
                try await step.run(store)
                step.change(&expected)
            }
            try await store.save(.sample(-1))
            expected[-1] = .sample(-1)
            contents = try await store.contents()
            #expect(contents.difference(from: expected) == [], "call \(nth), again")
            try await store.close()
            contents = try await faulty.contents()
            #expect(contents.difference(from: expected) == [], "call \(nth), opened again")
            #expect(try faulty.folder.directory.names() == ["accounts.sqlite"])
            return (failures, calls)
        }
    }

    private func results(
        of steps: [FaultedOperation.Step],
        on store: AccountStore
    ) async -> [Result<Void, any Error>] {
        await withTaskGroup(of: (Int, Result<Void, any Error>).self) { group in
            for (index, step) in steps.enumerated() {
                group.addTask {
                    do {
                        // Apart from the result, of which a release build of Swift 6.3 would forget the index.
                        try await step.run(store)
                        return (index, .success(()))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<Void, any Error>] = [:]
            for await (index, result) in group { results[index] = result }
            return steps.indices.compactMap { results[$0] }
        }
    }
}

extension FaultedOperation.Contents {
    /// The uids of accounts that are not as they should be.
    fileprivate func difference(from expected: FaultedOperation.Contents) -> [Int64] {
        Set(keys).union(expected.keys).filter { self[$0] != expected[$0] }.sorted()
    }
}
