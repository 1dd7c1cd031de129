import AccountStorage

/// What a row costs in a large store, by what it costs in a small one.
let scaleBenchmarks = [
    Benchmark(
        "scale",
        "cost of a row among 10 million by that among 100,000: written in one ordered call, read by awaiting its uid",
        reach: [("scale-bulk", .atMost(1.3)), ("scale-point", .atMost(1.5))]
    ) { settings in
        let accounts = StoredAccounts.make(settings.amount(10_000_000), seed: 51)
        let sizes = (small: settings.amount(100_000), large: accounts.count)
        let reads = settings.amount(200_000)
        var rounds: [(small: RowCosts, large: RowCosts)] = []
        _ = try await costs(Array(accounts.prefix(sizes.small)), reads: reads)
        for _ in 0..<settings.rounds(usual: 3) {
            // The small one takes so little time that a single run would say more of the machine than of the store.
            let few = Array(accounts.prefix(sizes.small))
            var small: [RowCosts] = []
            for _ in 0..<5 { small.append(try await costs(few, reads: reads)) }
            rounds.append((RowCosts(mediansOf: small), try await costs(accounts, reads: reads)))
        }
        return [\RowCosts.written, \.read].map { cost in
            Figures(
                unit: "ns/row",
                ours: median(rounds.map { $0.large[keyPath: cost] }),
                baseline: median(rounds.map { $0.small[keyPath: cost] }),
                baselineName: "ours, a hundredth as many",
                ratio: median(rounds.map { $0.large[keyPath: cost] / $0.small[keyPath: cost] })
            )
        }
    }
]

/// Nanoseconds for each row.
private struct RowCosts {
    var written: Double
    var read: Double

    init(written: Double, read: Double) {
        self.written = written
        self.read = read
    }

    init(mediansOf costs: [RowCosts]) {
        self.init(written: median(costs.map(\.written)), read: median(costs.map(\.read)))
    }
}

/// Writes accounts into a new store, and reads some of them, each by itself.
private func costs(_ accounts: [Account], reads: Int) async throws -> RowCosts {
    let uids = StoredAccounts.uids(of: accounts, count: reads, seed: 52)
    return try await StoreFolder.with { folder in
        let path = try await folder.makeStore("store")
        let writer = try await AccountStore(path: path)
        let written = try await Stopwatch().time {
            let counts = try await writer.save(accounts)
            try await writer.close()
            return counts.inserted
        }
        try check(written.output == accounts.count, "not all accounts were inserted")
        let store = try await AccountStore(path: path)
        // A reader is opened when it is first needed.
        _ = try await store.account(uid: 0)
        let read = try await Stopwatch().time {
            var found = 0
            for uid in uids where try await store.account(uid: uid) != nil { found += 1 }
            return found
        }
        try check(read.output == reads, "not all accounts were found")
        try await store.close()
        return RowCosts(
            written: written.time / .nanoseconds(1) / Double(accounts.count),
            read: read.time / .nanoseconds(1) / Double(reads)
        )
    }
}
