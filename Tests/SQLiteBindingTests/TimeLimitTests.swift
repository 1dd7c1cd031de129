import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Time limits of a pool")
struct TimeLimitTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    /// Long enough to look whether it is still wanted.
    private let long =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT count(*) FROM n"

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "limits.sqlite")
        try Connection(path: path).execute("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (0)")
    }

    private func pool(_ change: (inout ConnectionPool.Options) -> Void) throws -> ConnectionPool {
        var options = ConnectionPool.Options()
        options.readers = 1
        change(&options)
        return try ConnectionPool(path: path, options: options)
    }

    @Test(
        "a read that takes too long ends, and never one that comes after it on the same connection",
        arguments: [ReadPlacement.callerIfFree, .poolThread],
        [true, false]
    )
    func reads(placement: ReadPlacement, inTransaction: Bool) async throws {
        let limit = Duration.milliseconds(5)
        let pool = try pool { $0.readTimeLimit = limit }
        for _ in 0..<50 {
            await #expect(throws: ConnectionPoolError.readTimeout(limit: limit)) {
                _ = try await pool.read(on: placement, inTransaction: inTransaction) { [endless] in
                    try $0.value(endless)
                }
            }
            let count = try await pool.read(on: placement, inTransaction: inTransaction, isLimited: false) { [long] in
                try $0.value(long)
            }
            #expect(count == 20_000)
        }
        try await pool.close()
    }

    @Test("a read of many short statements ends too, and one on a thread of the caller's")
    func shortStatements() async throws {
        let pool = try pool { $0.readTimeLimit = .milliseconds(5) }
        let ended = onThread {
            #expect(throws: ConnectionPoolError.readTimeout(limit: .milliseconds(5))) {
                try pool.readSync { connection in
                    while try connection.value("SELECT a FROM t") == 0 {}
                }
            }
        }
        try await ended.opened()
        try await pool.close()
    }

    @Test("a cancelled read of many short statements ends")
    func cancelledShortStatements() async throws {
        let pool = try pool { _ in }
        for _ in 0..<50 {
            let begun = Latch()
            let task = Task {
                try await pool.read(on: .poolThread) { connection in
                    begun.open()
                    while try connection.value("SELECT a FROM t") == 0 {}
                }
            }
            try await begun.opened()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await pool.close()
    }

    @Test("uses whose turn does not come in time are not run, wherever they wait")
    func waits() async throws {
        // Long enough for what is to have its turn, on a machine that does other things too.
        let limit = Duration.seconds(1)
        let pool = try pool {
            $0.waitTimeLimit = limit
            $0.queueCapacity = 2
        }
        let begun = Latch()
        let end = Latch()
        let writer = Task {
            try await pool.write { connection in
                begun.open()
                end.wait()
                try connection.run("UPDATE t SET a = a + 1")
            }
        }
        try await begun.opened()
        let reader = onThread {
            try pool.readSync { _ in
                begun.open()
                end.wait()
            }
        }
        try await begun.opened()
        let late = ConnectionPoolError.waitTimeout(limit: limit)
        await withTaskGroup { group in
            // Two of each have a place in the queue, the others wait for one.
            for _ in 0..<5 {
                group.addTask {
                    await #expect(throws: late) {
                        try await pool.write { _ = try $0.run("UPDATE t SET a = a + 1000") }
                    }
                    await #expect(throws: late) { try await pool.read { _ in } }
                }
            }
        }
        let threads = [
            onThread { #expect(throws: late) { try pool.writeSync { _ in } } },
            onThread { #expect(throws: late) { try pool.readSync { _ in } } },
        ]
        for thread in threads { try await thread.opened() }
        end.open()
        end.open()
        try await writer.value
        try await reader.opened()
        try await until { pool.statistics.waitingWrites == 0 }
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 1)
        try await pool.close()
    }

    @Test("waiting for another connection's lock is waiting too, and what was given up stays undone")
    func lockWaits() async throws {
        let limit = Duration.seconds(1)
        let pool = try pool {
            $0.waitTimeLimit = limit
            $0.connection.busyTimeout = .seconds(300)
        }
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE")
        await withTaskGroup { group in
            for sharing in [TransactionSharing.statement, .savepoint, nil] {
                group.addTask {
                    await #expect(throws: ConnectionPoolError.waitTimeout(limit: limit)) {
                        guard let sharing else { return try await pool.write { _ = try $0.run("DELETE FROM t") } }
                        _ = try await pool.writeSharing(sharing) { try $0.run("DELETE FROM t") }
                    }
                }
            }
        }
        try other.execute("COMMIT")
        try await until { pool.statistics.waitingWrites == 0 }
        #expect(try await pool.write { try $0.value("SELECT a FROM t") } == 0)
        try await pool.close()
    }

    @Test("a write that waits for another connection's lock can be cancelled, and is not run")
    func cancelledLockWait() async throws {
        let pool = try pool { $0.connection.busyTimeout = .seconds(300) }
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE")
        for sharing in [TransactionSharing.statement, nil] {
            let task = Task {
                guard let sharing else { return try await pool.write { _ = try $0.run("DELETE FROM t") } }
                _ = try await pool.writeSharing(sharing) { try $0.run("DELETE FROM t") }
            }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try other.execute("COMMIT")
        #expect(try await pool.write { try $0.value("SELECT a FROM t") } == 0)
        try await pool.close()
    }
}
