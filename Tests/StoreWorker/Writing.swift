import AccountStorage

/// Writes without end: each task its range of accounts, with one number more in all of them each time.
///
/// It says `open MILLISECONDS`, for each range `found FIRST COUNT LEAST GREATEST`, and after each save `saved FIRST NUMBER`.
enum Writing {
    static func run(path: String, ranges: [UIDRange]) async throws {
        let start = ContinuousClock.now
        let store = try await AccountStore(path: path)
        _ = try await store.account(uid: ranges.first?.first ?? 0)
        StoreWorker.say("open \(start.duration(to: .now) / .milliseconds(1))")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for range in ranges { group.addTask { try await write(range, to: store) } }
            try await group.waitForAll()
        }
    }

    private static func write(_ range: UIDRange, to store: AccountStore) async throws {
        let numbers = try await store.accounts(uids: Array(range.uids)).map(\.expiresIn)
        var number = numbers.max() ?? 0
        StoreWorker.say("found \(range.first) \(numbers.count) \(numbers.min() ?? 0) \(number)")
        while true {
            number += 1
            let accounts = range.accounts(number)
            if accounts.count == 1 { try await store.save(accounts[0]) } else { try await store.save(accounts) }
            StoreWorker.say("saved \(range.first) \(number)")
        }
    }
}

/// Makes stores without end, with an account in each. It says `saved NAME` of each.
enum Creating {
    static func run(folder: String) async throws {
        for number in 0... {
            let store = try await AccountStore(path: "\(folder)/\(number).sqlite")
            try await store.save(Account(uid: 1, accessToken: "2.00token", expiresIn: 1))
            StoreWorker.say("saved \(number).sqlite")
            try await store.close()
        }
    }
}
