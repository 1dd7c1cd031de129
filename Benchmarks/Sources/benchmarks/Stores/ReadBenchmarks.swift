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
    let expected = sum(of: uids, in: accounts)
    return try await reading(accounts) { store, baseline in
        try await Comparison(
            unit: "reads/s",
            count: uids.count,
            perRound: uids.count,
            baselineName: "C",
            ours: { _ in
                let sum = try await ours(store, uids)
                try check(sum == expected, "other accounts were read than were saved")
                return sum
            },
            baseline: { _ in try baseline.readPoints(uids, inOneTransaction: inOneTransaction) }
        ).run(settings, usually: 11)
    }
}

private func scans(
    _ settings: Settings,
    baseline: @escaping (CStore) throws -> UInt64,
    ours: @escaping (AccountStore) async throws -> UInt64
) async throws -> [Figures] {
    let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
    let expected = accounts.reduce(0) { $0 &+ storedDigest($1) }
    return try await reading(accounts) { store, connection in
        try await Comparison(
            unit: "rows/s",
            count: accounts.count,
            perRound: accounts.count,
            baselineName: "C",
            ours: { _ in
                let sum = try await ours(store)
                try check(sum == expected, "other accounts were read than were saved")
                return sum
            },
            baseline: { _ in try baseline(connection) }
        ).run(settings, usually: 11)
    }
}

/// Runs a closure with a store of accounts, and a connection of the baseline in C to the same file.
private func reading(
    _ accounts: [Account],
    _ body: (AccountStore, CStore) async throws -> [Figures]
) async throws -> [Figures] {
    try await StoreFolder.with { folder in
        let path = try await folder.makeStore("store", with: accounts)
        let store = try await AccountStore(path: path)
        let figures = try await body(store, try CStore.reader(path))
        try await store.close()
        return figures
    }
}

private func sum(of uids: [Int64], in accounts: [Account]) -> UInt64 {
    let digests = Dictionary(uniqueKeysWithValues: accounts.map { ($0.uid, storedDigest($0)) })
    return uids.reduce(0) { $0 &+ (digests[$1] ?? 0) }
}
