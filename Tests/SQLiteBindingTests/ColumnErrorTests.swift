import SQLiteBinding
import Testing

@Suite("Checked column reads")
struct ColumnErrorTests {
    @Test("NULL where a value is needed is an error with column, row and SQL, and the next row is read")
    func nullColumn() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE accounts (uid INTEGER PRIMARY KEY, access_token TEXT) STRICT;
            INSERT INTO accounts VALUES (1, NULL), (2, '2.00secret');
            """
        )
        let statement = try connection.prepare("SELECT access_token, uid FROM accounts ORDER BY uid")
        statement.keyColumn = 1
        #expect(try statement.step())
        let error = try #require(throws: ColumnError.self) { try statement.read(String.self, at: 0) }
        #expect(error.reason == .null)
        #expect(
            error.description == "column 0 (access_token) of the row 1: expected String, found NULL "
                + "[SQL: SELECT access_token, uid FROM accounts ORDER BY uid]"
        )
        #expect(try statement.read(String?.self, at: 0) == nil)
        #expect(try statement.step())
        #expect(try statement.read(String.self, at: 0) == "2.00secret")
        let mismatch = try #require(throws: ColumnError.self) { try statement.read(Int64.self, at: 0) }
        #expect(mismatch.reason == .typeMismatch(found: .text))
        #expect(mismatch.rowKey == 2)
        #expect(!mismatch.description.contains("secret"))
    }

    @Test("no type is read as another")
    func noConversion() throws {
        let statement = try Connection.inMemory().prepare("SELECT 1, 1.5, '1', x'31', NULL")
        #expect(try statement.step())
        func succeeds<T: ColumnReadable>(_ type: T.Type) -> [Bool] {
            (0..<5).map { index in (try? statement.read(T.self, at: index)) != nil }
        }
        #expect(succeeds(Int64.self) == [true, false, false, false, false])
        #expect(succeeds(Int.self) == [true, false, false, false, false])
        #expect(succeeds(Double.self) == [false, true, false, false, false])
        #expect(succeeds(String.self) == [false, false, true, false, false])
        #expect(succeeds([UInt8].self) == [false, false, false, true, false])
    }

    @Test("text that is not UTF-8 is an error when checked and repaired when not")
    func invalidText() throws {
        let statement = try Connection.inMemory().prepare("SELECT CAST(x'61FF' AS TEXT)")
        #expect(try statement.step())
        let error = try #require(throws: ColumnError.self) { try statement.read(String.self, at: 0) }
        #expect(error.reason == .invalidUTF8)
        #expect(statement.text(at: 0) == "a\u{FFFD}")
    }

    @Test("reading before the first and after the last row is an error")
    func noRow() throws {
        let statement = try Connection.inMemory().prepare("SELECT 1")
        let before = try #require(throws: ColumnError.self) { try statement.read(Int64.self, at: 0) }
        #expect(before.reason == .noRow)
        #expect(try statement.step())
        #expect(try !statement.step())
        let after = try #require(throws: ColumnError.self) { try statement.read(Int64?.self, at: 0) }
        #expect(after.reason == .noRow)
    }
}
