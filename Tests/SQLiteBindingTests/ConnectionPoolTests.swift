import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Connection pool", .timeLimit(.minutes(10)))
struct ConnectionPoolTests {
    let folder: TemporaryDirectory
    let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "pool.sqlite")
        try Connection(path: path).execute("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (0)")
    }

    private func pool(readers: Int = 2, capacity: Int = 1_024) throws -> ConnectionPool {
        var options = ConnectionPool.Options()
        options.readers = readers
        options.queueCapacity = capacity
        options.connection.synchronous = .off
        return try ConnectionPool(path: path, options: options)
    }

    @Test("what is written is read, each where it should run")
    func roundTrip() async throws {
        let pool = try pool()
        let writing = try await pool.write { connection in
            try connection.run("UPDATE t SET a = 5")
            return threadName()
        }
        #expect(writing == "sqlite-write")
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 5)
        let reading = try await pool.read(on: .poolThread) { _ in threadName() }
        #expect(reading == "sqlite-read")
        try await pool.close()
        #expect(try folder.names() == ["pool.sqlite"])
    }

    @Test("the synchronous calls do the same for threads that may block")
    func synchronous() throws {
        let pool = try pool(readers: 1)
        let name = try pool.writeSync { connection in
            try connection.run("UPDATE t SET a = 6")
            return threadName()
        }
        #expect(name == "sqlite-write")
        #expect(try pool.readSync { try $0.value("SELECT a FROM t") } == 6)
        #expect(throws: Stop(number: 1)) {
            try pool.writeSync { connection in
                try connection.run("UPDATE t SET a = 7")
                throw Stop(number: 1)
            }
        }
        #expect(try pool.readSync { try $0.value("SELECT a FROM t") } == 6)
        try pool.closeSync()
        #expect(throws: ConnectionPoolError.closed) { try pool.writeSync { _ in } }
        #expect(throws: ConnectionPoolError.closed) { try pool.readSync { _ in } }
    }

    @Test("a closure's error takes back what it wrote and comes out as it is")
    func rollback() async throws {
        let pool = try pool()
        await #expect(throws: Stop(number: 3)) {
            try await pool.write { connection in
                try connection.run("UPDATE t SET a = 5")
                throw Stop(number: 3)
            }
        }
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 0)
    }

    @Test("readers cannot write")
    func readersOnlyRead() async throws {
        let pool = try pool()
        for placement in [ReadPlacement.callerIfFree, .poolThread] {
            let error = await #expect(throws: SQLiteError.self) {
                try await pool.read(on: placement) { _ = try $0.run("UPDATE t SET a = 1") }
            }
            #expect(error?.code.primary == .readOnly)
        }
    }

    @Test("a read sees one moment, whatever is written meanwhile")
    func snapshot() async throws {
        let pool = try pool()
        let reading = Latch()
        let written = Latch()
        let read = Task {
            try await pool.read(on: .poolThread) { connection in
                let before = try connection.value("SELECT a FROM t")
                reading.open()
                written.wait()
                return [before, try connection.value("SELECT a FROM t")]
            }
        }
        try await reading.opened()
        try await pool.write { _ = try $0.run("UPDATE t SET a = 1") }
        written.open()
        #expect(try await read.value == [0, 0])
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 1)
    }

    @Test("inside of a closure every use of the same pool is refused at once", arguments: [1, 3])
    func reentrancy(readers: Int) async throws {
        let pool = try pool(readers: readers, capacity: 1)
        @Sendable func expectRefusals() {
            #expect(throws: ConnectionPoolError.reentrant) { try pool.writeSync { _ in } }
            #expect(throws: ConnectionPoolError.reentrant) { try pool.readSync { _ in } }
            #expect(throws: ConnectionPoolError.reentrant) { try pool.closeSync() }
        }
        try await pool.write { _ in expectRefusals() }
        try await pool.write(inTransaction: false) { _ in expectRefusals() }
        try await pool.read { _ in expectRefusals() }
        try await pool.read(on: .poolThread) { _ in expectRefusals() }
        try pool.readSync { _ in expectRefusals() }
        try pool.writeSync { _ in expectRefusals() }
        #expect(ConnectionPoolError.reentrant.description.hasPrefix("re-entrant access"))

        // Another pool may be used, and this one again afterwards; a task that is only started inside may wait.
        let other = try ConnectionPool(path: folder.path(of: "other.sqlite"))
        let later = try await pool.write { _ in
            try other.writeSync { _ in expectRefusals() }
            expectRefusals()
            return Task { try await pool.write { _ in 8 } }
        }
        #expect(try await later.value == 8)
    }

    @Test("a transaction that is left open is rolled back, said, and forgotten")
    func leftOpen() async throws {
        let pool = try pool(readers: 1)
        let error = await #expect(throws: SQLiteError.self) {
            try await pool.write(inTransaction: false) { try $0.execute("BEGIN; UPDATE t SET a = 9") }
        }
        #expect(error?.message == "a transaction was left open and has been rolled back")
        await #expect(throws: SQLiteError.self) {
            try await pool.read(inTransaction: false) { try $0.execute("BEGIN; SELECT * FROM t") }
        }
        await #expect(throws: Stop.self) {
            try await pool.write(inTransaction: false) { connection in
                try connection.execute("BEGIN")
                throw Stop()
            }
        }
        try await pool.write { _ = try $0.run("UPDATE t SET a = a + 1") }
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 1)
    }

    @Test("a statement that is left in the middle of its rows holds no snapshot")
    func leftRunning() async throws {
        let pool = try pool(readers: 1)
        let leak = Leak()
        try await pool.read(inTransaction: false) { connection in
            let statement = try connection.prepare("SELECT 1 FROM t UNION ALL SELECT 2")
            _ = try statement.step()
            // Kept alive past the closure, which the types would not allow.
            leak.statement = statement
        }
        for _ in 0..<10 { try await pool.write { _ = try $0.run("UPDATE t SET a = a + 1") } }
        let result = try await pool.checkpoint(.truncate)
        #expect(result.isComplete)
        #expect(try await pool.read { try $0.databaseSize().logBytes } == 0)
        leak.statement = nil
    }

    @Test("a connection that a closure closed is replaced")
    func replaced() async throws {
        let pool = try pool(readers: 1)
        try await pool.write(inTransaction: false) { $0.close() }
        try await pool.read(inTransaction: false) { $0.close() }
        try await pool.write { _ = try $0.run("UPDATE t SET a = 4") }
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 4)
    }

    @Test("tasks that write and read at once lose nothing, through a small queue too", arguments: [1, 1_024])
    func concurrency(capacity: Int) async throws {
        let pool = try pool(capacity: capacity)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for _ in 0..<10 {
                        if task.isMultiple(of: 2) {
                            try await pool.write { _ = try $0.run("UPDATE t SET a = a + 1") }
                        } else {
                            let placement: ReadPlacement = task.isMultiple(of: 4) ? .poolThread : .callerIfFree
                            _ = try await pool.read(on: placement) { try $0.value("SELECT a FROM t") }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 320)
        let statistics = pool.statistics
        #expect(statistics.busyReaders == 0)
        #expect(statistics.waitingWrites + statistics.waitingReads + statistics.waitingCallers == 0)
        try await pool.close()
    }

    @Test("closing waits for what runs and what was accepted, and refuses what comes after")
    func closing() async throws {
        let pool = try pool()
        let started = Latch()
        let gate = Latch()
        let done = Counter()
        @Sendable func write() async throws {
            try await pool.write { connection in
                started.open()
                gate.wait()
                try connection.run("UPDATE t SET a = a + 1")
                done.increment()
            }
        }
        let first = Task { try await write() }
        try await started.opened()
        // Only now, or the writing thread could take all of them at once.
        let writes = [first] + (0..<2).map { _ in Task { try await write() } }
        try await until { pool.statistics.waitingWrites >= 2 }
        let closing = Task { try await pool.close() }
        while (try? await pool.read({ _ in })) != nil { await Task.yield() }
        await #expect(throws: ConnectionPoolError.closed) { try await pool.read(on: .poolThread) { _ in } }
        await #expect(throws: ConnectionPoolError.closed) { try await pool.write { _ in } }
        #expect(done.value == 0)
        for _ in writes { gate.open() }
        try await closing.value
        #expect(done.value == 3)
        for write in writes { try await write.value }
        try await pool.close()
        #expect(try Connection(path: path).value("SELECT a FROM t") == 3)
    }

    @Test("a queue holds no more than it may, who waits for a place comes in, before and after closing, each in turn")
    func backPressure() async throws {
        let pool = try pool(capacity: 2)
        let started = Latch()
        let gate = Latch()
        let first = Task {
            try await pool.write { _ in
                started.open()
                gate.wait()
            }
        }
        try await started.opened()
        let order = Monitor<[Int]>([])
        var writes: [Task<Void, any Error>] = []
        for number in 0..<6 {
            writes.append(Task { try await pool.write { _ in order.withLock { $0.append(number) } } })
            try await until { pool.statistics.waitingWrites + pool.statistics.waitingCallers == number + 1 }
        }
        #expect(pool.statistics.waitingWrites == 2)
        #expect(pool.statistics.waitingCallers == 4)
        // One that gives up leaves its place to the next.
        writes[3].cancel()
        await #expect(throws: CancellationError.self) { try await writes[3].value }
        #expect(pool.statistics.waitingCallers == 3)
        let closing = Task { try await pool.close() }
        while (try? await pool.read({ _ in })) != nil { await Task.yield() }
        gate.open()
        try await closing.value
        try await first.value
        for (number, write) in writes.enumerated() where number != 3 { try await write.value }
        #expect(order.withLock { $0 } == [0, 1, 2, 4, 5])
    }

    @Test("a thread that waited for a reader before the pool closed gets it, and none comes after")
    func closingWithWaitingThread() async throws {
        let pool = try pool(readers: 1)
        let started = Latch()
        let gate = Latch()
        let read = Counter()
        let holding = onThread {
            try pool.readSync { _ in
                started.open()
                gate.wait()
            }
        }
        try await started.opened()
        let waiting = onThread { try pool.readSync { _ in _ = read.increment() } }
        // The waiting thread says nothing about itself; give it time to get there.
        try await Task.sleep(for: .milliseconds(500))
        let closing = Task { try await pool.close() }
        // A write is refused from the same moment on as a read.
        while (try? await pool.write({ _ in })) != nil { try await Task.sleep(for: .milliseconds(1)) }
        gate.open()
        try await closing.value
        try await holding.opened()
        try await waiting.opened()
        #expect(read.value == 1)
        #expect(throws: ConnectionPoolError.closed) { try pool.readSync { _ in } }
        #expect(try folder.names() == ["pool.sqlite"])
    }

    @Test("a pool that just goes leaves nothing open")
    func abandoned() async throws {
        var pool: ConnectionPool? = try pool()
        try await pool?.write { _ = try $0.run("UPDATE t SET a = 2") }
        _ = try await pool?.read(on: .poolThread) { try $0.value("SELECT a FROM t") }
        pool = nil
        // The last connection takes the log with it; its thread may need a moment.
        try await until { (try? folder.names().count) == 1 }
        #expect(try folder.names() == ["pool.sqlite"])
    }

    @Test("a pool for reading only reads, and says so")
    func readOnly() async throws {
        let pool = try ConnectionPool(path: path, mode: .readOnly)
        #expect(try await pool.read { try $0.value("SELECT a FROM t") } == 0)
        let error = await #expect(throws: SQLiteError.self) { try await pool.write { _ in } }
        #expect(error?.code == .readOnly)
        try await pool.close()
    }

    @Test("a pool of a missing or foreign file fails when it is made")
    func cannotOpen() throws {
        let text = try folder.write(Array("hello, this is text".utf8), to: "text")
        #expect(try sqliteError { _ = try ConnectionPool(path: text) }.code == .notADatabase)
        let missing = folder.path(of: "missing")
        #expect(try sqliteError { _ = try ConnectionPool(path: missing, mode: .readWrite) }.code.primary == .cannotOpen)
    }
}

/// Keeps a statement alive for a test that shows what happens then; its steps follow each other.
private final class Leak: @unchecked Sendable {
    var statement: Statement?
}
