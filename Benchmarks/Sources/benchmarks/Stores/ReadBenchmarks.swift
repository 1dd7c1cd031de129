import AccountStorage

/// Accounts by their uids, and all of them, out of a store of 500,000.
let readBenchmarks = [
    Benchmark("point-read-sync", "200,000 accounts by uid in one read transaction; against C", reach: .atLeast(0.9)) {
        settings in
        try await pointReads(settings, inOneTransaction: true) { store, uids in
            try store.readSync { snapshot in
                var sum: UInt64 = 0
                for uid in uids { sum &+= try snapshot.account(uid: uid).map(storedDigest) ?? 0 }
                return sum
            }
        }
    },
    Benchmark(
        "point-read-async",
        "200,000 awaited reads by one task; against C without a transaction",
        reach: .atLeast(0.85)
    ) { settings in
        try await pointReads(settings, inOneTransaction: false) { store, uids in
            try await asyncReads(store, uids[...])
        }
    },
    Benchmark(
        "point-read-async-64",
        "200,000 awaited reads by 64 tasks; against C without a transaction",
        reach: .atLeast(1.2)
    ) { settings in
        try await pointReads(settings, inOneTransaction: false) { store, uids in
            try await inTasks(64, of: uids.count) { try await asyncReads(store, uids[$0]) }.reduce(0, &+)
        }
    },
    Benchmark(
        "scan",
        "all rows into an array of accounts; against C with a malloc for each token",
        reach: .atLeast(1.1)
    ) { settings in
        try await scans(settings, baseline: { try $0.scan() }) { store in
            try await store.read { try $0.accounts() }.reduce(0) { $0 &+ storedDigest($1) }
        }
    },
    Benchmark(
        "scan-stream",
        "all rows through the async sequence; against C with a malloc for each token",
        reach: .atLeast(0.7)
    ) {
        settings in
        try await scans(settings, baseline: { try $0.stream() }) { store in
            var sum: UInt64 = 0
            for try await account in store.accounts() { sum &+= storedDigest(account) }
            return sum
        }
    },
]

@Sendable private func asyncReads(_ store: AccountStore, _ uids: ArraySlice<Int64>) async throws -> UInt64 {
    var sum: UInt64 = 0
    for uid in uids { sum &+= try await store.account(uid: uid).map(storedDigest) ?? 0 }
    return sum
}

private func pointReads(
    _ settings: Settings,
    inOneTransaction: Bool,
    ours: @escaping (AccountStore, [Int64]) async throws -> UInt64
) async throws -> [Figures] {
    let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
    let uids = StoredAccounts.uids(of: accounts, count: settings.amount(200_000), seed: 31)
    let digests = Dictionary(uniqueKeysWithValues: accounts.map { ($0.uid, storedDigest($0)) })
    return try await StoreReading(
        stored: accounts,
        unit: "reads/s",
        count: uids.count,
        expected: uids.reduce(0) { $0 &+ (digests[$1] ?? 0) },
        ours: { try await ours($0, uids) },
        baseline: { try $0.readPoints(uids, inOneTransaction: inOneTransaction) }
    ).run(settings)
}

private func scans(
    _ settings: Settings,
    baseline: @escaping (CStore) throws -> UInt64,
    ours: @escaping (AccountStore) async throws -> UInt64
) async throws -> [Figures] {
    let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
    return try await StoreReading(
        stored: accounts,
        unit: "rows/s",
        count: accounts.count,
        expected: accounts.reduce(0) { $0 &+ storedDigest($1) },
        ours: ours,
        baseline: baseline
    ).run(settings)
}

/// Reading from one file, by the library and by the baseline in C.
private struct StoreReading {
    /// What is in the file.
    var stored: [Account]
    /// What is counted, and how many of them are read.
    var unit: String
    var count: Int
    /// The sum of the digests of what is to be read.
    var expected: UInt64
    var ours: (AccountStore) async throws -> UInt64
    var baseline: (CStore) throws -> UInt64

    func run(_ settings: Settings) async throws -> [Figures] {
        try await StoreFolder.with { folder in
            let path = try await folder.makeStore("store", with: stored)
            let (store, connection) = (try await AccountStore(path: path), try CStore.reader(path))
            let figures = try await Comparison(
                unit: unit,
                count: count,
                perRound: count,
                baselineName: "C",
                ours: { _ in
                    let sum = try await ours(store)
                    try check(sum == expected, "other accounts were read than were saved")
                    return sum
                },
                baseline: { _ in try baseline(connection) }
            ).run(settings, usually: 11)
            try await store.close()
            return figures
        }
    }
}
