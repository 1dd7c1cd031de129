internal import SQLiteBinding

/// The table of the files that were imported, and the statements on it.
enum ImportedFileRows {
    static let isUnchanged = "SELECT 1 FROM imported_files WHERE path = ?1 AND size = ?2 AND modified_at = ?3"

    private static let remember = """
        INSERT INTO imported_files (path, size, modified_at, accounts, imported_at)
        VALUES (?1, ?2, ?3, ?4, unixepoch())
        ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified_at = excluded.modified_at,
            accounts = excluded.accounts, imported_at = excluded.imported_at
        """

    /// Binds what tells a file from others to the first three parameters.
    static func bind(_ file: FileIdentity, to statement: Statement) throws(SQLiteError) {
        try statement.bind(file.path, at: 1)
        try statement.bind(file.size, at: 2)
        try statement.bind(file.modifiedAt, at: 3)
    }

    /// Remembers files, so that they are not read again while they stay as they are.
    static func remember(_ files: some Sequence<ImportedFile>, in connection: Connection) throws {
        try connection.withStatement(remember) { statement in
            for file in files {
                try bind(file.identity, to: statement)
                try statement.bind(file.accounts.count, at: 4)
                try statement.run()
            }
        }
    }
}
