import SQLiteBinding
import Schema
import TestSupport
import Testing

@Suite("A fault of the files during a migration")
struct FaultTests {
    private static let first = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
        INSERT INTO t (id, name) SELECT i, 'a name that takes some room ' || i FROM n;
        """
    /// Writes each row anew, which is what a change of a table's columns takes.
    private static let second = """
        CREATE TABLE t2 (id INTEGER PRIMARY KEY, name TEXT NOT NULL, length INTEGER NOT NULL) STRICT;
        INSERT INTO t2 (id, name, length) SELECT id, name, length(name) FROM t;
        DROP TABLE t;
        ALTER TABLE t2 RENAME TO t;
        CREATE INDEX t_name ON t (name);
        """

    @Test("leaves schema, rows and ledger as before, and the next attempt succeeds", arguments: FaultPlan.all)
    func migration(plan: FaultPlan) async throws {
        let files = try FaultyFiles()
        var configuration = Configuration()
        configuration.vfs = files.vfs
        try await plan.forEachCall { nth in
            let folder = try TemporaryDirectory()
            let path = folder.path(of: "db.sqlite")
            try runner(Self.first).apply(to: Connection(path: path))
            let connection = try Connection(path: path, configuration: configuration)
            let before = try connection.state() + connection.rows("SELECT * FROM t")
            let both = runner(Self.first, Self.second)
            files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
            let isApplied = apply(both, to: connection, plan)
            let calls = files.calls
            let failures = files.disarm()
            #expect(isApplied || failures > 0)
            #expect(connection.isAutocommit)
            #expect(try connection.value("PRAGMA foreign_keys") == 1)
            if !isApplied { #expect(try connection.state() + connection.rows("SELECT * FROM t") == before) }
            try both.apply(to: connection)
            connection.close()
            let reopened = try Connection(path: path)
            #expect(try reopened.versions() == [1, 2])
            #expect(
                try reopened.value("SELECT sum(length) FROM t") == reopened.value("SELECT sum(length(name)) FROM t")
            )
            #expect(try reopened.value("SELECT count(*) FROM t") == 2_000)
            #expect(try reopened.integrityCheck() == [])
            return (failures, calls)
        }
    }

    /// Applies migrations; what keeps them from it has to be the fault.
    private func apply(_ runner: MigrationRunner, to connection: Connection, _ plan: FaultPlan) -> Bool {
        do {
            try runner.apply(to: connection)
            return true
        } catch {
            let cause = (error as? SQLiteError) ?? (error as? MigrationError)?.cause
            let expected: [ResultCode] =
                switch plan.cause {
                case .device: [.ioError, .cannotOpen]
                case .fullDisk: [.full]
                case .memory: [.outOfMemory]
                }
            #expect(cause.map { expected.contains($0.code.primary) } == true, "\(error)")
            return false
        }
    }
}
