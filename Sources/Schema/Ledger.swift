internal import SQLiteBinding

/// The table in which a database keeps what was applied to it.
enum Ledger {
    /// A migration as it was applied.
    struct Entry {
        var version: Int64
        var name: String
        /// The text of the file, so that a later change can be told, and shown.
        var sql: String
        /// Unix seconds.
        var appliedAt: Int64

        var fileName: String { Migration.fileName(version: version, name: name) }
    }

    static let table = "schema_migrations"

    static let create = """
        CREATE TABLE schema_migrations (
            version INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            -- The file as it was applied, with the line ends of Unix.
            sql TEXT NOT NULL,
            -- Unix seconds.
            applied_at INTEGER NOT NULL
        ) STRICT
        """

    /// Reads the ledger; nil if there is none.
    static func entries(_ connection: Connection) throws(SQLiteError) -> [Entry]? {
        // Other programs keep ledgers of this name too, but not with these columns.
        let columns = try connection.rows("SELECT name FROM pragma_table_info(?) ORDER BY name", [.text(table)])
        guard columns == [["applied_at"], ["name"], ["sql"], ["version"]] else { return nil }
        let statement = try connection.prepare(
            "SELECT version, name, sql, applied_at FROM schema_migrations ORDER BY version"
        )
        var entries: [Entry] = []
        while try statement.step() {
            entries.append(
                Entry(
                    version: statement.int64(at: 0),
                    name: statement.text(at: 1) ?? "",
                    sql: Migration.normalisingLineEnds(statement.text(at: 2) ?? ""),
                    appliedAt: statement.int64(at: 3)
                )
            )
        }
        return entries
    }

    static func add(_ migration: Migration, to connection: Connection) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO schema_migrations (version, name, sql, applied_at) VALUES (?, ?, ?, unixepoch())",
            [.integer(Int64(migration.version)), .text(migration.name), .text(migration.sql)]
        )
    }
}
