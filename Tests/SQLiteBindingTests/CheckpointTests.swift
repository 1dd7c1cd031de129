import Foundation
import TestSupport
import Testing

@testable import SQLiteBinding

@Suite("When the log is copied")
struct CheckpointScheduleTests {
    private let policy: CheckpointPolicy = {
        var policy = CheckpointPolicy()
        policy.logBytes = 100
        policy.warningBytes = 400
        policy.readerWait = .milliseconds(20)
        return policy
    }()

    @Test("it is when it has grown long enough, and not before it has grown again")
    func due() {
        var schedule = CheckpointSchedule(policy)
        #expect(schedule.due(oldestReader: nil) == nil)
        schedule.noteCommit(logBytes: 99)
        #expect(schedule.due(oldestReader: nil) == nil)
        schedule.noteCommit(logBytes: 130)
        #expect(schedule.due(oldestReader: nil) == .copy)
        schedule.noteAttempt(isComplete: true, isReset: false)
        #expect(!schedule.hasBacklog)
        #expect(schedule.due(oldestReader: nil) == nil)
        // The next commit begins it anew.
        schedule.noteCommit(logBytes: 20)
        #expect(schedule.due(oldestReader: nil) == nil)
        schedule.noteCommit(logBytes: 101)
        #expect(schedule.due(oldestReader: nil) == .copy)
    }

    @Test("a log that does not begin anew is tried again as it grows, and readers that are quick are waited for")
    func readers() {
        var schedule = CheckpointSchedule(policy)
        schedule.noteCommit(logBytes: 110)
        schedule.noteAttempt(isComplete: false, isReset: false)
        schedule.noteCommit(logBytes: 209)
        #expect(schedule.due(oldestReader: nil) == nil)
        schedule.noteCommit(logBytes: 210)
        #expect(schedule.due(oldestReader: nil) == .reset)
        #expect(schedule.due(oldestReader: .milliseconds(30)) == .reset)
        #expect(schedule.due(oldestReader: .seconds(30)) == .copy)
        schedule.noteAttempt(isComplete: false, isReset: false)
        schedule.noteCommit(logBytes: 10_000)
        schedule.noteAttempt(isComplete: false, isReset: false)
        schedule.noteCommit(logBytes: 12_400)
        #expect(schedule.due(oldestReader: nil) == nil)
        schedule.noteCommit(logBytes: 12_500)
        #expect(schedule.due(oldestReader: nil) == .reset)
        schedule.noteAttempt(isComplete: true, isReset: true)
        #expect(schedule.logBytes == 0)
        schedule.noteCommit(logBytes: 99)
        #expect(schedule.due(oldestReader: nil) == nil)
    }

    @Test("growth is told once, again when it has doubled, and anew when the log has begun anew")
    func warnings() {
        var schedule = CheckpointSchedule(policy)
        var warned: [Int64] = []
        for bytes in [100, 399, 400, 500, 799, 800, 3_000, 5_999, 6_000, 10, 399, 401] as [Int64] {
            schedule.noteCommit(logBytes: bytes)
            if schedule.takeWarning() { warned.append(bytes) }
        }
        #expect(warned == [400, 800, 3_000, 6_000, 401])
    }
}

