internal import KeyValueCoding

/// A row that is no model, or a model that no row can hold. Nothing of a secret value is in it.
struct RowError: Error, Hashable {
    /// The table.
    var table: String
    /// The row's key, if it is known and an integer.
    var key: Int64?
    /// The column.
    var column: String
    /// What is wrong with it.
    var reason: String
    /// Whether it is a model that would be too large to be read again.
    var isTooLarge = false
}

extension RowError: CustomStringConvertible {
    /// One line: which table, row and column, and what is wrong.
    var description: String {
        let row = key.map { " \($0)" } ?? ""
        return "row\(row) of \(table), column \(Redaction.name(column)): \(reason)"
    }
}
