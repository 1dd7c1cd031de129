import SQLiteBinding
import Schema
import TestSupport
import Testing

/// A folder of migrations that the tests make up, the first of which has version 1.
func folder(_ scripts: String...) -> MigrationFolder {
    let migrations = scripts.enumerated().map { Migration(version: $0 + 1, name: "step\($0 + 1)", sql: $1) }
    return MigrationFolder(name: "Test", migrations: migrations)
}

/// A runner for a folder that the tests make up.
func runner(_ scripts: String...) -> MigrationRunner {
    let migrations = scripts.enumerated().map { Migration(version: $0 + 1, name: "step\($0 + 1)", sql: $1) }
    return MigrationRunner(folder: MigrationFolder(name: "Test", migrations: migrations), applicationID: 77)
}

/// The error that a call throws; a failed expectation if it throws none, or another type.
func migrationError(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws -> MigrationError {
    let error = #expect(throws: MigrationError.self, sourceLocation: sourceLocation) { try body() }
    return try #require(error, sourceLocation: sourceLocation)
}

extension Connection {
    /// All that the schema and the ledger hold, to be compared.
    func state() throws -> [[SQLValue]] {
        var state = try rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        if state.contains(where: { $0[1] == "schema_migrations" }) {
            state += try rows("SELECT version, name, sql, applied_at FROM schema_migrations ORDER BY version")
        }
        return state + (try rows("PRAGMA application_id"))
    }

    /// The versions in the ledger.
    func versions() throws -> [SQLValue] {
        try rows("SELECT version FROM schema_migrations ORDER BY version").compactMap(\.first)
    }
}
