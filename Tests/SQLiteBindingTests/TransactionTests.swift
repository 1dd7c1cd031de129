import SQLiteBinding
import Testing
import TestSupport

@Suite("Transaction")
struct TransactionTests {
    private func connection() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT")
        return connection
    }

    @Test("what returns is kept", arguments: TransactionKind.allCases)
    func commits(kind: TransactionKind) throws {
        let connection = try connection()
        let result = try connection.transaction(kind) {
            #expect(!connection.isAutocommit)
            return try connection.run("INSERT INTO t VALUES (1, NULL)")
        }
        #expect(result == 1)
        #expect(connection.isAutocommit)
        #expect(try connection.count("t") == 1)
    }

    @Test("what throws is rolled back, and its error comes out", arguments: TransactionKind.allCases)
    func rollsBack(kind: TransactionKind) throws {
        let connection = try connection()
        #expect(throws: Stop(number: 5)) {
            try connection.transaction(kind) {
                try connection.run("INSERT INTO t VALUES (1, NULL)")
                throw Stop(number: 5)
            }
        }
        #expect(connection.isAutocommit)
        #expect(try connection.count("t") == 0)
    }

    @Test("nested transactions are savepoints, each with its own outcome")
    func savepoints() throws {
        let connection = try connection()
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES (1, NULL)")
            #expect(throws: Stop(number: 2)) {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES (2, NULL)")
                    try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (3, NULL)") }
                    throw Stop(number: 2)
                }
            }
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (4, NULL)")
                #expect(throws: Stop(number: 3)) {
                    try connection.transaction {
                        try connection.run("INSERT INTO t VALUES (5, NULL)")
                        throw Stop(number: 3)
                    }
                }
            }
        }
        #expect(try connection.rows("SELECT a FROM t ORDER BY a") == [[1], [4]])
    }

    @Test("savepoints are kept and taken back at any depth")
    func deepSavepoints() throws {
        let connection = try connection()
        func insert(_ depth: Int64) throws {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (?, NULL)", [.integer(depth)])
                if depth == 40 { throw Stop() }
                do { try insert(depth + 1) } catch is Stop where depth == 20 {}
            }
        }
        try insert(1)
        #expect(try connection.count("t") == 20)
    }

    @Test("a constraint that fails takes back its savepoint only")
    func failedStatementInSavepoint() throws {
        let connection = try connection()
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES (1, NULL)")
            let error = try sqliteError {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES (2, NULL)")
                    try connection.run("INSERT INTO t VALUES (1, NULL)")
                }
            }
            #expect(error.code == .constraintPrimaryKey)
        }
        #expect(try connection.rows("SELECT a FROM t") == [[1]])
    }

    @Test("a commit that fails rolls back and its error comes out")
    func failedCommit() throws {
        let connection = try connection()
        try connection.execute("CREATE TABLE c (a REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        let error = try sqliteError {
            try connection.transaction { _ = try connection.run("INSERT INTO c VALUES (9)") }
        }
        #expect(error.code == .constraintForeignKey)
        #expect(connection.isAutocommit)
        #expect(try connection.count("c") == 0)
    }

    @Test("a full disk is what is reported, and what was there before stays")
    func diskFull() throws {
        let folder = try TemporaryDirectory()
        let connection = try Connection(path: folder.path(of: "full.sqlite"))
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT; INSERT INTO t VALUES (0, x'00')")
        try connection.execute("PRAGMA max_page_count = 20")
        let error = try sqliteError {
            try connection.transaction {
                for a in 1...10_000 as ClosedRange<Int64> {
                    try connection.run("INSERT INTO t VALUES (?, zeroblob(500))", [.integer(a)])
                }
            }
        }
        #expect(error.code == .full)
        #expect(error.description.contains("free space"))
        #expect(connection.isAutocommit)
        #expect(try connection.count("t") == 1)
        #expect(try connection.integrityCheck() == [])
        try connection.execute("PRAGMA max_page_count = 2000")
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (1, zeroblob(500000))") }
        #expect(try connection.count("t") == 2)
    }

    @Test("when SQLite has rolled back by itself, a closure that hides the error writes nothing more")
    func hiddenLoss() throws {
        let folder = try TemporaryDirectory()
        let connection = try Connection(path: folder.path(of: "full.sqlite"))
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT")
        try connection.execute("PRAGMA max_page_count = 10; PRAGMA cache_size = 1")
        var later: SQLiteError?
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1, NULL)")
                _ = try sqliteError {
                    try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2, zeroblob(900000))") }
                }
                #expect(connection.isAutocommit)
                later = try sqliteError { try connection.run("INSERT INTO t VALUES (3, NULL)") }
            }
        }
        #expect(later?.code == .constraintCommitHook)
        #expect(error.code == .full)
        #expect(error.description.contains("rolled the whole transaction back"))
        #expect(try connection.count("t") == 0)
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (4, NULL)") }
        #expect(try connection.rows("SELECT a FROM t") == [[4]])
    }

    @Test("a rollback by hand inside of the closure is noticed")
    func manualRollback() throws {
        let connection = try connection()
        let error = try sqliteError {
            try connection.transaction {
                try connection.execute("ROLLBACK")
                #expect(try sqliteError { try connection.transaction {} }.code == .abortRollback)
            }
        }
        #expect(error.code == .abortRollback)
        #expect(error.description.contains("by hand"))
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (1, NULL)") }
        #expect(try connection.count("t") == 1)
    }

    @Test("a commit by hand inside of the closure is refused")
    func manualCommit() throws {
        let connection = try connection()
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1, NULL)")
                try connection.execute("COMMIT")
            }
        }
        #expect(error.code == .constraintCommitHook)
        #expect(error.description.contains("by hand"))
        #expect(connection.isAutocommit)
        #expect(try connection.count("t") == 0)
    }

    @Test("inside of a transaction begun by hand a closure is a savepoint")
    func manualBegin() throws {
        let connection = try connection()
        try connection.execute("BEGIN")
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (1, NULL)") }
        #expect(!connection.isAutocommit)
        try connection.execute("ROLLBACK")
        #expect(try connection.count("t") == 0)
    }
}