@Suite("A pool's write-ahead log")
struct LogKeeperTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let events = EventLog()

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "log.sqlite")
        try Connection(path: path).execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT")
    }

    private func pool(_ change: (inout CheckpointPolicy) -> Void = { _ in }) throws -> ConnectionPool {
        var policy = CheckpointPolicy()
        policy.logBytes = 256 << 10
        policy.keptLogBytes = 512 << 10
        policy.warningBytes = 1 << 20
        policy.idleDelay = .seconds(600)
        change(&policy)
        var options = ConnectionPool.Options()
        options.connection.synchronous = .off
        options.checkpoints = policy
        options.observer = PoolObserver { [events] in events.add($0) }
        return try ConnectionPool(path: path, options: options)
    }

    private func write(_ pool: ConnectionPool, rounds: Int) async throws {
        for _ in 0..<rounds {
            try await pool.write { connection in
                _ = try connection.run("INSERT INTO t (b) VALUES (randomblob(20000))")
            }
        }
    }

    @Test("stays as short as the policy says, however much is written")
    func bounded() async throws {
        let pool = try pool()
        for _ in 0..<40 {
            try await write(pool, rounds: 10)
            #expect(pool.statistics.logBytes <= 400 << 10)
        }
        let statistics = pool.statistics
        #expect(statistics.checkpoints.count >= 20)
        #expect(statistics.commits == 400)
        #expect(statistics.databaseBytes > 7 << 20)
        try await until { events.count(of: .checkpoint) == statistics.checkpoints.count }
        #expect(events.count(of: .logGrowth) == 0)
        try await pool.close()
        #expect(try Connection(path: path).count("t") == 400)
    }

    @Test("grows while somebody reads, which is told, and begins anew when that is over")
    func longReader() async throws {
        let pool = try pool()
        try await write(pool, rounds: 1)
        let begun = Latch()
        let end = Latch()
        let reader = onThread {
            try pool.readSync { connection in
                let before = try connection.count("t")
                begun.open()
                end.wait()
                let after = try connection.count("t")
                #expect(before == 1 && after == 1)
            }
        }
        try await begun.opened()
        try await write(pool, rounds: 150)
        try await until { events.count(of: .logGrowth) >= 2 }
        for case .logGrowth(let bytes, let oldest) in events.all {
            #expect(bytes >= 1 << 20)
            #expect(oldest != nil)
        }
        #expect(pool.statistics.oldestReader != nil)
        #expect(pool.statistics.logBytes > 2 << 20)
        end.open()
        try await reader.opened()
        // Some attempts come before the log is a quarter longer.
        try await write(pool, rounds: 150)
        try await until { pool.statistics.logBytes <= 512 << 10 }
        #expect(pool.statistics.oldestReader == nil)
        try await pool.close()
    }

    @Test(
        "is copied and cut when nothing has been written for a time, after one large transaction too",
        arguments: [256 << 10, 1 << 30] as [Int64]
    )
    func idle(logBytes: Int64) async throws {
        let pool = try pool {
            $0.logBytes = logBytes
            $0.idleDelay = .milliseconds(20)
        }
        try await pool.write { connection in
            for _ in 0..<200 { try connection.run("INSERT INTO t (b) VALUES (randomblob(20000))") }
        }
        try await until { pool.statistics.logBytes <= 512 << 10 }
        let log = try #require(try await pool.read { try $0.value("SELECT count(*) FROM t") })
        #expect(log == .integer(200))
        #expect(pool.statistics.databaseBytes > 3 << 20)
        // Nothing more to do: no thread wakes for it.
        try await until { pool.statistics.checkpoints.count == 2 }
        let checkpoints = pool.statistics.checkpoints.count
        try await Task.sleep(for: .milliseconds(200))
        #expect(pool.statistics.checkpoints.count == checkpoints)
        try await pool.close()
    }

    @Test("is left to SQLite if there is no policy")
    func none() async throws {
        var options = ConnectionPool.Options()
        options.connection.synchronous = .off
        options.connection.walAutocheckpoint = 20
        options.checkpoints = nil
        let pool = try ConnectionPool(path: path, options: options)
        try await write(pool, rounds: 100)
        #expect(pool.statistics.checkpoints.count == 0)
        #expect(pool.statistics.logBytes < 1 << 20)
        try await pool.close()
    }
}

/// The events of a pool, in order.
final class EventLog: Sendable {
    /// Which event it is, without what comes with it.
    enum Kind {
        case slowStatement, slowTransaction, longWait, lockWait, logGrowth, checkpoint, checkpointFailed, corruption
        case reopened

        init(_ event: PoolEvent) {
            self =
                switch event {
                case .slowStatement: .slowStatement
                case .slowTransaction: .slowTransaction
                case .longWait: .longWait
                case .lockWait: .lockWait
                case .logGrowth: .logGrowth
                case .checkpoint: .checkpoint
                case .checkpointFailed: .checkpointFailed
                case .corruption: .corruption
                case .reopened: .reopened
                }
        }
    }

    private let events = Monitor<[PoolEvent]>([])

    var all: [PoolEvent] { events.withLock { $0 } }

    func add(_ event: PoolEvent) { events.withLock { $0.append(event) } }

    func count(of kind: Kind) -> Int { all.count { Kind($0) == kind } }
}
