import AccountStorage

/// Many accounts in one call, against the loop of bind, step and reset in one transaction.
let bulkBenchmarks = [
    Benchmark(
        "bulk-upsert-ordered",
        "500,000 rows into an empty store, by ascending uid; against C",
        reach: .atLeast(1.8)
    ) { settings in
        let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
        return try await bulk(accounts, into: [], settings)
    },
    Benchmark("bulk-upsert-random", "the same in random order; against C", reach: .atLeast(3)) { settings in
        let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
        return try await bulk(accounts.shuffled(seed: 12), into: [], settings)
    },
    Benchmark(
        "bulk-upsert-into",
        "500,000 random rows, half of them new, into a store of a million; against C",
        reach: .atLeast(1.5)
    ) {
        settings in
        let count = settings.amount(StoredAccounts.count)
        let all = StoredAccounts.make(count * 5 / 2, seed: 13).shuffled(seed: 14)
        let new = all.prefix(count / 2)
        let stored = Array(all.dropFirst(count / 2))
        let renewed = StoredAccounts.renewed(Array(stored.prefix(count - count / 2)), seed: 15)
        return try await bulk((new + renewed).shuffled(seed: 16), into: stored, settings)
    },
    Benchmark(
        "bulk-upsert-again",
        "500,000 rows that are there just so, by ascending uid; against C",
        reach: .atLeast(1.5)
    ) { settings in
        let accounts = StoredAccounts.make(settings.amount(StoredAccounts.count), seed: 11)
        return try await bulk(accounts, into: accounts, settings)
    },
]

private func bulk(_ accounts: [Account], into stored: [Account], _ settings: Settings) async throws -> [Figures] {
    try await StoreWriting(
        stored: stored,
        accounts: accounts,
        ours: { store, accounts in try await store.save(accounts) },
        baseline: { store, rows in try store.save(rows) }
    ).run(settings, usually: 5)
}
