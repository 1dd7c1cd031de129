import Foundation
import SQLiteBinding
import Schema
import TestSupport
import Testing

/// What a runner refuses; each time the file has to stay as it is, byte for byte.
@Suite("Databases that migrations are not applied to")
struct RefusalTests {
    private struct File {
        let folder: TemporaryDirectory
        var path: String { folder.path(of: "db.sqlite") }
    }

    private func database(
        journal: Configuration.JournalMode = .wal,
        _ prepare: (Connection) throws -> Void
    ) throws -> File {
        let file = File(folder: try TemporaryDirectory())
        var configuration = Configuration()
        configuration.journalMode = journal
        try prepare(Connection(path: file.path, configuration: configuration))
        return file
    }

    private func refuses(_ runner: MigrationRunner, _ file: File) throws -> MigrationError {
        let path = file.path
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let planned = try migrationError { _ = try runner.plan(path: path) }
        var configuration = Configuration()
        configuration.journalMode = nil
        let applied = try migrationError {
            try runner.apply(to: Connection(path: path, configuration: configuration))
        }
        #expect(planned == applied)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!planned.message.contains("\n"))
        #expect(try file.folder.names() == ["db.sqlite"])
        return planned
    }

    @Test("a database that knows newer migrations is refused with their names (A13)")
    func newerSchema() throws {
        let file = try database { connection in
            try runner("CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)", "CREATE TABLE d (x)")
                .apply(to: connection)
        }
        let error = try refuses(runner("CREATE TABLE a (x)", "CREATE TABLE b (x)"), file)
        #expect(error.code == .newerSchema)
        #expect(error.files == ["V0003__step3.sql", "V0004__step4.sql"])
        #expect(error.message.contains("V0003__step3.sql, V0004__step4.sql"))
    }

    @Test("a file that was changed after it was applied is refused with the difference")
    func changedFile() throws {
        let file = try database { connection in
            try runner("CREATE TABLE a (\n    x INTEGER,\n    y TEXT\n)").apply(to: connection)
        }
        let error = try refuses(runner("CREATE TABLE a (\n    x BLOB,\n    y TEXT\n)", "CREATE TABLE b (x)"), file)
        #expect(error.code == .changed)
        #expect(error.message.contains("Migrations/Test/V0001__step1.sql"))
        #expect(error.message.contains("-2: x INTEGER, | +2: x BLOB,"))
        #expect(!error.message.contains("y TEXT"))
    }

    @Test("a file that has become longer is refused with a few of its new lines")
    func longerFile() throws {
        let file = try database { try runner("CREATE TABLE a (x);").apply(to: $0) }
        let more = (1...9).map { "-- \($0)" }.joined(separator: "\n")
        let error = try refuses(runner("CREATE TABLE a (x);\n\(more)"), file)
        #expect(error.message.contains("+2: -- 1 | +3: -- 2 | +4: -- 3 | +… 6 more"))
    }

    @Test("a file that was renamed after it was applied is refused")
    func renamedFile() throws {
        let file = try database { try runner("CREATE TABLE a (x)").apply(to: $0) }
        let renamed = MigrationFolder(
            name: "Test",
            migrations: [Migration(version: 1, name: "other", sql: "CREATE TABLE a (x)")]
        )
        let error = try refuses(MigrationRunner(folder: renamed, applicationID: 77), file)
        #expect(error.code == .changed)
        #expect(error.message.contains("V0001__step1.sql"))
    }

    @Test("a migration that comes before an applied one is not applied late")
    func gap() throws {
        let file = try database { connection in
            try runner("CREATE TABLE a (x)", "CREATE TABLE b (x)").apply(to: connection)
            try connection.run("DELETE FROM schema_migrations WHERE version = 1")
        }
        let error = try refuses(runner("CREATE TABLE a (x)", "CREATE TABLE b (x)"), file)
        #expect(error.code == .missing)
        #expect(error.files == ["V0001__step1.sql"])
    }

    @Test("an applied migration that the program lacks in between is refused")
    func missingFile() throws {
        let file = try database { connection in
            try runner("CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)").apply(to: connection)
        }
        var partial = folder("CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)")
        partial.migrations.remove(at: 1)
        let error = try refuses(MigrationRunner(folder: partial, applicationID: 77), file)
        #expect(error.code == .missing)
        #expect(error.files == ["V0002__step2.sql"])
    }

    @Test("a database of another program is refused, and stays as it is")
    func foreignDatabase() throws {
        let file = try database(journal: .delete) { connection in
            try connection.execute("CREATE TABLE users (id); CREATE VIEW people AS SELECT * FROM users")
        }
        let error = try refuses(runner("CREATE TABLE a (x)"), file)
        #expect(error.code == .foreignDatabase)
        #expect(error.message.contains("it has \"people\", \"users\""))
        #expect(error.message.contains(file.path))
    }

    @Test("a ledger of the same name that another tool keeps is not taken for ours")
    func foreignLedger() throws {
        let file = try database { try $0.execute("CREATE TABLE schema_migrations (version TEXT PRIMARY KEY)") }
        #expect(try refuses(runner("CREATE TABLE a (x)"), file).code == .foreignDatabase)
    }

    @Test("a database with another application id is refused, even without tables")
    func foreignApplicationID() throws {
        let file = try database { try $0.execute("PRAGMA application_id = 1234") }
        #expect(try refuses(runner("CREATE TABLE a (x)"), file).code == .foreignDatabase)
        let other = try database { connection in
            try MigrationRunner(folder: folder("CREATE TABLE a (x)"), applicationID: 78).apply(to: connection)
        }
        #expect(try refuses(runner("CREATE TABLE a (x)"), other).code == .foreignDatabase)
    }

    @Test("a dump that was loaded again is taken, and gets its application id back")
    func dump() throws {
        let connection = try Connection.inMemory()
        try runner("CREATE TABLE a (x)").apply(to: connection)
        try connection.run("PRAGMA application_id = 0")
        #expect(try runner("CREATE TABLE a (x)", "CREATE TABLE b (x)").apply(to: connection).count == 1)
        #expect(try connection.value("PRAGMA application_id") == 77)
    }

    @Test("a file that is no database gives the database's own error")
    func notADatabase() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Array(String(repeating: "no database ", count: 100).utf8), to: "text")
        let error = #expect(throws: SQLiteError.self) { try runner("CREATE TABLE a (x)").plan(path: path) }
        #expect(error?.code == .notADatabase)
    }
}
