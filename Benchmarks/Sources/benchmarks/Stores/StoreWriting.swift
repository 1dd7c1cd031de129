import AccountStorage
import Foundation

/// Writing to copies of a store, by the library and by the baseline in C; afterwards both have to have the same in them.
struct StoreWriting {
    /// What is in the store before.
    var stored: [Account]
    /// What is written.
    var accounts: [Account]
    /// The library's part. Closing the store is timed too: what was written is in the database then, and no longer in the log.
    var ours: (AccountStore, [Account]) async throws -> SaveCounts
    /// The baseline's part.
    var baseline: (CStore, CRows) throws -> SaveCounts

    func run(_ settings: Settings, usually rounds: Int) async throws -> [Figures] {
        let rows = try CRows(accounts)
        return try await StoreFolder.with { folder in
            let base = try await folder.makeStore("base", with: stored)
            return try await Rounds(
                units: ["rows/s"],
                baselineName: "C",
                ours: { turn in try await write(to: folder.copy(base, as: "ours"), turn) },
                baseline: { turn in try await writeInC(rows, to: folder.copy(base, as: "baseline"), turn) }
            ).run(settings, usually: rounds)
        }
    }

    private func write(to path: String, _ turn: Rounds.Turn) async throws -> Measurement {
        let store = try await AccountStore(path: path)
        let (counts, time) = try await turn.stopwatch.time {
            let counts = try await ours(store, accounts)
            try await store.close()
            return counts
        }
        return try measurement(path, counts, time)
    }

    private func writeInC(_ rows: CRows, to path: String, _ turn: Rounds.Turn) async throws -> Measurement {
        var store: CStore? = try CStore.writer(path)
        let (counts, time) = try await turn.stopwatch.time {
            defer { store = nil }
            return try store.map { try baseline($0, rows) }
        }
        return try measurement(path, counts ?? SaveCounts(), time)
    }

    private func measurement(_ file: String, _ counts: SaveCounts, _ time: Duration) throws -> Measurement {
        var hasher = FixedHasher(try CStore.reader(file).checksum())
        hasher.combine(counts.inserted)
        hasher.combine(counts.updated)
        hasher.combine(counts.unchanged)
        return Measurement(operations: [Double(accounts.count)], time: time, digest: hasher.value)
    }
}

/// Makes one number of several, the same in each run.
struct FixedHasher {
    private(set) var value: UInt64

    init(_ value: UInt64) { self.value = value }

    mutating func combine(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x9E37_79B9_7F4A_7C15
    }
}
