import Testing

@testable import SQLiteBinding

@Suite("Visiting rows")
struct VisitTests {
    private static let all = "SELECT 1 FROM t WHERE visit(uid, name) ORDER BY uid"

    private func connected(rows: Int = 5) throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (uid INTEGER PRIMARY KEY, name TEXT)")
        for uid in (1...rows).reversed() {
            try connection.run("INSERT INTO t VALUES (?1, ?2)", [.integer(Int64(uid)), .text("name \(uid)")])
        }
        return connection
    }

    @Test("rows come in the order that was asked for, with their values")
    func order() throws {
        var found: [String] = []
        let isComplete = try connected().visit(Self.all) { row in
            found.append("\(row.integer(at: 0) ?? 0) \(row.ascii(at: 1) ?? "-")")
            return true
        }
        #expect(isComplete)
        #expect(found == (1...5).map { "\($0) name \($0)" })
    }

    @Test("parameters are bound, and a visit ends when its closure says so")
    func stops() throws {
        let connection = try connected()
        var found: [Int64] = []
        let isComplete = try connection.visit("SELECT 1 FROM t WHERE uid > ?1 AND visit(uid) ORDER BY uid", [2]) {
            row in
            found.append(row.integer(at: 0) ?? 0)
            return found.count < 2
        }
        #expect(!isComplete)
        #expect(found == [3, 4])
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(5))
    }

    @Test("what a closure throws ends the visit, and the connection is as before")
    func throwing() throws {
        struct Stop: Error {}
        let connection = try connected()
        for _ in 0..<3 {
            var count = 0
            #expect(throws: Stop.self) {
                try connection.visit(Self.all) { _ in
                    count += 1
                    if count == 2 { throw Stop() }
                    return true
                }
            }
            #expect(count == 2)
        }
        #expect(try connection.visit(Self.all) { _ in true })
    }

    @Test("a closure may visit and read with the same connection, each visit having its own rows")
    func nested() throws {
        let connection = try connected(rows: 3)
        var found: [[Int64]] = []
        try connection.visit(Self.all) { outer in
            var inner: [Int64] = []
            try connection.visit(Self.all) { row in
                inner.append(row.integer(at: 0) ?? 0)
                return inner.count < 2
            }
            let uid = outer.integer(at: 0) ?? 0
            #expect(try connection.value("SELECT name FROM t WHERE uid = ?", [.integer(uid)]) == .text("name \(uid)"))
            found.append([uid] + inner)
            return true
        }
        #expect(found == [[1, 1, 2], [2, 1, 2], [3, 1, 2]])
    }

    @Test("values of each type are told apart")
    func types() throws {
        let connection = try Connection.inMemory()
        try connection.visit("SELECT 1 WHERE visit(NULL, -7, 1.5, 'é', x'00ff', '')") { row in
            #expect((0..<6).map { row.type(at: $0) } == [.null, .integer, .real, .text, .blob, .text])
            #expect((0..<6).map { row.isNull(at: $0) } == [true, false, false, false, false, false])
            #expect((0..<6).map { row.integer(at: $0) } == [nil, -7, nil, nil, nil, nil])
            #expect((0..<6).map { row.real(at: $0) } == [nil, nil, 1.5, nil, nil, nil])
            #expect((0..<6).map { row.ascii(at: $0) } == [nil, nil, nil, nil, nil, ""])
            let sizes = [0, 3, 4, 5].map { column in row.withBytes(at: column) { $0.byteCount } }
            #expect(sizes == [0, 2, 2, 0])
            return true
        }
    }

    @Test("the function is refused outside of a visit, and by what a file's schema holds")
    func misuse() throws {
        let connection = try connected()
        #expect(throws: SQLiteError.self) { try connection.visit("SELECT nonsense") { _ in true } }
        try connection.visit(Self.all) { _ in true }
        let error = #expect(throws: SQLiteError.self) { try connection.rows("SELECT visit(1)") }
        #expect(error?.message.contains("whoever visits rows") == true)
        try connection.execute("CREATE VIEW v AS SELECT visit(uid) AS x FROM t")
        #expect(throws: SQLiteError.self) { try connection.rows("SELECT * FROM v") }
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.visit(Self.all) { _ in true } }
    }

    @Test("a visit that is interrupted says so")
    func interrupted() throws {
        let connection = try connected()
        let error = #expect(throws: SQLiteError.self) {
            try connection.visit(Self.all) { _ in
                connection.interruptHandle.interrupt()
                return true
            }
        }
        #expect(error?.code.primary == .interrupt)
        #expect(try connection.visit(Self.all) { _ in true })
    }
}
