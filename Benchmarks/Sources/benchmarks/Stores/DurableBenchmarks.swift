import AccountStorage

/// Saves of one account each, of which each is on disk when it returns, against commits of one row each in C.
let durableBenchmarks = [
    Benchmark("save-durable-64", "16,000 awaited saves by 64 tasks; against C's single commits", reach: .atLeast(4)) {
        settings in
        try await durable(settings.amount(16_000), tasks: 64, settings)
    },
    Benchmark("save-durable-1", "8,000 awaited saves by one task; against C's single commits", reach: .atLeast(0.8)) {
        settings in
        try await durable(settings.amount(8_000), tasks: 1, settings)
    },
]

/// Half of the accounts are new, and the others come with another token.
private func durable(_ count: Int, tasks: Int, _ settings: Settings) async throws -> [Figures] {
    let all = StoredAccounts.make(settings.amount(100_000) + count / 2, seed: 21).shuffled(seed: 22)
    let stored = Array(all.dropFirst(count / 2))
    let renewed = StoredAccounts.renewed(Array(stored.prefix(count - count / 2)), seed: 23)
    let accounts = (all.prefix(count / 2) + renewed).shuffled(seed: 24)
    return try await StoreWriting(
        stored: stored,
        accounts: accounts,
        ours: { store, accounts in
            try await inTasks(tasks, of: accounts.count) { part in
                var counts = SaveCounts()
                for account in accounts[part] { counts.add(try await store.save(account)) }
                return counts
            }.reduce(into: SaveCounts()) { $0.add($1) }
        },
        baseline: { store, rows in try store.saveEach(rows) }
    ).run(settings, usually: 5)
}
