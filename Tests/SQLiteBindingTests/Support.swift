import SQLiteBinding
import Testing
import TestSupport

/// The error that a call throws; a failed expectation if it throws none, or another type.
func sqliteError(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws -> SQLiteError {
    let error = #expect(throws: SQLiteError.self, sourceLocation: sourceLocation) { try body() }
    return try #require(error, sourceLocation: sourceLocation)
}

/// An error of the tests' own.
struct Stop: Error, Equatable {
    var number = 0
}

extension Connection {
    /// How many rows a table has.
    func count(_ table: String) throws -> Int64? {
        guard case .integer(let count)? = try value("SELECT count(*) FROM \(table)") else { return nil }
        return count
    }
}
