import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// For how long to go on.
private let seconds = ProcessInfo.processInfo.environment["ACCOUNTS_STRESS"].flatMap { Double($0) } ?? 0

/// `Scripts/check-stress` runs them; beside other tests they would leave nothing for those.
@Suite(
    "Many tasks of several processes on one store",
    .serialized,
    .enabled(if: seconds > 0, "ACCOUNTS_STRESS in the environment says for how many seconds")
)
struct StressTests {
    @Test("save, read and are cancelled, and what they say of it is what is there", arguments: [4, 1])
    func sums(processes: Int) async throws {
        let folder = try StoreFolder()
        let milliseconds = "\(Int(seconds * 1_000))"
        let outcomes = try await withThrowingTaskGroup(of: (lines: [String], status: Int32).self) { group in
            for process in 0..<processes {
                let worker = try WorkerProcess(["stress", folder.path, "\(process)", milliseconds, "64"])
                group.addTask { await worker.outcome() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.lines.last ?? "it says nothing")") }
        let words = outcomes.flatMap(\.lines).map { $0.split(separator: " ") }
        func numbers(_ word: String) -> [[Int64]] {
            words.filter { $0[0] == word }.map { $0.dropFirst().compactMap { Int64($0) } }
        }
        let store = try await folder.open()
        let contents = try await store.contents()
        for number in numbers("is") {
            #expect(contents[number[0]]?.expiresIn ?? 0 == number[1], "uid \(number[0])")
        }
        #expect(numbers("is").count == processes * 64 * 3)
        // The account that all share has the latest time of all.
        let latest = numbers("time").compactMap(\.first).max() ?? 0
        #expect(contents[0].map { Int64($0.obtainedAt?.timeIntervalSince1970 ?? 0) } ?? 0 == latest)
        #expect(contents.keys.allSatisfy { uid in uid == 0 || numbers("is").contains { $0[0] == uid } })
        let problems = try await store.check().problems
        #expect(problems == [])
        let sums = (0..<3).map { index in numbers("did").map { $0[index] }.reduce(0, +) }
        #expect(sums.allSatisfy { $0 > 0 }, "saves, cancelled saves and reads: \(sums)")
        print("\(processes) processes: saves, cancelled saves and reads: \(sums)")
        try await store.close()
    }
}
