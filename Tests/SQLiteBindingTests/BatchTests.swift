import SQLiteBinding
import TestSupport
import Testing

@Suite("Batches of rows")
struct BatchTests {
    private static let upsert = """
        INSERT INTO t (uid, name, size, data) SELECT c0, c1, c2, c3 FROM batch WHERE true
        ON CONFLICT (uid) DO UPDATE SET name = excluded.name WHERE name IS NOT excluded.name
        """

    private func connection() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (uid INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB) STRICT")
        return connection
    }

    private func batch(_ rows: [(Int64, String?)]) -> RowBatch {
        let batch = RowBatch(columns: 4)
        for (uid, name) in rows {
            batch.append(uid)
            batch.append(name)
            batch.append(Double(uid) / 2)
            batch.append(blob: Array("data \(uid)".utf8).span.bytes)
        }
        return batch
    }

    @Test("every row is written, with its values as they are")
    func values() throws {
        let connection = try connection()
        let texts = [nil, "", "a", "令牌", "a\u{0}b", String(repeating: "x", count: 1_000_000)]
        let batch = batch(texts.enumerated().map { (Int64($0) - 2, $1) })
        #expect(batch.count == texts.count)
        let result = try connection.run(Self.upsert, over: batch)
        #expect(result.count(of: .inserted) == texts.count)
        let rows = try connection.rows("SELECT uid, name, size, data FROM t ORDER BY uid")
        for (row, text) in zip(rows, texts) {
            #expect(row[1] == text.map(SQLValue.text) ?? .null)
            guard case .integer(let uid) = row[0] else { throw Stop() }
            #expect(row[2] == .real(Double(uid) / 2))
            #expect(row[3] == .blob(Array("data \(uid)".utf8)))
        }
    }

    @Test("what has become of each row is told, also of 10,000 of them and of none")
    func changes() throws {
        let connection = try connection()
        try connection.run(Self.upsert, over: batch([(1, "a"), (2, "b")]))
        let result = try connection.run(Self.upsert, over: batch([(2, "b"), (3, "c"), (1, "z"), (4, "d")]))
        #expect((0..<4).map(result.change) == [.none, .inserted, .updated, .inserted])
        #expect(try connection.run(Self.upsert, over: batch([])).count(of: .inserted) == 0)
        let many = try connection.run(Self.upsert, over: batch((0..<10_000).map { ($0 % 6_000, "n\($0)") }))
        #expect(many.count(of: .inserted) == 6_000 - 4)
        #expect(many.count(of: .updated) == 4_004)
        // A statement of the ordinary kind is not taken for one of the batch.
        try connection.run("INSERT INTO t (uid) VALUES (-1)")
    }

    @Test("a batch is used again, and others of other columns beside it")
    func reuse() throws {
        let connection = try connection()
        let batch = batch([(1, "a")])
        try connection.run(Self.upsert, over: batch)
        batch.removeAll()
        #expect(batch.count == 0)
        for uid in 2...5_000 as ClosedRange<Int64> {
            batch.append(uid)
            batch.append(String(repeating: "y", count: 100))
            batch.appendNull()
            batch.append(SQLValue.null)
        }
        try connection.run(Self.upsert, over: batch)
        let other = RowBatch(columns: 1, reservingRows: 2)
        for uid in [1, 5_000, 7_000] as [Int64] { other.append(uid) }
        try connection.run("DELETE FROM t WHERE uid IN (SELECT c0 FROM batch)", over: other)
        #expect(try connection.count("t") == 4_998)
        // Columns that a batch does not have are NULL, and without a batch there are no rows.
        try connection.run("INSERT INTO t (uid, name) SELECT c0, c7 FROM batch WHERE c0 = 7000", over: other)
        #expect(try connection.rows("SELECT name FROM t WHERE uid = 7000") == [[.null]])
        #expect(try connection.count("batch") == 0)
    }

    @Test("a row that is refused undoes the statement, and the next batch is written")
    func failure() throws {
        let connection = try connection()
        let wrong = RowBatch(columns: 4)
        for uid in 1...100 as ClosedRange<Int64> {
            wrong.append(uid)
            if uid == 60 { wrong.append(blob: [1 as UInt8].span.bytes) } else { wrong.append("n") }
            wrong.appendNull()
            wrong.appendNull()
        }
        let error = try sqliteError { try connection.run(Self.upsert, over: wrong) }
        #expect(error.code.primary == .constraint)
        #expect(try connection.count("t") == 0)
        #expect(try connection.run(Self.upsert, over: batch([(1, "a")])).count(of: .inserted) == 1)
    }

    @Test("a text that is too long for SQLite is refused, not cut", .disabled(if: Effort.isBrief, "it takes gigabytes"))
    func tooLong() throws {
        let connection = try connection()
        let batch = RowBatch(columns: 4)
        batch.append(1 as Int64)
        batch.append(utf8: [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000_001).span.bytes)
        batch.appendNull()
        batch.appendNull()
        let error = try sqliteError { try connection.run(Self.upsert, over: batch) }
        #expect(error.code.primary == .tooBig)
        #expect(try connection.count("t") == 0)
    }

    @Test("rows are compared with those of a table by type and value, and taken out of a batch")
    func comparing() throws {
        let values: [[SQLValue]] = [
            [.integer(1), .text("a\0b"), .null], [.integer(2), .text(""), .blob([])],
            [.integer(3), .real(0.5), .blob([0, 255])], [.integer(4), .text("1"), .real(1)],
        ]
        let batch = RowBatch(columns: 3)
        for value in values.joined() { batch.append(value) }
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
        for row in values { try connection.run("INSERT INTO t VALUES (?, ?, ?)", row) }
        let sql = "SELECT 1 FROM t WHERE visit(id, a, b) ORDER BY id"
        func same(columns: Int = 3) throws -> [[Int]] {
            var found: [[Int]] = []
            try connection.visit(sql) { row in
                found.append((-1...batch.count).filter { batch.holds(row, inRow: $0, columns: columns) })
                return true
            }
            return found
        }
        #expect(try same() == [[0], [1], [2], [3]])
        try connection.execute("UPDATE t SET a = 'a' WHERE id = 1; UPDATE t SET b = '' WHERE id = 2")
        try connection.execute("UPDATE t SET a = 0.25 WHERE id = 3; UPDATE t SET a = 1, b = 1 WHERE id = 4")
        #expect(try same() == [[], [], [], []])
        #expect(try same(columns: 1) == [[0], [1], [2], [3]])
        #expect(try same(columns: 4) == [[], [], [], []])

        batch.removeRows { $0 % 2 == 0 }
        #expect(batch.count == 2)
        #expect((0..<3).map { batch.integer(row: $0, column: 0) } == [2, 4, nil])
        #expect(batch.integer(row: 0, column: 1) == nil)
        try connection.run("INSERT INTO t SELECT c0 + 10, c1, c2 FROM batch", over: batch)
        #expect(
            try connection.rows("SELECT id, a, b FROM t WHERE id > 10") == [
                [.integer(12), .text(""), .blob([])], [.integer(14), .text("1"), .real(1)],
            ]
        )
    }
}
