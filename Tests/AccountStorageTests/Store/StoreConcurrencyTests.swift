import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A store used by many")
struct StoreConcurrencyTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("cancelled writes leave the store as usable as before, 500 times (A7)")
    func cancellation() async throws {
        let store = try await folder.open { $0.durability = .normal }
        var saved = 0
        for round in 0..<500 {
            let task = Task { try await store.save((0..<20).map { .sample($0, token: "\(round)") }) }
            try await Task.sleep(for: .microseconds(Int64(round % 7) * 500))
            task.cancel()
            do {
                _ = try await task.value
                saved += 1
            } catch {
                #expect(error is CancellationError)
            }
            #expect(try await store.save(.sample(100, token: "\(round)")) != .unchanged)
            #expect(try await store.account(uid: 100)?.accessToken == "\(round)")
            let isClean = try await store.pool.write(inTransaction: false) { connection in
                try connection.isAutocommit && connection.value("PRAGMA query_only") == 0
            }
            #expect(isClean)
            // A batch is there as a whole or not at all.
            let tokens = try await store.accounts(uids: Array(0..<20)).map(\.accessToken)
            #expect(Set(tokens).count <= 1)
        }
        #expect(saved > 0)
    }

    @Test("cancelled reads leave the store as usable as before (A7)")
    func cancelledReads() async throws {
        let store = try await folder.open()
        try await store.save((0..<3_000).map { .sample($0) })
        for round in 0..<100 {
            let task = Task { try await store.accounts().collected().count }
            try await Task.sleep(for: .microseconds(round * 100))
            task.cancel()
            do {
                #expect(try await task.value == 3_000)
            } catch {
                #expect(error is CancellationError)
            }
        }
        #expect(try await store.accounts().collected().count == 3_000)
    }

    @Test("a snapshot that takes too long, or whose task is cancelled, ends, whatever it is doing")
    func endedSnapshots() async throws {
        let store = try await folder.open { $0.readTimeLimit = .milliseconds(10) }
        try await store.save((0..<100).map { .sample($0) })
        let error = try await storeError {
            try await store.read { snapshot in
                while try snapshot.count() == 100 {}
            }
        }
        #expect(error.code == .timedOut)
        #expect(error.message.contains("limit of 0.01 s"), "\(error)")
        #expect(try await store.check().isHealthy)
        let unlimited = try await folder.open()
        let task = Task {
            try await unlimited.read { snapshot in
                while try snapshot.count() == 100 {}
            }
        }
        try await Task.sleep(for: .milliseconds(10))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await unlimited.account(uid: 1) == .sample(1))
    }

    @Test("a save goes on though tasks that read without a pause have all threads", .timeLimit(.minutes(10)))
    func courtesy() async throws {
        let store = try await folder.open { $0.durability = .normal }
        try await store.save((0..<10).map { .sample($0) })
        let isOver = Monitor(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for uid in 0..<Int64(2 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    while !isOver.withLock({ $0 }) {
                        let account = try await store.account(uid: uid % 10)
                        #expect(account != nil)
                    }
                }
            }
            defer { isOver.withLock { $0 = true } }
            for round in 0..<20 {
                let outcome = try await store.save(.sample(100, token: "\(round)"))
                #expect(outcome != .unchanged)
            }
        }
    }

    @Test("using a store from inside one of its own transactions is an error at once (A11)", arguments: [1, 4])
    func reentrancy(readers: Int) async throws {
        let store = try await folder.open { $0.readers = readers }
        let pool = store.pool
        for use in [
            { try await store.write { _ in try pool.writeSync { _ in } } },
            { try await store.read(on: .poolThread) { _ in try pool.writeSync { _ in } } },
            { try await store.read(on: .callerIfFree) { _ in try pool.readSync { _ in } } },
        ] as [() async throws -> Void] {
            let error = try await storeError(#_sourceLocation, use)
            #expect(error.code == .reentrant)
        }
        try await store.save(.sample(1))
    }

    @Test("tasks of two stores on one file write at once and lose nothing")
    func twoStores() async throws {
        let stores = [try await folder.open(), try await folder.open()]
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<25 {
                        let uid = Int64(task * 1_000 + index)
                        #expect(try await stores[task % 2].save(.sample(uid)) == .inserted)
                        try await stores[task % 2].save(.sample(-1, obtainedAt: uid), onConflict: .newest)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].count() == 201)
        #expect(try await stores[1].account(uid: -1)?.obtainedAt == Date(timeIntervalSince1970: 7_024))
        #expect(try await stores[0].check().isHealthy)
    }

    @Test("processes that open a new store and write at once lose nothing")
    func processes() async throws {
        let path = folder.path
        await withTaskGroup { group in
            for process in 0..<3 as Range<Int64> {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, process = process as Int64] in
                        var options = AccountStoreOptions()
                        options.busyTimeout = .seconds(30)
                        let store = try await AccountStore(path: path, options: options)
                        for index in 0..<50 as Range<Int64> {
                            try await store.save(.sample(process * 100 + index))
                            try await store.save(.sample(-1, obtainedAt: process * 100 + index), onConflict: .newest)
                        }
                        try await store.close()
                    }
                }
            }
        }
        let store = try await folder.open()
        #expect(try await store.count() == 151)
        #expect(try await store.account(uid: -1)?.obtainedAt == Date(timeIntervalSince1970: 249))
        #expect(try await store.check().isHealthy)
    }

    @Test("of four processes that write without a pause each gets its turn, until all have had a hundred")
    func fairness() async throws {
        let path = folder.path
        try await folder.open().close()
        await withTaskGroup { group in
            for process in 1...4 as ClosedRange<Int64> {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, process = process as Int64] in
                        var options = AccountStoreOptions()
                        // One that starves fails: the others go on until it has had its turns.
                        options.busyTimeout = .seconds(60)
                        let store = try await AccountStore(path: path, options: options)
                        var turns: Int64 = 0
                        var isOver = false
                        while !isOver {
                            turns += 1
                            let token = "\(process)"
                            try await store.save(.sample(process, token: token, expiresIn: turns), onConflict: .replace)
                            let all = try await store.accounts(uids: [1, 2, 3, 4])
                            isOver = all.count == 4 && all.allSatisfy { $0.expiresIn >= 100 }
                        }
                        try await store.close()
                    }
                }
            }
        }
        let store = try await folder.open()
        let turns = try await store.accounts(uids: [1, 2, 3, 4]).map(\.expiresIn)
        #expect(turns.count == 4 && turns.allSatisfy { $0 >= 100 }, "\(turns)")
        #expect(try await store.check().isHealthy)
    }

    @Test("a writer waits for another process, and after the busy timeout tells how long it has waited (A9)")
    func busy() async throws {
        let store = try await folder.open { $0.busyTimeout = .milliseconds(200) }
        let patient = try await folder.open { $0.busyTimeout = .seconds(20) }
        try await store.save(.sample(1))
        let other = try Connection(path: folder.path)
        try other.execute("BEGIN IMMEDIATE; UPDATE accounts SET remind_in = 5")
        let start = ContinuousClock.now
        let error = try await storeError { try await store.save(.sample(2)) }
        #expect(start.duration(to: .now) >= .milliseconds(200))
        #expect(error.code == .busy)
        let waited = error.message.firstMatch(of: #/for all of the ([0-9.]+) s that this one waited/#)
        #expect(waited.flatMap { Double($0.1) } ?? 0 >= 0.2, "\(error)")
        // Reading waits for nobody.
        #expect(try await store.account(uid: 1) == .sample(1))
        async let saved = patient.save(.sample(3))
        try await Task.sleep(for: .milliseconds(100))
        try other.execute("COMMIT")
        #expect(try await saved == .inserted)
        #expect(try await store.save(.sample(2)) == .inserted)
    }

    @Test("a full disk is told as such, and costs nothing but the batch that met it (A17)")
    func diskFull() async throws {
        let store = try await folder.open()
        try await store.save((0..<100).map { .sample($0) })
        try await limitPages(of: store, to: 20)
        let batch = (1_000..<11_000).map { Account.sample($0, token: String(repeating: "t", count: 100)) }
        for _ in 0..<2 {
            let error = try await storeError { try await store.save(batch) }
            #expect(error.code == .diskFull)
            #expect(!error.message.contains("no transaction"))
            #expect(!error.message.contains("ttt"))
        }
        #expect(try await store.count() == 100)
        #expect(try await store.check().isHealthy)
        try await limitPages(of: store, to: 100_000)
        #expect(try await store.save(batch).inserted == 10_000)
    }
}

