/// A column that does not hold what was to be read from it. The value itself is never part of the error.
public struct ColumnError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// The column is NULL, which the type that was asked for cannot be.
        case null
        /// The column holds a value of another type.
        case typeMismatch(found: StorageClass)
        /// The column holds an integer that does not fit the type that was asked for.
        case outOfRange
        /// The column's text is not UTF-8.
        case invalidUTF8
        /// There is no such column.
        case noSuchColumn
        /// The statement is not on a row.
        case noRow
    }

    /// What is wrong.
    public var reason: Reason
    /// The column's index, from 0.
    public var column: Int
    /// The column's name, if there is such a column.
    public var name: String?
    /// What was to be read, such as `Int64`.
    public var expected: String
    /// The key of the row, if ``Statement/keyColumn`` names an integer column.
    public var rowKey: Int64?
    /// The statement.
    public var sql: String

    /// Makes an error.
    public init(reason: Reason, column: Int, name: String?, expected: String, rowKey: Int64?, sql: String) {
        self.reason = reason
        self.column = column
        self.name = name
        self.expected = expected
        self.rowKey = rowKey
        self.sql = sql
    }
}

extension ColumnError: CustomStringConvertible {
    /// One line: which column of which row, what was expected and what was found.
    public var description: String {
        var text = "column \(column)"
        if let name { text += " (\(name))" }
        if let rowKey { text += " of the row \(rowKey)" }
        text += ": expected \(expected), "
        switch reason {
        case .null: text += "found NULL"
        case .typeMismatch(let found): text += "found \(found.rawValue)"
        case .outOfRange: text += "found an integer that does not fit"
        case .invalidUTF8: text += "found text that is not UTF-8"
        case .noSuchColumn: text += "but there is no such column"
        case .noRow: text += "but the statement is not on a row"
        }
        return text + " [SQL: \(sql.oneLine(limit: 300))]"
    }
}
