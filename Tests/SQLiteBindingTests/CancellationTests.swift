import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    let folder: TemporaryDirectory
    let pool: ConnectionPool
    static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    init() throws {
        folder = try TemporaryDirectory()
        var options = ConnectionPool.Options()
        options.readers = 1
        options.connection.synchronous = .off
        pool = try ConnectionPool(path: folder.path(of: "c.sqlite"), options: options)
        try pool.writeSync { try $0.execute("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (0)") }
    }

    @Test("500 times a write that may be cancelled, then one that works")
    func cancelledWrites() async throws {
        let ran = Counter()
        var succeeded = 0
        for round in 0..<500 {
            let task = Task {
                try await pool.write { connection in
                    try connection.run("UPDATE t SET a = a + 1")
                    if round.isMultiple(of: 3) { usleep(300) }
                    ran.increment()
                }
            }
            if !round.isMultiple(of: 5) { try await Task.sleep(for: .microseconds(Int.random(in: 0...600))) }
            task.cancel()
            do {
                try await task.value
                succeeded += 1
            } catch is CancellationError {}
            let state = try await pool.write(inTransaction: false) { connection in
                let isAutocommit = connection.isAutocommit
                try connection.run("UPDATE t SET a = a + 1")
                return (isAutocommit, try connection.value("PRAGMA query_only"))
            }
            #expect(state.0 && state.1 == 0)
        }
        #expect(ran.value == succeeded)
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == .integer(Int64(500 + succeeded)))
    }

    @Test("200 times a long read that is cancelled, then one that works", arguments: [true, false])
    func cancelledReads(inTransaction: Bool) async throws {
        for _ in 0..<200 {
            let task = Task {
                try await pool.read(on: .poolThread, inTransaction: inTransaction) { connection in
                    try connection.value(Self.endless)
                }
            }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...500)))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await pool.read(on: .poolThread) { try $0.value("SELECT a FROM t") } == 0)
            #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 0)
        }
    }

    @Test("a task that was cancelled before does not begin")
    func cancelledBefore() async throws {
        let ran = Counter()
        let task = Task { [pool] in
            while !Task.isCancelled { await Task.yield() }
            for placement in [ReadPlacement.callerIfFree, .poolThread] {
                await #expect(throws: CancellationError.self) {
                    try await pool.read(on: placement) { _ in ran.increment() }
                }
            }
            await #expect(throws: CancellationError.self) { try await pool.write { _ in ran.increment() } }
        }
        task.cancel()
        await task.value
        #expect(ran.value == 0)
    }

    @Test("a write that waits in the queue is cancelled at once, while another one runs")
    func cancelledInQueue() async throws {
        let started = Latch()
        let gate = Latch()
        let ran = Counter()
        let running = Task {
            try await pool.write { _ in
                started.open()
                gate.wait()
                ran.increment()
            }
        }
        try await started.opened()
        let waiting = Task { try await pool.write { _ in ran.increment() } }
        try await until { pool.statistics.waitingWrites > 0 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // What runs is a write: it is finished although its task is cancelled.
        running.cancel()
        gate.open()
        _ = try await running.value
        try await pool.write { _ in }
        #expect(ran.value == 1)
    }
}