@Suite("A store whose process is killed")
struct StoreCrashTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("no save that has returned is lost, and no batch is there in part")
    func killed() async throws {
        for round in 0..<4 as Range<Int64> {
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int64] in
                let store = try await AccountStore(path: path)
                let acknowledgements = open(path + ".acks", O_WRONLY | O_CREAT | O_APPEND, 0o600)
                let killer = Thread {
                    usleep(UInt32(150_000 + round * 70_000))
                    kill(getpid(), SIGKILL)
                }
                killer.start()
                try await withThrowingTaskGroup { group in
                    for task in 0..<4 as Range<Int64> {
                        group.addTask {
                            for index in 0..<Int64.max {
                                let first = (round * 4 + task) * 1_000_000 + index * 3
                                try await store.save((first..<(first + 3)).map { .sample($0) })
                                let line = "\(first)\n"
                                _ = write(acknowledgements, line, line.utf8.count)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        let acknowledged = try String(contentsOfFile: folder.path + ".acks", encoding: .utf8).split(separator: "\n")
            .compactMap { Int64($0) }
        let store = try await folder.open()
        let uids = Set(try await store.accounts().collected().map(\.uid))
        #expect(acknowledged.count > 20)
        #expect(acknowledged.allSatisfy { uids.contains($0) && uids.contains($0 + 1) && uids.contains($0 + 2) })
        #expect(uids.count.isMultiple(of: 3))
        #expect(try await store.check().isHealthy)
    }
}
