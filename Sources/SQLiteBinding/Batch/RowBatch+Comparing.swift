internal import CSystemSQLite
internal import Glibc

extension RowBatch {
    /// The integer in a column of a row; nil if there is something else.
    public func integer(row index: Int, column: Int) -> Int64? {
        guard let cell = cell(row: index, column: column), cell.kind == .integer else { return nil }
        return cell.bits
    }

    /// Whether the first columns of a row hold the same as those of a row of a table, in value and in type.
    ///
    /// - Parameters:
    ///   - index: the row of the batch.
    ///   - row: the other row.
    ///   - columns: how many columns to compare.
    public func holds(_ row: Row, inRow index: Int, columns: Int) -> Bool {
        for column in 0..<columns {
            guard let cell = cell(row: index, column: column), unsafe Self.isSame(cell, row.value(column)) else {
                return false
            }
        }
        return true
    }

    /// Removes the rows whose index a closure says yes to.
    public func removeRows(where isRemoved: (Int) -> Bool) {
        var kept = 0
        for index in 0..<count where !isRemoved(index) {
            if kept != index { copyRow(index, to: kept) }
            kept += 1
        }
        keepRows(kept)
    }

    private static func isSame(_ cell: Cell, _ value: OpaquePointer?) -> Bool {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_NULL: return cell.kind == .null
        case SQLITE_INTEGER: return unsafe cell.kind == .integer && sqlite3_value_int64(value) == cell.bits
        case SQLITE_FLOAT:
            return unsafe cell.kind == .real && sqlite3_value_double(value).bitPattern == UInt64(bitPattern: cell.bits)
        case SQLITE_TEXT:
            return unsafe cell.kind == .text && isSame(cell, UnsafeRawPointer(sqlite3_value_text(value)), value)
        default: return unsafe cell.kind == .blob && isSame(cell, sqlite3_value_blob(value), value)
        }
    }

    /// Whether the bytes of a text or blob are those of a value. They have to be asked for before their number.
    private static func isSame(_ cell: Cell, _ bytes: UnsafeRawPointer?, _ value: OpaquePointer?) -> Bool {
        guard unsafe sqlite3_value_bytes(value) == cell.count else { return false }
        if cell.count == 0 { return true }
        guard let bytes = unsafe bytes, let own = unsafe UnsafeRawPointer(bitPattern: Int(cell.bits)) else {
            return false
        }
        return unsafe memcmp(bytes, own, Int(cell.count)) == 0
    }
}
