import AccountStorage
import Foundation

/// Writing to copies of a store, by the library and by the baseline in C; afterwards both have to have the same in them.
struct StoreWriting {
    var folder: StoreFolder
    /// The store that each turn begins with a copy of.
    var base: String
    /// How many accounts are written.
    var count: Int
    /// The library's part. What it has done has to be on disk when the store is closed, which is timed too: the log is in
    /// the database then.
    var ours: (AccountStore) async throws -> SaveCounts
    /// The baseline's part.
    var baseline: (CStore) throws -> SaveCounts

    func run(_ settings: Settings, usually rounds: Int) async throws -> [Figures] {
        try await Rounds(
            units: ["rows/s"],
            baselineName: "C",
            ours: { turn in
                let copy = try folder.copy(base, as: "ours")
                let store = try await AccountStore(path: copy)
                let (counts, time) = try await turn.stopwatch.time {
                    let counts = try await ours(store)
                    try await store.close()
                    return counts
                }
                return try measurement(copy, counts, time)
            },
            baseline: { turn in
                let copy = try folder.copy(base, as: "baseline")
                var store: CStore? = try CStore.writer(copy)
                let (counts, time) = try await turn.stopwatch.time {
                    defer { store = nil }
                    return try store.map(baseline)
                }
                return try measurement(copy, counts ?? SaveCounts(), time)
            }
        ).run(settings, usually: rounds)
    }

    private func measurement(_ file: String, _ counts: SaveCounts, _ time: Duration) throws -> Measurement {
        var hasher = FixedHasher(try CStore.reader(file).checksum())
        hasher.combine(counts.inserted)
        hasher.combine(counts.updated)
        hasher.combine(counts.unchanged)
        return Measurement(operations: [Double(count)], time: time, digest: hasher.value)
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
