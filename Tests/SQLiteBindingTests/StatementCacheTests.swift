import SQLiteBinding
import Testing

@Suite("Statement cache")
struct StatementCacheTests {
    private func connection(capacity: Int) throws -> Connection {
        var configuration = Configuration()
        configuration.statementCacheCapacity = capacity
        return try Connection.inMemory(configuration: configuration)
    }

    @Test("the statement that was used longest ago goes first")
    func eviction() throws {
        let connection = try connection(capacity: 2)
        for sql in ["SELECT 1", "SELECT 2", "SELECT 1", "SELECT 3", "SELECT 1", "SELECT 2"] {
            try connection.run(sql)
        }
        let statistics = connection.statementCacheStatistics
        #expect(statistics.hits == 2)
        #expect(statistics.misses == 4)
        #expect(statistics.count == 2)
    }

    @Test("a cache without capacity compiles each time")
    func noCapacity() throws {
        let connection = try connection(capacity: 0)
        for _ in 0..<3 { try connection.run("SELECT 1") }
        #expect(connection.statementCacheStatistics == (0, 3, 0))
    }

    @Test("the same SQL inside of its own loan is a statement of its own")
    func nestedUse() throws {
        let connection = try connection(capacity: 4)
        let sql = "SELECT ?1 UNION ALL SELECT ?1 + 1"
        var seen: [Int64] = []
        try connection.withStatement(sql) { outer in
            try outer.bind(10 as Int64, at: 1)
            while try outer.step() {
                seen.append(outer.int64(at: 0))
                try connection.withStatement(sql) { inner in
                    #expect(inner !== outer)
                    try inner.bind(20 as Int64, at: 1)
                    while try inner.step() { seen.append(inner.int64(at: 0)) }
                }
            }
        }
        #expect(seen == [10, 20, 21, 11, 20, 21])
        #expect(connection.statementCacheStatistics.count == 1)
    }

    @Test("a statement comes back clean, also after an error")
    func restored() throws {
        let connection = try connection(capacity: 4)
        let sql = "SELECT ? UNION ALL SELECT 2"
        #expect(throws: Stop(number: 1)) {
            try connection.withStatement(sql) { statement in
                try statement.bind("kept?", at: 1)
                statement.keyColumn = 3
                _ = try statement.step()
                throw Stop(number: 1)
            }
        }
        try connection.withStatement(sql) { statement in
            #expect(!statement.isBusy)
            #expect(statement.keyColumn == nil)
            let hasRow = try statement.step()
            #expect(hasRow && statement.isNull(at: 0))
        }
        #expect(connection.statementCacheStatistics.hits == 1)
    }

    @Test("a cached statement survives a change of the schema")
    func schemaChange() throws {
        let connection = try connection(capacity: 4)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        #expect(try connection.rows("SELECT * FROM t") == [[1]])
        try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try connection.rows("SELECT * FROM t") == [[1, 2]])
    }
}
