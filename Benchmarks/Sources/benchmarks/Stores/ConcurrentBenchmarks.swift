import AccountStorage
import CStoreBaselines

/// Reading while somebody writes.
let concurrentBenchmarks = [
    Benchmark(
        "read-under-write",
        "2 readers by uid while a writer commits batches of 100 rows; against C with a thread for each",
        reach: [("read-under-write-readers", .atLeast(0.8)), ("read-under-write-writer", .atLeast(0.8))]
    ) { settings in
        let stored = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
        let writes = Array(
            StoredAccounts.renewed(stored.shuffled(seed: 61), seed: 62).prefix(settings.amount(100_000))
        )
        let work = MixedWork(
            writes: writes,
            rows: try CRows(writes),
            uids: StoredAccounts.uids(of: stored, count: 100_000, seed: 63)
        )
        return try await StoreFolder.with { folder in
            let base = try await folder.makeStore("base", with: stored)
            return try await Rounds(
                units: ["reads/s", "rows/s"],
                baselineName: "C",
                ours: { _ in try await work.run(AccountStore(path: try folder.copy(base, as: "ours"))) },
                baseline: { _ in try work.runInC(folder.copy(base, as: "baseline")) }
            ).run(settings, usually: 7)
        }
    }
]

/// A writer with a given number of rows to write, and readers that read until it is done.
private struct MixedWork: @unchecked Sendable {
    static let batch = 100
    static let readers = 2

    let writes: [Account]
    let rows: CRows
    /// What the readers read, over and over.
    let uids: [Int64]

    func run(_ store: AccountStore) async throws -> Measurement {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for reader in 0..<Self.readers {
                group.addTask { try await read(store, from: uids.count * reader / Self.readers, until: isOver) }
            }
            let (_, time) = try await Stopwatch().time {
                for start in stride(from: 0, to: writes.count, by: Self.batch) {
                    try await store.save(Array(writes[start..<min(start + Self.batch, writes.count)]))
                }
            }
            isOver.set()
            let reads = try await group.reduce(0, +)
            try await store.close()
            return try measurement(store.path, reads: reads, time)
        }
    }

    private func read(_ store: AccountStore, from first: Int, until isOver: Flag) async throws -> Int {
        var (next, reads) = (first, 0)
        while !isOver.isSet {
            try check(try await store.account(uid: uids[next]) != nil, "an account was not found")
            next = next + 1 == uids.count ? 0 : next + 1
            reads += 1
        }
        return reads
    }

    func runInC(_ path: String) throws -> Measurement {
        let (seconds, reads) = try CStore.writer(path).write(
            rows,
            batch: Self.batch,
            while: try (0..<Self.readers).map { _ in try CStore.reader(path) },
            read: uids
        )
        return try measurement(path, reads: reads, .seconds(seconds))
    }

    private func measurement(_ path: String, reads: Int, _ time: Duration) throws -> Measurement {
        Measurement(
            operations: [Double(reads), Double(writes.count)],
            time: time,
            digest: try CStore.reader(path).checksum()
        )
    }
}
