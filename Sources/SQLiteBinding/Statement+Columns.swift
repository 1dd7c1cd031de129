public import CSystemSQLite

// These are the reads for hot paths. They convert as SQLite does and never fail: a column that does not exist, or a
// statement that is not on a row, reads as NULL. `read(_:at:)` is the one that checks.
extension Statement {
    /// How many columns each row has; 0 for a statement that gives none.
    public var columnCount: Int { Int(unsafe sqlite3_column_count(pointer)) }

    /// The type in which the column at `index` is stored. A read that converts may change it, so ask first.
    @inlinable
    public func type(at index: Int) -> StorageClass {
        unsafe StorageClass(sqlite3_column_type(pointer, Int32(clamping: index)))
    }

    /// Whether the column at `index` is NULL.
    @inlinable
    public func isNull(at index: Int) -> Bool {
        unsafe sqlite3_column_type(pointer, Int32(clamping: index)) == SQLITE_NULL
    }

    /// The column at `index` as an integer; 0 for NULL.
    @inlinable
    public func int64(at index: Int) -> Int64 {
        unsafe sqlite3_column_int64(pointer, Int32(clamping: index))
    }

    /// The column at `index` as a floating-point number; 0 for NULL.
    @inlinable
    public func double(at index: Int) -> Double {
        unsafe sqlite3_column_double(pointer, Int32(clamping: index))
    }

    /// The column at `index` as text, a NUL inside of it too; nil for NULL. Bytes that are no UTF-8 are replaced by U+FFFD.
    @inlinable
    public func text(at index: Int) -> String? {
        let column = Int32(clamping: index)
        guard let start = unsafe sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column at `index` as a blob; nil for NULL.
    @inlinable
    public func blob(at index: Int) -> [UInt8]? {
        let column = Int32(clamping: index)
        guard let start = unsafe sqlite3_column_blob(pointer, column) else {
            // SQLite gives no address for an empty blob either.
            return isNull(at: index) ? nil : []
        }
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Gives the bytes of a text or blob without a copy; none for NULL.
    ///
    /// - Parameters:
    ///   - index: The column.
    ///   - body: What to do with the bytes, which go with the row.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        at index: Int,
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try row.withBytes(at: index, body)
    }

    /// The column at `index` in the type in which it is stored.
    public func value(at index: Int) -> SQLValue {
        switch type(at: index) {
        case .null: .null
        case .integer: .integer(int64(at: index))
        case .real: .real(double(at: index))
        case .text: .text(text(at: index) ?? "")
        case .blob: .blob(blob(at: index) ?? [])
        }
    }
}

extension Statement {
    /// The names of the columns, in order.
    public var columnNames: [String] {
        (0..<columnCount).map { columnName(at: $0) ?? "" }
    }

    /// The name of the column at `index`; nil if there is no such column.
    public func columnName(at index: Int) -> String? {
        guard let name = unsafe sqlite3_column_name(pointer, Int32(clamping: index)) else { return nil }
        return unsafe String(cString: name)
    }

    /// The index of a column, to be found once for a statement, not for each row.
    ///
    /// - Throws: If no column, or more than one, has the name.
    public func columnIndex(named name: String) throws(SQLiteError) -> Int {
        let names = columnNames
        let found = names.indices.filter { names[$0] == name }
        if let index = found.first, found.count == 1 { return index }
        throw SQLiteError(
            code: .range,
            message: found.isEmpty ? "there is no column named \(name)" : "\(found.count) columns are named \(name)",
            sql: sql,
            path: handle.path,
            hint: "the columns are \(names.joined(separator: ", "))"
        )
    }
}
