import SQLiteBinding
import Testing

@Suite("Statement")
struct StatementTests {
    let connection = try? Connection.inMemory()

    private func connected() throws -> Connection { try #require(connection) }

    @Test(
        "a text comes back byte for byte, a NUL inside of it too",
        arguments: ["a\0b", "\0", "a\0", "", "é", "e\u{301}", "🇳🇱", String(repeating: "x", count: 100_000)]
    )
    func textRoundTrip(text: String) throws {
        let connection = try connected()
        try connection.execute("CREATE TABLE t (token TEXT) STRICT")
        try connection.run("INSERT INTO t VALUES (?)", [.text(text)])
        try connection.withStatement("SELECT token, length(CAST(token AS BLOB)) FROM t WHERE token = ?") { statement in
            try statement.bind(text, at: 1)
            #expect(try statement.step())
            #expect(statement.text(at: 0).map { Array($0.utf8) } == Array(text.utf8))
            #expect(try statement.read(String.self, at: 0) == text)
            #expect(statement.int64(at: 1) == Int64(text.utf8.count))
            #expect(try !statement.step())
        }
    }

    @Test("empty text, empty blob, zero and NULL are different things")
    func emptyValues() throws {
        let connection = try connected()
        let values: [SQLValue] = [.text(""), .blob([]), .integer(0), .real(0), .null]
        let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?")
        try statement.bind(values)
        #expect(try statement.step())
        #expect((0..<5).map { statement.type(at: $0) } == [.text, .blob, .integer, .real, .null])
        #expect((0..<5).map { statement.value(at: $0) } == values)
        #expect(statement.text(at: 0) == "")
        #expect(statement.blob(at: 1) == [])
        #expect(statement.blob(at: 4) == nil)
        #expect(statement.text(at: 4) == nil)
        #expect(statement.int64(at: 4) == 0)
    }

    @Test("a missing optional is NULL, a present one its value")
    func optionals() throws {
        let statement = try connected().prepare("SELECT ?1, ?2, ?3, ?4, ?5")
        try statement.bind(nil as Int64?, at: 1)
        try statement.bind(nil as String?, at: 2)
        try statement.bind(1.5 as Double?, at: 3)
        try statement.bind([1, 0, 2] as [UInt8]?, at: 4)
        try statement.bindNull(at: 5)
        #expect(try statement.step())
        #expect((0..<5).map { statement.value(at: $0) } == [nil, nil, 1.5, .blob([1, 0, 2]), nil])
    }

    @Test("bytes are bound as text or as a blob without a String")
    func spans() throws {
        let bytes: [UInt8] = [0x61, 0, 0x62]
        let statement = try connected().prepare("SELECT ?, ?")
        try statement.bind(utf8: bytes.span.bytes, at: 1)
        try statement.bind(blob: bytes.span.bytes, at: 2)
        #expect(try statement.step())
        #expect(statement.value(at: 0) == .text("a\0b"))
        #expect(statement.value(at: 1) == .blob(bytes))
        for column in 0..<2 {
            let copy = statement.withBytes(at: column) { span in
                (0..<span.byteCount).map { span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            }
            #expect(copy == bytes)
        }
        #expect(statement.withBytes(at: 7) { $0.byteCount } == 0)
    }

    @Test("integers keep all their digits", arguments: [Int64.min, -1, 0, 9_007_199_254_740_993, Int64.max])
    func integers(value: Int64) throws {
        let statement = try connected().prepare("SELECT ?")
        try statement.bind(value, at: 1)
        #expect(try statement.step())
        #expect(statement.int64(at: 0) == value)
        #expect(try statement.read(Int64.self, at: 0) == value)
        #expect(try statement.read(Int?.self, at: 0) == Int(value))
    }

    @Test("an unsigned integer is stored if it fits and refused by name if not")
    func unsignedIntegers() throws {
        let connection = try connected()
        try connection.execute("CREATE TABLE t (uid INTEGER PRIMARY KEY) STRICT")
        let statement = try connection.prepare("INSERT INTO t (uid) VALUES (:uid)")
        try statement.bind(9_223_372_036_854_775_807 as UInt64, at: 1)
        try statement.run()
        for value: UInt64 in [9_223_372_036_854_775_808, .max] {
            let error = try sqliteError { try statement.bind(value, at: 1) }
            #expect(error.code == .mismatch)
            #expect(error.description.contains("parameter 1 (:uid)"))
            #expect(!error.description.contains("\(value)"))
        }
        #expect(try connection.rows("SELECT uid FROM t") == [[.integer(.max)]])
    }

    @Test("parameters are found by name, with or without their first character", arguments: [":uid", "@uid", "$uid"])
    func namedParameters(name: String) throws {
        let statement = try connected().prepare("SELECT \(name)")
        #expect(try statement.parameterIndex(named: name) == 1)
        try statement.bind(7, named: "uid")
        #expect(try statement.step())
        #expect(statement.int64(at: 0) == 7)
        #expect(try sqliteError { try statement.bind(7, named: "other") }.description.contains("it has \(name)"))
    }

    @Test("a parameter that does not exist is an error", arguments: [Int.min, -1, 0, 3, 1 << 32 + 1, Int.max])
    func parameterRange(index: Int) throws {
        let statement = try connected().prepare("SELECT ?, ?")
        let error = try sqliteError { try statement.bind(1 as Int64, at: index) }
        #expect(error.code == .range)
        #expect(error.message.contains("it has 2"))
    }

    @Test("too few and too many values are refused", arguments: [0, 1, 3])
    func parameterCount(count: Int) throws {
        let connection = try connected()
        let error = try sqliteError { try connection.run("SELECT ?, ?", Array(repeating: 1, count: count)) }
        #expect(error.message == "the statement has 2 parameters but \(count) values were given")
    }

    @Test("binding while a statement runs says to reset it")
    func bindWhileRunning() throws {
        let statement = try connected().prepare("SELECT ? UNION ALL SELECT 2")
        try statement.bind(1 as Int64, at: 1)
        #expect(try statement.step())
        #expect(statement.isBusy)
        let error = try sqliteError { try statement.bind(2 as Int64, at: 1) }
        #expect(error.code == .misuse)
        #expect(error.hint == "reset it first")
        statement.reset()
        try statement.bind(2 as Int64, at: 1)
    }

    @Test("unchecked reads of what is not there give NULL", arguments: [Int.min, -1, 1, 1 << 32, Int.max])
    func uncheckedReads(index: Int) throws {
        let statement = try connected().prepare("SELECT 5")
        for _ in 0..<2 {
            #expect(statement.int64(at: index) == 0)
            #expect(statement.double(at: index) == 0)
            #expect(statement.text(at: index) == nil)
            #expect(statement.blob(at: index) == nil)
            #expect(statement.isNull(at: index))
            #expect(throws: ColumnError.self) { try statement.read(Int64.self, at: index) }
            #expect(throws: ColumnError.self) { try statement.read(Int64?.self, at: index) }
            _ = try statement.step()
        }
    }

    @Test("columns are found by name, once, and doubts are errors")
    func columnNames() throws {
        let statement = try connected().prepare("SELECT 1 AS a, 2 AS b, 3 AS b")
        #expect(statement.columnNames == ["a", "b", "b"])
        #expect(try statement.columnIndex(named: "a") == 0)
        #expect(try sqliteError { _ = try statement.columnIndex(named: "b") }.message == "2 columns are named b")
        #expect(try sqliteError { _ = try statement.columnIndex(named: "c") }.hint == "the columns are a, b, b")
    }

    @Test("a step that fails resets the statement, and its error is the first")
    func failedStep() throws {
        let connection = try connected()
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
        let statement = try connection.prepare("INSERT INTO t VALUES (?)")
        try statement.bind(1 as Int64, at: 1)
        let error = try sqliteError { try statement.run() }
        #expect(error.code == .constraintPrimaryKey)
        #expect(error.code.primary == .constraint)
        #expect(error.message == "UNIQUE constraint failed: t.a")
        #expect(error.sql == "INSERT INTO t VALUES (?)")
        #expect(!statement.isBusy)
        try statement.bind(2 as Int64, at: 1)
        try statement.run()
        #expect(connection.changes == 1)
        #expect(connection.lastInsertRowID == 2)
    }

    @Test(
        "a text that is one statement with blanks around it is accepted",
        arguments: ["", ";", " ; -- end", "\n/* x */;;"]
    )
    func blankTail(tail: String) throws {
        try connected().prepare("SELECT 1" + tail).run()
    }

    @Test(
        "anything else than one statement is refused",
        arguments: [
            ("", "there is no statement in the SQL", nil),
            (" -- nothing", "there is no statement in the SQL", nil),
            ("SELECT 1; SELECT 2", "there is more text after the end of the first statement", 10),
            ("SELECT 1; nonsense", "there is more text after the end of the first statement", 10),
            ("SELECT 1;\0 SELECT 2", "the SQL has a NUL character in it", 9),
            ("SELECT 1; /* cut", "a comment is never closed", 10),
            ("SELECT (1", "incomplete input", nil),
            ("SELECT 'cut", "unrecognized token: \"'cut\"", 7),
            ("SELECT 1 +* 2", "near \"*\": syntax error", 10),
            ("SELECT missing", "no such column: missing", 7),
        ] as [(String, String, Int?)]
    )
    func refusedSQL(sql: String, message: String, offset: Int?) throws {
        let connection = try connected()
        let error = try sqliteError { _ = try connection.prepare(sql) }
        #expect(error.message == message)
        #expect(error.offset == offset)
    }

    @Test("text in double quotes is not taken for a string")
    func doubleQuotes() throws {
        let connection = try connected()
        #expect(try sqliteError { _ = try connection.prepare("SELECT \"nothing\"") }.code == .error)
    }

    @Test("a statement outlives its connection")
    func outlivesConnection() throws {
        var connection: Connection? = try Connection.inMemory()
        let statement = try #require(try connection?.prepare("SELECT 1"))
        connection = nil
        #expect(try statement.step())
        #expect(statement.int64(at: 0) == 1)
    }
}
