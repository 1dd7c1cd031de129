import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Writes that share a transaction")
struct GroupCommitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.path + "/t.sqlite" }

    private func pool(_ options: ConnectionPool.Options = .init()) throws -> ConnectionPool {
        let pool = try ConnectionPool(path: path, options: options)
        try pool.writeSync { try $0.execute("CREATE TABLE t (uid INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT") }
        return pool
    }

    /// Starts writes while the writer is held up, so that all of them wait at the same time.
    private func together<Value: Sendable>(
        _ pool: ConnectionPool,
        _ writes: [@Sendable () async throws -> Value]
    ) async -> [Result<Value, any Error>] {
        let (isHeld, mayGo) = (Latch(), Latch())
        let holder = Task {
            try await pool.write(inTransaction: false) { _ in
                isHeld.open()
                mayGo.wait()
            }
        }
        await onThread { isHeld.wait() }
        return await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for (index, write) in writes.enumerated() {
                group.addTask {
                    do {
                        // Apart from the result, of which a release build of Swift 6.3 may forget the index.
                        let value = try await write()
                        return (index, .success(value))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            while pool.statistics.waitingWrites < writes.count { try? await Task.sleep(for: .milliseconds(1)) }
            mayGo.open()
            var results: [Int: Result<Value, any Error>] = [:]
            for await (index, result) in group { results[index] = result }
            try? await holder.value
            return writes.indices.compactMap { results[$0] }
        }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test("are committed at once, and each gets its own result")
    func shares() async throws {
        let pool = try pool()
        let path = path
        let results = await together(
            pool,
            (1...20 as ClosedRange<Int64>).map { uid in
                { @Sendable in
                    try await pool.writeSharing(.statement) { connection in
                        try connection.run("INSERT INTO t (uid, name) VALUES (?, 'n')", [.integer(uid)])
                        // What another connection sees before the commit.
                        return try Connection(path: path, mode: .readOnly).count("t")
                    }
                }
            }
        )
        #expect(results.map { try? $0.get() } == Array(repeating: 0, count: 20))
        #expect(try pool.readSync { try $0.count("t") } == 20)
    }

    @Test("that fail leave the others' work alone", arguments: [TransactionSharing.statement, .savepoint])
    func isolation(sharing: TransactionSharing) async throws {
        let pool = try pool()
        let results = await together(
            pool,
            (0..<30 as Range<Int64>).map { number in
                { @Sendable in
                    try await pool.writeSharing(sharing) { connection in
                        if sharing == .savepoint {
                            try connection.run(
                                "INSERT INTO t (uid, name) VALUES (?, 'first')",
                                [.integer(number + 1_000)]
                            )
                        }
                        // Each third has no name, which the table refuses.
                        let name: SQLValue = number % 3 == 0 ? .null : .text("second")
                        try connection.run("INSERT INTO t (uid, name) VALUES (?, ?)", [.integer(number), name])
                        if number % 3 == 1, sharing == .savepoint { throw Stop(number: Int(number)) }
                    }
                }
            }
        )
        for (number, result) in results.enumerated() {
            switch result {
            case .success: #expect(number % 3 == 2 || (number % 3 == 1 && sharing == .statement))
            case .failure(let error as SQLiteError): #expect(number % 3 == 0 && error.code.primary == .constraint)
            case .failure(let error): #expect(error as? Stop == Stop(number: number) && number % 3 == 1)
            }
        }
        #expect(try pool.readSync { try $0.count("t") } == 20)
    }

    @Test("run again by themselves when one of them ends the transaction of all")
    func lost() async throws {
        let pool = try pool()
        let results = await together(
            pool,
            (0..<10 as Range<Int64>).map { number in
                { @Sendable in
                    try await pool.writeSharing(.statement) { connection in
                        let conflict = number == 5 ? "OR ROLLBACK " : ""
                        let name: SQLValue = number == 5 ? .null : .text("n")
                        try connection.run(
                            "INSERT \(conflict)INTO t (uid, name) VALUES (?, ?)",
                            [.integer(number), name]
                        )
                    }
                }
            }
        )
        for (number, result) in results.enumerated() {
            if case .failure(let error) = result { #expect(number == 5, "\(error)") } else { #expect(number != 5) }
        }
        #expect(try pool.readSync { try $0.count("t") } == 9)
    }

    @Test("wait once for a lock that another program holds, not each in turn")
    func busy() async throws {
        var options = ConnectionPool.Options()
        options.connection.busyTimeout = .milliseconds(300)
        let pool = try pool(options)
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let results = await together(
            pool,
            (1...40 as ClosedRange<Int64>).map { uid in
                { @Sendable in
                    try await pool.writeSharing(.statement) { connection in
                        try connection.run("INSERT INTO t (uid, name) VALUES (?, 'n')", [.integer(uid)])
                    }
                }
            }
        )
        for result in results {
            let error = #expect(throws: SQLiteError.self) { try result.get() }
            #expect(error?.code.primary == .busy)
        }
        #expect(try await pool.write(inTransaction: false) { $0.busyWaits.count } <= 2)
        try other.execute("ROLLBACK")
        try await pool.writeSharing(.statement) { try $0.run("INSERT INTO t (uid, name) VALUES (1, 'n')") }
    }

    @Test("that are cancelled while they wait are not run, and the rest is")
    func cancelled() async throws {
        let pool = try pool()
        let (isHeld, mayGo) = (Latch(), Latch())
        let holder = Task {
            try await pool.write { _ in
                isHeld.open()
                mayGo.wait()
            }
        }
        await onThread { isHeld.wait() }
        let tasks = (0..<20 as Range<Int64>).map { number in
            Task {
                try await pool.writeSharing(.statement) { connection in
                    try connection.run("INSERT INTO t (uid, name) VALUES (?, 'n')", [.integer(number)])
                }
            }
        }
        while pool.statistics.waitingWrites < 20 { try await Task.sleep(for: .milliseconds(1)) }
        for task in tasks.prefix(10) { task.cancel() }
        for task in tasks.prefix(10) { await #expect(throws: CancellationError.self) { try await task.value } }
        mayGo.open()
        for task in tasks.suffix(10) { _ = try await task.value }
        try await holder.value
        #expect(
            try pool.readSync { try $0.rows("SELECT min(uid), count(*) FROM t") } == [[.integer(10), .integer(10)]]
        )
    }
}
