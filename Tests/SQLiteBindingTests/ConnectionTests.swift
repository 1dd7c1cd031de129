import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Connection")
struct ConnectionTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("a new database has the settings that were asked for")
    func settings() throws {
        let connection = try Connection(path: folder.path(of: "a.sqlite"))
        let found = try ["journal_mode", "synchronous", "foreign_keys", "cell_size_check", "trusted_schema"]
            .map { try connection.value("PRAGMA \($0)") }
        #expect(found == ["wal", 2, 1, 1, 0])
        #expect(try connection.value("PRAGMA wal_autocheckpoint") == 1_000)
        // Defensive: the schema's table cannot be written to.
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(try sqliteError { try connection.execute("DELETE FROM sqlite_schema") }.code == .error)
        #expect(connection.path == folder.path(of: "a.sqlite"))
        #expect(!connection.isReadOnly)
    }

    @Test("what statements put aside goes where the connection was told, but for a time to another place")
    func temporaryStorage() throws {
        var configuration = Configuration()
        configuration.temporaryStorage = .memory
        let connection = try Connection(path: folder.path(of: "a.sqlite"), configuration: configuration)
        let storage = { try connection.value("PRAGMA temp_store") }
        #expect(try storage() == 2)
        let inside = try connection.transaction { try connection.withTemporaryStorage(.file, storage) }
        #expect(inside == 1)
        #expect(try storage() == 2)
        #expect(throws: CancellationError.self) {
            try connection.withTemporaryStorage(.file) { throw CancellationError() }
        }
        #expect(try storage() == 2)
        #expect(try Connection(path: folder.path(of: "a.sqlite")).value("PRAGMA temp_store") == 1)
    }

    @Test("other settings are taken too")
    func otherSettings() throws {
        var configuration = Configuration()
        configuration.journalMode = .truncate
        configuration.synchronous = .normal
        configuration.foreignKeys = false
        configuration.trustsSchema = true
        configuration.queryOnly = true
        configuration.walAutocheckpoint = 7
        let connection = try Connection(path: folder.path(of: "a.sqlite"), configuration: configuration)
        let found = try ["journal_mode", "synchronous", "foreign_keys", "trusted_schema", "wal_autocheckpoint"]
            .map { try connection.value("PRAGMA \($0)") }
        #expect(found == ["truncate", 1, 0, 1, 7])
        #expect(try sqliteError { try connection.execute("CREATE TABLE t (a)") }.code.primary == .readOnly)
    }

    @Test("a missing file is an error unless it may be created", arguments: [OpenMode.readOnly, .readWrite])
    func missingFile(mode: OpenMode) throws {
        let error = try sqliteError { _ = try Connection(path: folder.path(of: "none.sqlite"), mode: mode) }
        #expect(error.code.primary == .cannotOpen)
        #expect(error.description.contains("there is no such file"))
        #expect(try folder.names() == [])
        let other = try sqliteError { _ = try Connection(path: folder.path(of: "no/none.sqlite")) }
        #expect(other.description.contains("the folder \(folder.path(of: "no")) does not exist"))
    }

    @Test("a folder is not a database")
    func directory() throws {
        let error = try sqliteError { _ = try Connection(path: folder.path) }
        #expect(error.code.primary == .cannotOpen)
        #expect(error.hint == "it is a folder")
    }

    @Test(
        "a file that is no database is refused when it is opened, and stays as it is",
        arguments: [
            Array("bplist00 and so on".utf8), [0, 0], Array(repeating: 0, count: 10_000),
            Array("SQLite format 3".utf8), Array("SQLite format 3\0 but then something else".utf8),
        ] as [[UInt8]],
        [OpenMode.readOnly, .readWrite, .readWriteCreate]
    )
    func notADatabase(bytes: [UInt8], mode: OpenMode) throws {
        let path = try folder.write(bytes, to: "file")
        let error = try sqliteError { _ = try Connection(path: path, mode: mode) }
        #expect([.notADatabase, .corrupt].contains(error.code.primary))
        #expect(error.path == path)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }

    @Test("a truncated database is refused")
    func truncated() throws {
        let path = folder.path(of: "a.sqlite")
        var configuration = Configuration()
        configuration.journalMode = .delete
        try Connection(path: path, configuration: configuration)
            .execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(50000))")
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        try folder.write(Array(bytes[..<2_000]), to: "cut.sqlite")
        let error = try sqliteError { _ = try Connection(path: folder.path(of: "cut.sqlite")) }
        #expect([.notADatabase, .corrupt].contains(error.code.primary))
    }

    @Test("a path is only ever a path", arguments: [":memory:", "file:x.sqlite?mode=memory", "file:"])
    func literalPaths(name: String) throws {
        // A relative path, so it lands in the working folder, from where the test takes it away again.
        var configuration = Configuration()
        configuration.journalMode = .delete
        defer { try? FileManager.default.removeItem(atPath: "./" + name) }
        try Connection(path: name, configuration: configuration).execute("CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: "./" + name))
    }

    @Test("an empty path and a path with a NUL are refused", arguments: ["", "a\0b"])
    func impossiblePaths(path: String) throws {
        #expect(try sqliteError { _ = try Connection(path: path) }.code == .cannotOpen)
    }

    @Test("reading only means just that")
    func readOnly() throws {
        let path = folder.path(of: "a.sqlite")
        let writer = try Connection(path: path)
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let reader = try Connection(path: path, mode: .readOnly)
        #expect(reader.isReadOnly)
        #expect(try reader.count("t") == 1)
        let error = try sqliteError { try reader.run("INSERT INTO t VALUES (2)") }
        #expect(error.code.primary == .readOnly)
    }

    @Test("a closed connection refuses everything, clearly")
    func closed() throws {
        let connection = try Connection(path: folder.path(of: "a.sqlite"))
        try connection.execute("CREATE TABLE t (a); BEGIN; INSERT INTO t VALUES (1)")
        let interrupt = connection.interruptHandle
        connection.close()
        connection.close()
        interrupt.interrupt()
        #expect(connection.isClosed)
        for use in [
            { _ = try connection.prepare("SELECT 1") },
            { try connection.execute("SELECT 1") },
            { try connection.transaction {} },
            { try connection.run("SELECT 1") },
        ] {
            let error = try sqliteError { try use() }
            #expect(error.code == .misuse)
            #expect(error.message == "the connection is closed")
        }
        #expect((connection.changes, connection.totalChanges, connection.lastInsertRowID) == (0, 0, 0))
        #expect(try Connection(path: folder.path(of: "a.sqlite")).count("t") == 0)
        // The last connection takes the write-ahead log away with it.
        #expect(try folder.names() == ["a.sqlite"])
    }

    @Test("changes are counted")
    func changes() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        #expect(try connection.run("INSERT INTO t VALUES (5), (6), (7)") == 3)
        #expect(connection.lastInsertRowID == 7)
        #expect(try connection.run("DELETE FROM t WHERE a > 5") == 2)
        #expect(connection.totalChanges == 5)
        #expect(try connection.run("SELECT * FROM t") == 0)
    }

    @Test("foreign keys are enforced, and broken ones found")
    func foreignKeys() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE p (a INTEGER PRIMARY KEY); CREATE TABLE c (a REFERENCES p)")
        #expect(try sqliteError { try connection.run("INSERT INTO c VALUES (3)") }.code == .constraintForeignKey)
        try connection.execute("PRAGMA foreign_keys = OFF; INSERT INTO c VALUES (3)")
        #expect(
            try connection.foreignKeyCheck()
                == [ForeignKeyViolation(table: "c", rowID: 1, parent: "p", constraint: 0)]
        )
    }

    @Test("a description is one line that names code, path, statement and remedy")
    func descriptions() throws {
        let error = SQLiteError(
            code: .busySnapshot,
            message: "database is locked",
            sql: "INSERT\n  INTO t",
            offset: 7,
            path: "/a/b.sqlite",
            hint: "run it again",
            position: ScriptPosition(statement: 2, line: 4, byteOffset: 30)
        )
        #expect(
            error.description
                == "database is locked (SQLITE_BUSY_SNAPSHOT) in /a/b.sqlite, statement 2 at line 4: run it again "
                + "[SQL: INSERT INTO t] at byte 7 of it"
        )
        #expect(ResultCode(rawValue: 5 | 77 << 8).name == "SQLITE_BUSY (19717)")
        #expect(ResultCode(rawValue: 99).name == "SQLite result 99")
    }
}
