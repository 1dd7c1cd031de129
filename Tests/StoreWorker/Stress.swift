import AccountStorage
import FoundationEssentials

/// Many tasks that save, read and are cancelled, each with accounts of its own and one that all share.
///
/// It says `is UID NUMBER` of each account in the end, `time SECONDS` of the shared one, and `did SAVES CANCELLED READS`.
enum Stress {
    /// - Parameter numbers: which process it is, for how many milliseconds, and how many tasks.
    static func run(path: String, numbers: [Int64]) async throws {
        guard numbers.count == 3 else { throw StoreWorker.WrongUsage() }
        var options = AccountStoreOptions()
        options.busyTimeout = .seconds(300)
        let store = try await AccountStore(path: path, options: options)
        let end = ContinuousClock.now + .milliseconds(numbers[1])
        let tallies = try await withThrowingTaskGroup(of: Tally.self) { group in
            for task in 0..<numbers[2] {
                group.addTask {
                    var worker = StressTask(store: store, number: numbers[0] * 1_000 + task)
                    while ContinuousClock.now < end { try await worker.step() }
                    return worker.finish()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await store.close()
        StoreWorker.say("time \(tallies.map(\.latest).max() ?? 0)")
        let (saves, cancelled) = (tallies.map(\.saves).reduce(0, +), tallies.map(\.cancelled).reduce(0, +))
        StoreWorker.say("did \(saves) \(cancelled) \(tallies.map(\.reads).reduce(0, +))")
    }

    struct Tally: Sendable {
        var saves = 0
        var cancelled = 0
        var reads = 0
        /// The latest time that the shared account was saved with.
        var latest: Int64 = 0
    }
}

/// One task: a pair of accounts that always have the same number, and one account alone.
private struct StressTask {
    let store: AccountStore
    let number: Int64
    private var pairNumber: Int64 = 0
    private var aloneNumber: Int64 = 0
    private var tally = Stress.Tally()
    private var random = SystemRandomNumberGenerator()

    struct Wrong: Error {
        var what: String
    }

    init(store: AccountStore, number: Int64) {
        self.store = store
        self.number = number
    }

    private var pair: [Int64] { [number * 4 + 1, number * 4 + 2] }
    private var alone: Int64 { number * 4 + 3 }

    mutating func step() async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let (next, pair, store) = (pairNumber + 1, pair, store)
            if try await isDone({ try await store.save(pair.map { account($0, next) }) }) { pairNumber = next }
        case 2, 3:
            let (next, alone, store) = (aloneNumber + 1, alone, store)
            if try await isDone({ _ = try await store.save(account(alone, next)) }) { aloneNumber = next }
        case 4:
            let (time, store) = (Int64.random(in: 1...1_000_000_000, using: &random), store)
            var shared = account(0, time)
            shared.obtainedAt = Date(timeIntervalSince1970: Double(time))
            let saved = shared
            if try await isDone({ _ = try await store.save(saved, onConflict: .newest) }) {
                tally.latest = max(tally.latest, time)
            }
        default: try await read()
        }
    }

    func finish() -> Stress.Tally {
        for uid in pair { StoreWorker.say("is \(uid) \(pairNumber)") }
        StoreWorker.say("is \(alone) \(aloneNumber)")
        return tally
    }

    /// Runs a save that may be cancelled, and says whether it was done: as it says itself, and nothing between.
    private mutating func isDone(_ save: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        let task = Task(operation: save)
        if Int.random(in: 0..<4, using: &random) == 0 {
            if Bool.random(using: &random) { try await Task.sleep(for: .microseconds(Int.random(in: 0...2_000))) }
            task.cancel()
        }
        do {
            try await task.value
            tally.saves += 1
            return true
        } catch is CancellationError {
            tally.cancelled += 1
            return false
        }
    }

    /// Sees what this task has saved, whatever the others do.
    private mutating func read() async throws {
        tally.reads += 1
        let (store, pair) = (store, pair)
        let task = Task { try await store.accounts(uids: pair).map(\.expiresIn) }
        if Int.random(in: 0..<6, using: &random) == 0 { task.cancel() }
        do {
            let found = try await task.value
            let expected = pairNumber == 0 ? [] : [pairNumber, pairNumber]
            if found != expected { throw Wrong(what: "\(found) instead of \(expected)") }
        } catch is CancellationError {}
    }
}

private func account(_ uid: Int64, _ number: Int64) -> Account {
    Account(uid: uid, accessToken: "2.00token", expiresIn: number, remindIn: 0)
}
