import AccountStorage
import CFaultyFiles

/// Uses a store while SQLite gets no memory, for one allocation after the other.
///
/// It says `did NAME COUNT` of each thing that it does, with how many allocations were made to fail, and `wrong WHAT` of what should
/// not be.
struct Starving {
    /// The numbers in the accounts, by their uids.
    private typealias Contents = [Int64: Int64]

    /// Something to do with a store that holds certain accounts, and with a number; it gives what there is then.
    private struct Use {
        var name: String
        var run: @Sendable (AccountStore, Contents, Int64) async throws -> Contents
    }

    let path: String
    let stays: Bool
    /// One of how many allocations is made to fail.
    let step: Int

    static func run(path: String, step: Int) async throws {
        guard faulty_memory_install() else { return StoreWorker.say("wrong SQLite is in use already") }
        for stays in [true, false] {
            try await Starving(path: "\(path)-\(stays)", stays: stays, step: max(1, step)).run()
        }
    }

    private func run() async throws {
        let store = try await AccountStore(path: path)
        try await store.save((1...200).map { account($0, 0) })
        try await store.close()
        try await starveOpening()
        try await starveUses(AccountStore(path: path))
    }

    private func starveOpening() async throws {
        var (nth, failures) = (1, 1)
        while failures > 0 {
            faulty_memory_arm(nth, stays)
            var opened: AccountStore?
            do { opened = try await AccountStore(path: path) } catch { judge(error, "open \(nth)") }
            failures = faulty_memory_disarm()
            try await opened?.close()
            nth += step
        }
        StoreWorker.say("did open \(nth / step)")
    }

    private func starveUses(_ store: AccountStore) async throws {
        var contents = try await Self.contents(of: store)
        var number: Int64 = 0
        for use in uses {
            var (nth, failures) = (1, 1)
            while failures > 0 {
                number += 1
                faulty_memory_arm(nth, stays)
                do { contents = try await use.run(store, contents, number) } catch {
                    judge(error, "\(use.name) \(nth)")
                }
                failures = faulty_memory_disarm()
                let found = try await Self.contents(of: store)
                if found != contents { StoreWorker.say("wrong after \(use.name) \(nth): \(found.count) accounts") }
                contents = found
                nth += step
            }
            StoreWorker.say("did \(use.name.replacing(" ", with: "-")) \(nth / step)")
        }
        if try await !store.check().isHealthy { StoreWorker.say("wrong check") }
        try await store.close()
    }

    private func judge(_ error: any Error, _ place: String) {
        if StoreWorker.code(of: error) != "outOfMemory" { StoreWorker.say("wrong \(place): \(error)") }
    }

    private var uses: [Use] {
        let copy = path + "-copy"
        return [
            Use(name: "save") { store, contents, number in
                try await store.save(account(1, number))
                return contents.merging([1: number]) { $1 }
            },
            Use(name: "save many") { store, contents, number in
                try await store.save((100..<300).map { account($0, number) })
                return contents.merging((100..<300).map { ($0, number) }) { $1 }
            },
            Use(name: "remove") { store, contents, number in
                try await store.remove(uid: number.isMultiple(of: 2) ? 2 : 3)
                return contents.filter { $0.key != (number.isMultiple(of: 2) ? 2 : 3) }
            },
            Use(name: "read") { store, contents, _ in
                let found = try await store.account(uid: 1)
                if found != account(1, contents[1] ?? 0) { StoreWorker.say("wrong read") }
                return contents
            },
            Use(name: "read all") { store, contents, _ in
                if try await Self.contents(of: store) != contents { StoreWorker.say("wrong read of all") }
                return contents
            },
            Use(name: "check") { store, contents, _ in
                let problems = try await store.check().problems
                if !problems.isEmpty { StoreWorker.say("wrong check: \(problems)") }
                return contents
            },
            Use(name: "backup") { store, contents, _ in
                try await store.backup(to: copy)
                return contents
            },
        ]
    }

    /// What a store holds, if each account is just as it was saved.
    private static func contents(of store: AccountStore) async throws -> Contents {
        var contents: Contents = [:]
        for try await found in store.accounts() {
            if found != account(found.uid, found.expiresIn) { StoreWorker.say("wrong account \(found.uid)") }
            contents[found.uid] = found.expiresIn
        }
        return contents
    }
}

private func account(_ uid: Int64, _ number: Int64) -> Account {
    // Long enough to need memory of its own wherever it is copied.
    Account(uid: uid, accessToken: String(repeating: "2.00token", count: 100), expiresIn: number)
}
