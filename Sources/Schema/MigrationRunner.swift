internal import Glibc
public import SQLiteBinding

/// Brings databases to the schema that a folder of migrations describes.
///
/// Each migration is one transaction, which takes the lock for writing before it looks at what was applied. So any number
/// of processes may begin at once: one of them applies a migration, and the others find it applied.
public struct MigrationRunner: Sendable {
    /// The migrations.
    public let folder: MigrationFolder
    /// What marks a database as this program's, in its header; see <https://www.sqlite.org/pragma.html#pragma_application_id>.
    public let applicationID: Int32

    /// Makes a runner.
    public init(folder: MigrationFolder, applicationID: Int32) {
        self.folder = folder
        self.applicationID = applicationID
    }

    /// What was applied to a database and what would be. It reads, and writes nothing.
    ///
    /// - Throws: ``MigrationError`` if the database is not one that migrations could be applied to, or `SQLiteError`.
    public func plan(_ connection: Connection) throws -> MigrationPlan {
        try connection.transaction(.deferred) { try inspect(connection) }
    }

    /// What was applied to the database in a file, which may not exist, and what would be. It reads, and writes nothing.
    ///
    /// - Throws: ``MigrationError`` if the database is not one that migrations could be applied to, or `SQLiteError`.
    public func plan(path: String, configuration: Configuration = Configuration()) throws -> MigrationPlan {
        if access(path, F_OK) != 0, errno == ENOENT {
            return MigrationPlan(applied: [], pending: try pending(after: []))
        }
        return try plan(Self.openForReading(path, configuration))
    }

    /// Opens a file that may be anything, without changing it.
    private static func openForReading(_ path: String, _ configuration: Configuration) throws(SQLiteError) -> Connection
    {
        var configuration = configuration
        configuration.journalMode = nil
        configuration.queryOnly = true
        // Looking changes nothing: a log that has something in it stays for those who write.
        configuration.checkpointsOnClose = !Connection.hasLog(besideFileAt: path)
        do throws(SQLiteError) {
            // With the right to write SQLite can clean up the log of a program that has died, and its own.
            return try Connection(path: path, mode: .readWrite, configuration: configuration)
        } catch {
            guard error.code.primary == .readOnly || error.code.primary == .cannotOpen else { throw error }
            do throws(SQLiteError) {
                return try Connection(path: path, mode: .readOnly, configuration: configuration)
            } catch let other {
                // Of a folder, say, reading reports something that does not tell what is wrong.
                throw [.readOnly, .cannotOpen].contains(other.code.primary) ? other : error
            }
        }
    }

    /// Applies what a database lacks.
    ///
    /// - Parameters:
    ///   - connection: a connection without an open transaction. Foreign keys are not enforced while a migration runs, so that it can
    ///     replace a table, and are checked before it is committed.
    ///   - willRun: called before each statement.
    /// - Returns: what this call has applied; what another process has applied meanwhile is not among it.
    /// - Throws: ``MigrationError``, or `SQLiteError` where the database cannot be read or locked. The migrations before
    ///   the one that failed stay applied.
    @discardableResult
    public func apply(
        to connection: Connection,
        willRun: (Migration, ScriptPosition) -> Void = { _, _ in }
    ) throws -> [Migration] {
        if try plan(connection).isUpToDate { return [] }
        let enforcesForeignKeys = try connection.value("PRAGMA foreign_keys") == .integer(1)
        try connection.run("PRAGMA foreign_keys = OFF")
        defer { if enforcesForeignKeys { _ = try? connection.run("PRAGMA foreign_keys = ON") } }
        var applied: [Migration] = []
        var isUpToDate = false
        while !isUpToDate {
            let step = try applyNext(to: connection, willRun)
            if let migration = step.applied { applied.append(migration) }
            isUpToDate = step.isLast
        }
        return applied
    }

    /// Applies one migration, if there is one to be applied.
    private func applyNext(
        to connection: Connection,
        _ willRun: (Migration, ScriptPosition) -> Void
    ) throws -> (applied: Migration?, isLast: Bool) {
        var current: Migration?
        do {
            return try connection.transaction(.immediate) {
                let plan = try inspect(connection)
                guard let migration = plan.pending.first else { return (nil, true) }
                current = migration
                // A dump that was loaded again has lost it.
                try connection.run("PRAGMA application_id = \(applicationID)")
                if try Ledger.entries(connection) == nil { try connection.execute(Ledger.create) }
                try run(migration, on: connection, willRun)
                try checkForeignKeys(migration, on: connection)
                try Ledger.add(migration, to: connection)
                return (migration, plan.pending.count == 1)
            }
        } catch let error as SQLiteError {
            guard let current else { throw error }
            throw failure(of: current, error)
        }
    }

    private func run(
        _ migration: Migration,
        on connection: Connection,
        _ willRun: (Migration, ScriptPosition) -> Void
    ) throws {
        var script = connection.statements(of: migration.sql)
        while let (statement, position) = try script.next() {
            if let word = Self.forbiddenWord(in: statement.sql) {
                throw MigrationError(
                    .forbiddenStatement,
                    "\(folder.path(of: migration)), statement \(position.statement) at line \(position.line): "
                        + "\(word) is not allowed; each file is one transaction, which the program begins and ends",
                    files: [migration.fileName],
                    position: position
                )
            }
            willRun(migration, position)
            do throws(SQLiteError) {
                try statement.run()
            } catch {
                throw script.place(error, in: position)
            }
        }
    }

    /// The first word of a statement that would end the transaction, or reach out of it.
    private static func forbiddenWord(in sql: String) -> String? {
        let word = sql.prefix { $0.isASCII && $0.isLetter }.uppercased()
        let forbidden = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM"]
        return forbidden.contains(word) ? word : nil
    }

    private func checkForeignKeys(_ migration: Migration, on connection: Connection) throws {
        let violations = try connection.foreignKeyCheck()
        guard let first = violations.first else { return }
        let row = first.rowID.map { " (row \($0))" } ?? ""
        throw MigrationError(
            .foreignKeys,
            "\(folder.path(of: migration)) leaves foreign keys that lead nowhere, \(violations.count) in all, the first in "
                + "\(first.table)\(row), which should lead to \(first.parent); nothing of the file was applied",
            files: [migration.fileName]
        )
    }

    private func failure(of migration: Migration, _ error: SQLiteError) -> MigrationError {
        var error = error
        // What is not in the file is this runner's own, such as COMMIT.
        if error.position == nil { error.sql = nil }
        return MigrationError(
            .failed,
            "\(folder.path(of: migration)) failed, and nothing of it was applied: \(error)",
            files: [migration.fileName],
            position: error.position,
            cause: error
        )
    }
}
