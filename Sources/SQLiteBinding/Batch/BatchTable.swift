internal import CSystemSQLite

/// The table `batch` of one connection: a virtual table whose rows are those of a ``RowBatch``.
///
/// It is an eponymous one (<https://www.sqlite.org/vtab.html#epovtab>), so it needs no row in the schema, and a database that it
/// was used with knows nothing of it.
@safe
final class BatchTable {
    /// What SQLite's calls look at. It lies in memory of its own: to count references to an object, and to check that nobody else changes
    /// it, would take a tenth of the time of a write.
    @unsafe
    fileprivate struct State {
        /// The cells of the rows that are being read; nil while no statement may read the table.
        var cells: UnsafeMutablePointer<RowBatch.Cell>?
        var columnCount = 0
        var count = 0
        /// The row that is being read.
        var row = 0
        /// What has been done with each row.
        var changes: UnsafeMutablePointer<BatchResult.Change>?
    }

    private let state: UnsafeMutablePointer<State>

    /// Makes the table known to a connection, which has to be closed before the table goes.
    init(_ handle: DatabaseHandle) throws(SQLiteError) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State())
        try handle.check(unsafe sqlite3_create_module_v2(try handle.open(), "batch", Self.module, state, nil))
    }

    deinit {
        unsafe state.deallocate()
    }

    /// Lets a statement read the rows of a batch, and gives what it has done with each of them.
    func lend<Failure: Error>(
        _ batch: RowBatch,
        on pointer: OpaquePointer,
        _ body: () throws(Failure) -> Void
    ) throws(Failure) -> [BatchResult.Change] {
        let changes = UnsafeMutableBufferPointer<BatchResult.Change>.allocate(capacity: batch.count)
        unsafe changes.initialize(repeating: .none)
        unsafe state.pointee = State(
            cells: batch.row(0),
            columnCount: batch.columnCount,
            count: batch.count,
            changes: changes.baseAddress
        )
        _ = unsafe sqlite3_update_hook(pointer, Self.noteChange, state)
        defer {
            _ = unsafe sqlite3_update_hook(pointer, nil, nil)
            // Without a batch the table is empty: it means something inside of a call with a batch only.
            unsafe state.pointee = State()
            unsafe changes.deallocate()
        }
        try body()
        return unsafe Array(changes)
    }

    private static let noteChange:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, sqlite3_int64
        ) -> Void = { context, operation, _, _, _ in
            guard let state = unsafe context?.assumingMemoryBound(to: State.self),
                let changes = unsafe state.pointee.changes, unsafe state.pointee.row < state.pointee.count
            else { return }
            unsafe changes[state.pointee.row] =
                operation == SQLITE_INSERT ? .inserted : operation == SQLITE_UPDATE ? .updated : .deleted
        }
}

// MARK: - The module

/// What SQLite knows of the table: its own part first.
@unsafe
private struct VirtualTable {
    var base = unsafe sqlite3_vtab()
    var state: UnsafeMutablePointer<BatchTable.State>
}

/// A pass through the rows: SQLite's own part first.
@unsafe
private struct Cursor {
    var base = unsafe sqlite3_vtab_cursor()
    var state: UnsafeMutablePointer<BatchTable.State>
    var row = 0
    var count = 0
    /// The cells of the row.
    var cells: UnsafeMutablePointer<RowBatch.Cell>?
    var columnCount = 0
}

extension BatchTable {
    private static let declaration =
        "CREATE TABLE batch (" + (0..<RowBatch.mostColumns).map { "c\($0)" }.joined(separator: ", ") + ")"

