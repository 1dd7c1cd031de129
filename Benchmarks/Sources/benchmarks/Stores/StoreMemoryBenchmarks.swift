import AccountStorage

/// How much more memory the process has at some time while very many accounts go through the store.
let storeMemoryBenchmarks = [
    Benchmark(
        "memory",
        "growth of the resident memory by streaming a million rows, and by writing as many in one call",
        reach: [("memory-stream", .atMost(8_000_000)), ("memory-bulk", .atMost(64_000_000))]
    ) { settings in
        let accounts = StoredAccounts.make(settings.amount(1_000_000), seed: 41).shuffled(seed: 42)
        return try await StoreFolder.with { folder in
            let store = try await AccountStore(path: folder.database("store"))
            let written = try await peakGrowth {
                let counts = try await store.save(accounts)
                try check(counts.inserted == accounts.count, "not all accounts were inserted")
            }
            try await store.close()
            return [
                Figures(bytes: try await growthByStreaming(folder, count: accounts.count)), Figures(bytes: written),
            ]
        }
    }
]

private func growthByStreaming(_ folder: StoreFolder, count: Int) async throws -> Int {
    let store = try await AccountStore(path: folder.database("store"))
    let growth = try await peakGrowth {
        var read = 0
        for try await account in store.accounts() where account.accessToken != nil { read += 1 }
        try check(read == count, "not all accounts were read")
    }
    try await store.close()
    return growth
}
