internal import CSystemSQLite

/// A type that ``Statement/read(_:at:)`` gives.
public protocol ColumnReadable {
    /// Reads the column at `index` of the row that `statement` is on.
    ///
    /// - Throws: If the column does not hold a value of this type.
    static func read(from statement: Statement, at index: Int) throws(ColumnError) -> Self
}

extension Statement {
    /// Reads a column, which has to hold a value of the type.
    ///
    /// Nothing is converted: text is not read as a number, nor NULL as 0. For a column that may be NULL ask for an
    /// optional type.
    ///
    /// - Parameters:
    ///   - type: The type to read.
    ///   - index: The column, from 0.
    /// - Throws: If there is no such column or row, or the column holds something else.
    @inlinable
    public func read<Column: ColumnReadable>(
        _ type: Column.Type = Column.self,
        at index: Int
    ) throws(ColumnError) -> Column {
        try Column.read(from: self, at: index)
    }

    /// The error for a column that is not what `expected` says.
    @usableFromInline @inline(never)
    func columnError(at index: Int, expected: String, reason: ColumnError.Reason? = nil) -> ColumnError {
        let found = type(at: index)
        var actual = reason ?? (found == .null ? .null : .typeMismatch(found: found))
        if index < 0 || index >= columnCount {
            actual = .noSuchColumn
        } else if unsafe sqlite3_data_count(pointer) == 0 {
            actual = .noRow
        }
        var key: Int64?
        if let keyColumn, type(at: keyColumn) == .integer { key = int64(at: keyColumn) }
        return ColumnError(
            reason: actual,
            column: index,
            name: columnName(at: index),
            expected: expected,
            rowKey: key,
            sql: sql
        )
    }

    /// Whether the column exists and the statement is on a row, which an optional read cannot tell from NULL.
    @usableFromInline
    func hasColumn(at index: Int) -> Bool {
        index >= 0 && index < Int(unsafe sqlite3_data_count(pointer))
    }
}

extension Int64: ColumnReadable {
    /// Reads an integer.
    @inlinable
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> Int64 {
        guard statement.type(at: index) == .integer else {
            throw statement.columnError(at: index, expected: "Int64")
        }
        return statement.int64(at: index)
    }
}

extension Int: ColumnReadable {
    /// Reads an integer that fits.
    @inlinable
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> Int {
        guard let value = Int(exactly: try Int64.read(from: statement, at: index)) else {
            throw statement.columnError(at: index, expected: "Int", reason: .outOfRange)
        }
        return value
    }
}

extension Double: ColumnReadable {
    /// Reads a floating-point number.
    @inlinable
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> Double {
        guard statement.type(at: index) == .real else {
            throw statement.columnError(at: index, expected: "Double")
        }
        return statement.double(at: index)
    }
}

extension String: ColumnReadable {
    /// Reads a text, which has to be UTF-8.
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> String {
        guard statement.type(at: index) == .text else {
            throw statement.columnError(at: index, expected: "String")
        }
        let text = statement.withBytes(at: index) { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        }
        guard let text else { throw statement.columnError(at: index, expected: "String", reason: .invalidUTF8) }
        return text
    }
}

extension [UInt8]: ColumnReadable {
    /// Reads a blob.
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> [UInt8] {
        guard statement.type(at: index) == .blob else {
            throw statement.columnError(at: index, expected: "[UInt8]")
        }
        return statement.blob(at: index) ?? []
    }
}

extension Optional: ColumnReadable where Wrapped: ColumnReadable {
    /// Reads a value or NULL.
    @inlinable
    public static func read(from statement: Statement, at index: Int) throws(ColumnError) -> Wrapped? {
        if !statement.isNull(at: index) { return try Wrapped.read(from: statement, at: index) }
        guard statement.hasColumn(at: index) else {
            throw statement.columnError(at: index, expected: "\(Wrapped.self)?")
        }
        return nil
    }
}