    /// The functions of the table. It lives as long as the program.
    nonisolated(unsafe) private static let module: UnsafeMutablePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var functions = sqlite3_module()
        functions.iVersion = 1
        unsafe functions.xConnect = connect
        unsafe functions.xBestIndex = plan
        unsafe functions.xDisconnect = disconnect
        unsafe functions.xOpen = open
        unsafe functions.xClose = close
        unsafe functions.xFilter = filter
        unsafe functions.xNext = next
        unsafe functions.xEof = isAtEnd
        unsafe functions.xColumn = column
        unsafe functions.xRowid = rowID
        unsafe module.initialize(to: functions)
        return unsafe module
    }()

    private static let connect:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Int32 = { database, context, _, _, result, _ in
            guard let state = unsafe context?.assumingMemoryBound(to: State.self) else { return SQLITE_ERROR }
            let code = unsafe sqlite3_declare_vtab(database, declaration)
            guard code == SQLITE_OK else { return code }
            let table = UnsafeMutablePointer<VirtualTable>.allocate(capacity: 1)
            unsafe table.initialize(to: VirtualTable(state: state))
            unsafe result?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }

    private static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { table in
        unsafe UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: VirtualTable.self).deallocate()
        return SQLITE_OK
    }

    /// All that a plan can do is to read all rows in order.
    private static let plan:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<sqlite3_index_info>?
        ) -> Int32 = { _, plan in
            unsafe plan?.pointee.estimatedCost = 1_000
            unsafe plan?.pointee.estimatedRows = 1_000
            return SQLITE_OK
        }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
        ) -> Int32 = { table, result in
            guard let table = unsafe UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: VirtualTable.self) else {
                return SQLITE_ERROR
            }
            let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            unsafe cursor.initialize(to: Cursor(state: table.pointee.state))
            unsafe result?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }

    private static let close: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { cursor in
        unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).deallocate()
        return SQLITE_OK
    }

    @inline(__always)
    private static func withCursor(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?,
        _ body: (UnsafeMutablePointer<Cursor>) -> Int32
    ) -> Int32 {
        guard let cursor = unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self) else {
            return SQLITE_ERROR
        }
        return unsafe body(cursor)
    }

    private static let filter:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32 = { cursor, _, _, _, _ in
            unsafe withCursor(cursor) { cursor in
                let state = unsafe cursor.pointee.state
                unsafe cursor.pointee.count = state.pointee.count
                unsafe cursor.pointee.columnCount = state.pointee.columnCount
                unsafe cursor.pointee.cells = state.pointee.cells
                unsafe cursor.pointee.row = 0
                unsafe state.pointee.row = 0
                return SQLITE_OK
            }
        }

    private static let next: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { cursor in
        unsafe withCursor(cursor) { cursor in
            unsafe cursor.pointee.row += 1
            unsafe cursor.pointee.cells = cursor.pointee.cells.map { unsafe $0 + cursor.pointee.columnCount }
            unsafe cursor.pointee.state.pointee.row = cursor.pointee.row
            return SQLITE_OK
        }
    }

    private static let isAtEnd: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { cursor in
        unsafe withCursor(cursor) { cursor in unsafe cursor.pointee.row >= cursor.pointee.count ? 1 : 0 }
    }

    private static let rowID:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab_cursor>?, UnsafeMutablePointer<sqlite3_int64>?
        ) -> Int32 = { cursor, result in
            unsafe withCursor(cursor) { cursor in
                unsafe result?.pointee = Int64(cursor.pointee.row)
                return SQLITE_OK
            }
        }

    private static let column:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32
        ) -> Int32 = { cursor, result, index in
            unsafe withCursor(cursor) { cursor in
                guard let cells = unsafe cursor.pointee.cells, unsafe index < cursor.pointee.columnCount else {
                    unsafe sqlite3_result_null(result)
                    return SQLITE_OK
                }
                let cell = unsafe cells[Int(index)]
                switch cell.kind {
                case .null: unsafe sqlite3_result_null(result)
                case .integer: unsafe sqlite3_result_int64(result, cell.bits)
                case .real: unsafe sqlite3_result_double(result, Double(bitPattern: UInt64(bitPattern: cell.bits)))
                case .text:
                    unsafe csystemsqlite_result_text(result, UnsafeRawPointer(bitPattern: Int(cell.bits)), cell.count)
                case .blob:
                    unsafe csystemsqlite_result_blob(result, UnsafeRawPointer(bitPattern: Int(cell.bits)), cell.count)
                }
                return SQLITE_OK
            }
        }
}
