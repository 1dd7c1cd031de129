import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Busy timeout")
struct BusyTests {
    let folder: TemporaryDirectory
    let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "busy.sqlite")
        try Connection(path: path).execute("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (0)")
    }

    private func configuration(timeout: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.busyTimeout = timeout
        return configuration
    }

    /// Holds the lock for writing on another thread for a while; returns when it is held.
    private func holdWriteLock(for seconds: Double) -> Latch {
        let held = Latch()
        let ended = onThread { [path] in
            let connection = try Connection(path: path)
            try connection.transaction {
                try connection.run("UPDATE t SET a = a + 1")
                held.open()
                Thread.sleep(forTimeInterval: seconds)
            }
        }
        held.wait()
        return ended
    }

    @Test("a write waits for the lock that another connection holds", .timeLimit(.minutes(10)))
    func waits() throws {
        let connection = try Connection(path: path)
        let ended = holdWriteLock(for: 0.4)
        let start = ContinuousClock.now
        try connection.transaction {
            // Read, then write: the lock for writing is there from the start, so nothing has changed in between.
            #expect(try connection.value("SELECT a FROM t") == 1)
            try connection.run("UPDATE t SET a = a + 1")
        }
        let waited = start.duration(to: .now)
        #expect(waited > .milliseconds(200) && waited < .seconds(4))
        #expect(connection.busyWaits.count == 1)
        #expect(connection.busyWaits.total > .milliseconds(200))
        ended.wait()
    }

    @Test("when the timeout is over the error says how long it waited", .timeLimit(.minutes(10)))
    func givesUp() throws {
        let connection = try Connection(path: path, configuration: configuration(timeout: .milliseconds(150)))
        let ended = holdWriteLock(for: 0.6)
        let error = try sqliteError { try connection.transaction {} }
        #expect(error.code.primary == .busy)
        let waited = try #require(error.waited)
        #expect(waited >= .milliseconds(150) && waited < .milliseconds(550))
        #expect(error.description.contains("held the lock for all of the 0."))
        #expect(error.description.contains("try again once it is done; the busy timeout says"))
        ended.wait()
        try connection.transaction { _ = try connection.run("UPDATE t SET a = a + 1") }
    }

    @Test("without a timeout it fails at once")
    func noTimeout() throws {
        let connection = try Connection(path: path, configuration: configuration(timeout: .zero))
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        #expect(try sqliteError { try connection.transaction {} }.code.primary == .busy)
        #expect(start.duration(to: .now) < .milliseconds(100))
    }

    @Test("a snapshot that is too old to be written to is said to be that, at once")
    func snapshotConflict() throws {
        let connection = try Connection(path: path)
        let other = try Connection(path: path)
        let start = ContinuousClock.now
        let error = try sqliteError {
            try connection.transaction(.deferred) {
                _ = try connection.value("SELECT a FROM t")
                try other.run("UPDATE t SET a = 5")
                try connection.run("UPDATE t SET a = 6")
            }
        }
        #expect(error.code == .busySnapshot)
        #expect(error.description.contains("run the whole transaction again"))
        #expect(start.duration(to: .now) < .seconds(2))
        #expect(connection.isAutocommit)
    }

    @Test("switching to the write-ahead log waits for a reader", .timeLimit(.minutes(10)))
    func journalSwitch() throws {
        let other = folder.path(of: "journal.sqlite")
        var rollback = Configuration()
        rollback.journalMode = .delete
        try Connection(path: other, configuration: rollback).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let held = Latch()
        let ended = onThread { [rollback] in
            let reader = try Connection(path: other, configuration: rollback)
            try reader.transaction(.deferred) {
                _ = try reader.value("SELECT a FROM t")
                held.open()
                Thread.sleep(forTimeInterval: 0.3)
            }
            reader.close()
        }
        held.wait()
        let connection = try Connection(path: other)
        #expect(try connection.value("PRAGMA journal_mode") == "wal")
        ended.wait()
    }

    @Test("many connections that write at once all get their turn", .timeLimit(.minutes(10)))
    func turns() throws {
        let threads = (0..<6).map { _ in
            onThread { [path, configuration = configuration(timeout: .seconds(300))] in
                let connection = try Connection(path: path, configuration: configuration)
                for _ in 0..<30 {
                    try connection.transaction { _ = try connection.run("UPDATE t SET a = a + 1") }
                }
            }
        }
        for thread in threads { thread.wait() }
        #expect(try Connection(path: path).value("SELECT a FROM t") == 180)
    }

    @Test("an interrupt ends a wait for a lock", .timeLimit(.minutes(10)))
    func interruptWait() throws {
        let connection = try Connection(path: path, configuration: configuration(timeout: .seconds(30)))
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let interrupt = connection.interruptHandle
        let ended = onThread {
            Thread.sleep(forTimeInterval: 0.1)
            interrupt.interrupt()
        }
        let error = try sqliteError { try connection.transaction {} }
        #expect(error.code == .interrupt)
        ended.wait()
        other.close()
        try connection.transaction {}
    }

    @Test("an interrupt ends a statement, and the connection goes on", .timeLimit(.minutes(10)))
    func interruptStatement() throws {
        let connection = try Connection(path: path)
        let interrupt = connection.interruptHandle
        interrupt.interrupt()
        let ended = onThread {
            Thread.sleep(forTimeInterval: 0.1)
            interrupt.interrupt()
        }
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("UPDATE t SET a = 77")
                _ = try connection.value(endless)
            }
        }
        #expect(error.code == .interrupt)
        #expect(connection.isAutocommit)
        #expect(try connection.value("SELECT a FROM t") == 0)
        ended.wait()
    }
}

extension BusyTests {
    @Test("two processes wait for each other", .timeLimit(.minutes(10)))
    func processes() async throws {
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let connection = try Connection(path: path)
                for _ in 0..<100 {
                    try connection.transaction {
                        // Read, then write what follows from it: lost if another process could come between.
                        guard case .integer(let a)? = try connection.value("SELECT a FROM t") else { return }
                        usleep(500)
                        try connection.run("UPDATE t SET a = ?", [.integer(a + 1)])
                    }
                }
            }
        }()
        let connection = try Connection(path: path)
        for _ in 0..<100 {
            try connection.transaction {
                guard case .integer(let a)? = try connection.value("SELECT a FROM t") else { return }
                usleep(500)
                try connection.run("UPDATE t SET a = ?", [.integer(a + 1)])
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        await other
        #expect(try connection.value("SELECT a FROM t") == 200)
    }
}
