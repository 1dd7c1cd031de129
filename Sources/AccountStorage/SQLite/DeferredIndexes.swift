internal import SQLiteBinding

/// The indexes of the accounts, taken away while very many rows are written and built anew afterwards, in the same transaction.
///
/// To sort all entries once is many times as fast as to put each into its place when the rows come in another order than that of the
/// index.
struct DeferredIndexes {
    private let connection: Connection
    private var statements: [String] = []

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Drops the indexes, and keeps how they were made.
    mutating func drop() throws {
        let rows = try connection.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'accounts' AND sql IS NOT NULL"
        )
        for row in rows {
            guard case .text(let name) = row[0], case .text(let sql) = row[1] else { continue }
            try connection.execute("DROP INDEX \(RowMapping<Account>.quoted(name))")
            statements.append(sql)
        }
    }

    /// Builds what was dropped. There may be more entries to be sorted than memory has room for.
    mutating func build() throws {
        if statements.isEmpty { return }
        try connection.withTemporaryStorage(.file) {
            for sql in statements { try connection.execute(sql) }
        }
        statements = []
    }
}
