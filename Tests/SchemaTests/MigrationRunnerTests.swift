import Foundation
import SQLiteBinding
import Schema
import TestSupport
import Testing

@Suite("Migration runner")
struct MigrationRunnerTests {
    @Test("migrations are applied in order, once, and kept in the ledger")
    func applyOnce() throws {
        let connection = try Connection.inMemory()
        let first = runner("CREATE TABLE a (x INTEGER) STRICT")
        #expect(try first.apply(to: connection).map(\.version) == [1])
        let both = runner("CREATE TABLE a (x INTEGER) STRICT", "CREATE TABLE b (y INTEGER) STRICT;\r\n-- end\r\n")
        #expect(try both.plan(connection).pending.map(\.name) == ["step2"])
        #expect(try both.apply(to: connection).map(\.version) == [2])
        #expect(try both.apply(to: connection).isEmpty)
        #expect(try connection.versions() == [1, 2])
        let text = try connection.value("SELECT sql FROM schema_migrations WHERE version = 2")
        #expect(text == "CREATE TABLE b (y INTEGER) STRICT;\n-- end\n")
        let age = try connection.value("SELECT unixepoch() - applied_at FROM schema_migrations WHERE version = 2")
        #expect(age == 0 || age == 1 || age == 2)
        #expect(try connection.value("PRAGMA application_id") == 77)
        #expect(try connection.value("PRAGMA foreign_keys") == 1)
    }

    @Test("a file that differs only in its line ends is the same")
    func lineEndsDoNotMatter() throws {
        let connection = try Connection.inMemory()
        try runner("CREATE TABLE a (\r\nx INTEGER)").apply(to: connection)
        #expect(try runner("CREATE TABLE a (\nx INTEGER)").plan(connection).isUpToDate)
    }

    @Test("a plan writes nothing, on a file that can only be read and on one that is not there")
    func planWritesNothing() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "missing.sqlite")
        let both = runner("CREATE TABLE a (x)", "CREATE TABLE b (y)")
        #expect(try both.plan(path: path).pending.map(\.version) == [1, 2])
        #expect(try folder.names().isEmpty)
        do {
            let connection = try Connection(path: path)
            try runner("CREATE TABLE a (x)").apply(to: connection)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let plan = try both.plan(path: path)
        #expect(plan.pending.map(\.version) == [2])
        #expect(plan.applied.map(\.version) == [1])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try folder.names() == ["missing.sqlite"])
        let reader = try Connection(path: path, mode: .readOnly)
        #expect(try both.plan(reader).pending.map(\.version) == [2])
    }

    @Test("an empty file is a database without migrations")
    func emptyFile() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write([], to: "empty.sqlite")
        #expect(try runner("CREATE TABLE a (x)").plan(path: path).pending.count == 1)
        try runner("CREATE TABLE a (x)").apply(to: Connection(path: path))
        #expect(try Connection(path: path).versions() == [1])
    }

    @Test("a table can be replaced although others refer to it")
    func replaceParentTable() throws {
        let connection = try Connection.inMemory()
        let first = """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent_id INTEGER NOT NULL REFERENCES parent (id));
            """
        try runner(first).apply(to: connection)
        try connection.execute("INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1)")
        let second = """
            CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO new_parent (id) SELECT id FROM parent;
            DROP TABLE parent;
            ALTER TABLE new_parent RENAME TO parent;
            """
        try runner(first, second).apply(to: connection)
        #expect(try connection.value("SELECT count(*) FROM child JOIN parent ON id = parent_id") == 1)
        #expect(try connection.value("PRAGMA foreign_keys") == 1)
    }

    @Test("rows whose foreign keys would lead nowhere undo the migration")
    func foreignKeys() throws {
        let connection = try Connection.inMemory()
        let first = """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent_id INTEGER NOT NULL REFERENCES parent (id));
            INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
            """
        try runner(first).apply(to: connection)
        let before = try connection.state()
        let error = try migrationError { try runner(first, "DELETE FROM parent").apply(to: connection) }
        #expect(error.code == .foreignKeys)
        #expect(
            error.message.contains("Migrations/Test/V0002__step2.sql leaves foreign keys that lead nowhere, 1 in all")
        )
        #expect(error.message.contains("child (row 1), which should lead to parent"))
        #expect(try connection.state() == before)
        #expect(try connection.value("SELECT count(*) FROM parent") == 1)
    }

    @Test(
        "a file may not begin or end transactions, nor reach beyond its own",
        arguments: [
            "BEGIN", "/* x */ commit", "END", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "ATTACH 'x' AS x", "DETACH x",
            "VACUUM",
        ]
    )
    func transactionsAreRefused(statement: String) throws {
        let connection = try Connection.inMemory()
        let error = try migrationError {
            try runner("CREATE TABLE a (x);\n\n\(statement); CREATE TABLE b (y)").apply(to: connection)
        }
        #expect(error.code == .forbiddenStatement)
        #expect(error.position?.statement == 2)
        #expect(error.position?.line == 3)
        #expect(error.files == ["V0001__step1.sql"])
        #expect(try connection.state() == [[0]])
        #expect(connection.isAutocommit)
    }

    @Test("drift shows what is missing, changed and added")
    func drift() throws {
        let connection = try Connection.inMemory()
        let runner = runner("CREATE TABLE a (x); CREATE TABLE b (y); CREATE INDEX i ON a (x)")
        try runner.apply(to: connection)
        #expect(try runner.drift(of: connection).isEmpty)
        try connection.execute("DROP INDEX i; ALTER TABLE b ADD COLUMN z; CREATE TABLE c (x); ANALYZE")
        #expect(
            try runner.drift(of: connection).map(\.description) == [
                "index i is missing", "table b is not as its migration made it", "table c was made by no migration",
            ]
        )
    }
}
