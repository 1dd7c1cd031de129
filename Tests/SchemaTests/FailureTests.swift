import Foundation
import SQLiteBinding
import Schema
import TestSupport
import Testing

/// Migrations that fail or are killed half-way (A15), and processes that begin at once.
@Suite("Migrations that end early")
struct FailureTests {
    private static let broken = """
        CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE INDEX things_name ON things (name);
        -- The next one is wrong.
        INSERT INTO things (id, name)
        VALUES (1, NULL);
        CREATE TABLE never (x);
        """
    private static let fixed = broken.replacing("(1, NULL)", with: "(1, 'one')")

    @Test("a failing statement leaves schema and ledger as before, and its place is told (A15)")
    func failingStatement() throws {
        let folder = try TemporaryDirectory()
        let connection = try Connection(path: folder.path(of: "db.sqlite"))
        try runner("CREATE TABLE a (x)").apply(to: connection)
        let before = try connection.state()
        let error = try migrationError { try runner("CREATE TABLE a (x)", Self.broken).apply(to: connection) }
        #expect(error.code == .failed)
        #expect(error.files == ["V0002__step2.sql"])
        #expect(error.position?.statement == 3)
        #expect(error.position?.line == 4)
        #expect(error.cause?.code == .constraintNotNull)
        #expect(error.message.contains("Migrations/Test/V0002__step2.sql failed, and nothing of it was applied"))
        #expect(error.message.contains("statement 3 at line 4"))
        #expect(try connection.state() == before)
        #expect(connection.isAutocommit)
        #expect(try runner("CREATE TABLE a (x)", Self.fixed).apply(to: connection).map(\.version) == [2])
        #expect(try connection.value("SELECT name FROM things") == "one")
    }

    @Test("a first migration that fails leaves an empty database")
    func failingFirst() throws {
        let connection = try Connection.inMemory()
        let error = try migrationError { try runner("CREATE TABLE a (x); SELEKT 1").apply(to: connection) }
        #expect(error.position?.statement == 2)
        #expect(try connection.state() == [[0]])
    }

    @Test("migrations before the one that fails stay")
    func earlierOnesStay() throws {
        let connection = try Connection.inMemory()
        _ = try migrationError { try runner("CREATE TABLE a (x)", Self.broken).apply(to: connection) }
        #expect(try connection.versions() == [1])
    }

    @Test("a process that is killed before a statement leaves the database as it was (A15)", arguments: 1...4)
    func killed(statement: Int) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "db.sqlite")
        try runner("CREATE TABLE a (x)").apply(to: Connection(path: path))
        let before = try Connection(path: path).state()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, statement = statement as Int] in
            let connection = try Connection(path: path)
            try runner("CREATE TABLE a (x)", Self.fixed).apply(to: connection) { _, position in
                if position.statement == statement { kill(getpid(), SIGKILL) }
            }
        }
        let connection = try Connection(path: path)
        #expect(try connection.state() == before)
        #expect(try connection.integrityCheck().isEmpty)
        #expect(try runner("CREATE TABLE a (x)", Self.fixed).apply(to: connection).map(\.version) == [2])
    }

    @Test("threads that begin at once all succeed, and each migration is applied once")
    func manyThreads() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "db.sqlite")
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var configuration = Configuration()
                    configuration.busyTimeout = .seconds(20)
                    let connection = try Connection(path: path, configuration: configuration)
                    return try runner("CREATE TABLE a (x)", Self.fixed, "CREATE TABLE c (x)")
                        .apply(to: connection).map(\.version)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == [1, 2, 3])
    }

    @Test("processes that begin at once all succeed")
    func manyProcesses() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "db.sqlite")
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        var configuration = Configuration()
                        configuration.busyTimeout = .seconds(20)
                        let connection = try Connection(path: path, configuration: configuration)
                        try runner("CREATE TABLE a (x)", Self.fixed, "CREATE TABLE c (x)").apply(to: connection)
                    }
                }
            }
        }
        #expect(try Connection(path: path).versions() == [1, 2, 3])
    }
}
