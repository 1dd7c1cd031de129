public import CSystemSQLite

/// The values of one row: of the one that a ``Statement`` is on, or of one that ``Connection/visit(_:_:_:)`` hands out.
///
/// It goes with the row, and is not Sendable. Columns count from 0.
@safe
public struct Row {
    /// The statement that is on the row; nil where the values are given.
    @usableFromInline let statement: OpaquePointer?
    /// The values, if they are given.
    @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?
    /// How many columns there are.
    @usableFromInline let count: Int

    @inlinable
    init(statement: OpaquePointer) {
        unsafe self.statement = statement
        unsafe values = nil
        count = 0
    }

    @inlinable
    init(values: UnsafeMutablePointer<OpaquePointer?>, count: Int) {
        unsafe statement = nil
        unsafe self.values = values
        self.count = count
    }

    /// The value of a column, from which several things are read faster than from a statement.
    ///
    /// Where SQLite uses no mutex, as in connections of this library, there is no harm in its being an unprotected one
    /// (<https://www.sqlite.org/c3ref/value.html>).
    @inlinable @inline(__always)
    func value(_ column: Int) -> OpaquePointer? {
        guard let values = unsafe values else { return unsafe sqlite3_column_value(statement, Int32(clamping: column)) }
        precondition(column >= 0 && column < count, "there is no such column")
        return unsafe values[column]
    }
}

@available(*, unavailable)
extension Row: Sendable {}

extension Row {
    /// The type in which a column is stored.
    @inlinable
    public func type(at column: Int) -> StorageClass { unsafe StorageClass(sqlite3_value_type(value(column))) }

    /// Whether a column is NULL.
    @inlinable
    public func isNull(at column: Int) -> Bool { unsafe sqlite3_value_type(value(column)) == SQLITE_NULL }

    /// A column that is stored as an integer; nil for any other.
    @inlinable @inline(__always)
    public func integer(at column: Int) -> Int64? {
        let value = unsafe value(column)
        guard unsafe sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_value_int64(value)
    }

    /// A column that is stored as a floating-point number; nil for any other.
    @inlinable
    public func real(at column: Int) -> Double? {
        let value = unsafe value(column)
        guard unsafe sqlite3_value_type(value) == SQLITE_FLOAT else { return nil }
        return unsafe sqlite3_value_double(value)
    }

    /// A column that is stored as text which is ASCII throughout, which is quick to see; nil for any other.
    @inlinable
    public func ascii(at column: Int) -> String? {
        let value = unsafe value(column)
        guard unsafe sqlite3_value_type(value) == SQLITE_TEXT, let start = unsafe sqlite3_value_text(value) else {
            return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return unsafe Self.isASCII(bytes) ? unsafe String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Gives the bytes of a text or blob without a copy; none for NULL.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - body: What to do with the bytes, which go with the row.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        at column: Int,
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let value = unsafe value(column)
        let start: UnsafeRawPointer?
        // A text of a UTF-16 database would come as UTF-16 through the call for blobs.
        if unsafe sqlite3_value_type(value) == SQLITE_BLOB {
            unsafe start = sqlite3_value_blob(value)
        } else {
            unsafe start = UnsafeRawPointer(sqlite3_value_text(value))
        }
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return try body(unsafe UnsafeRawBufferPointer(start: start, count: count).bytes)
    }

    @inlinable
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var seen: UInt64 = 0
        var position = 0
        while bytes.count - position >= 8 {
            unsafe seen |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        while position < bytes.count {
            seen |= UInt64(unsafe bytes[position])
            position += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}

extension Statement {
    /// The row that the statement is on.
    @inlinable
    public var row: Row { unsafe Row(statement: pointer) }
}
