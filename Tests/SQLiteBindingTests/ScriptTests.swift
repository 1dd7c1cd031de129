import SQLiteBinding
import Testing

@Suite("Script")
struct ScriptTests {
    @Test("statements are found with their numbers, lines and offsets")
    func positions() throws {
        let script = """
            -- first; not a statement
            CREATE TABLE t (a);
            /* two
               lines */ INSERT INTO t VALUES ('x;y');;
            CREATE TRIGGER r AFTER INSERT ON t BEGIN
                DELETE FROM t WHERE a = 1;
            END;
            SELECT 1
            """
        let connection = try Connection.inMemory()
        var statements = connection.statements(of: script)
        var found: [ScriptPosition] = []
        var sql: [String] = []
        while let (statement, position) = try statements.next() {
            try statement.run()
            found.append(position)
            sql.append(statement.sql)
        }
        #expect(found.map(\.statement) == [1, 2, 3, 4])
        #expect(found.map(\.line) == [2, 4, 5, 8])
        let bytes = Array(script.utf8)
        for (position, text) in zip(found, sql) {
            #expect(bytes[position.byteOffset...].starts(with: text.utf8))
        }
    }

    @Test("an empty script does nothing", arguments: ["", "\n", "-- nothing", ";;", "\u{FEFF}", "/**/"])
    func empty(script: String) throws {
        try Connection.inMemory().execute(script)
    }

    @Test(
        "a fault is placed by statement and line",
        arguments: [
            ("SELECT 1;\nSELECT 2;\nnonsense;", 3, 3),
            ("SELECT 1;\n\nSELECT\n  1,\n  nothing;", 2, 5),
            ("CREATE TABLE t (a NOT NULL);\nINSERT INTO t\n VALUES (NULL);", 2, 2),
            ("SELECT 1;\nSELECT (", 2, 2),
            ("SELECT 1;\nSELECT 'cut", 2, 2),
            ("SELECT 1;\n\n/* cut\n", 2, 3),
            ("SELECT 1;\n\0SELECT 2", 2, 2),
            ("SELECT 1;\n)", 2, 2),
        ]
    )
    func faults(script: String, statement: Int, line: Int) throws {
        let connection = try Connection.inMemory()
        let error = try sqliteError { try connection.execute(script) }
        #expect(error.position?.statement == statement)
        #expect(error.position?.line == line)
        #expect(error.description.contains("statement \(statement) at line \(line)"))
    }

    @Test("in a transaction a script that fails leaves nothing")
    func allOrNothing() throws {
        let connection = try Connection.inMemory()
        _ = try sqliteError {
            try connection.transaction { try connection.execute("CREATE TABLE t (a); INSERT INTO nowhere VALUES (1)") }
        }
        #expect(try connection.count("sqlite_schema") == 0)
        #expect(connection.isAutocommit)
    }
}
