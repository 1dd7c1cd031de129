public import CSystemSQLite

/// A compiled SQL statement, finalized when the last reference to it goes.
///
/// Bind values to its parameters, ``step()`` through its rows and read their columns; ``reset()`` makes it ready for
/// another run and keeps the bindings. Parameters count from 1 and columns from 0, as in the C library. A statement
/// belongs to the same thread as its ``Connection`` and is not Sendable.
///
/// Reading a column and stepping cost little more than the C functions, also from other modules.
@safe
public final class Statement {
    @usableFromInline let pointer: OpaquePointer
    @usableFromInline let handle: DatabaseHandle

    /// Which column holds the row's key, to be named in ``ColumnError/rowKey`` when a column of the row cannot be read.
    public var keyColumn: Int?

    private init(pointer: OpaquePointer, handle: DatabaseHandle) {
        unsafe self.pointer = pointer
        self.handle = handle
    }

    deinit {
        _ = unsafe sqlite3_finalize(pointer)
    }

    /// Compiles a text that holds exactly one statement.
    convenience init(sql: String, handle: DatabaseHandle) throws(SQLiteError) {
        // With its NUL at the end the text is read in place; without it SQLite would make a copy.
        let text = Array(sql.utf8) + [0]
        let one = try unsafe Self.compilePointer(text[...], handle: handle, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        guard let pointer = unsafe one.pointer else {
            throw Self.refusal("there is no statement in the SQL", sql: sql, handle: handle)
        }
        if let fault = Self.trailingText(text[..<(text.count - 1)], from: unsafe one.consumed) {
            _ = unsafe sqlite3_finalize(pointer)
            throw Self.refusal(fault.message, sql: sql, offset: fault.offset, handle: handle)
        }
        unsafe self.init(pointer: pointer, handle: handle)
    }

    /// Compiles the first statement of a text that ends in NUL; `consumed` is how many bytes it took.
    static func compile(
        _ text: ArraySlice<UInt8>,
        handle: DatabaseHandle,
        flags: UInt32
    ) throws(SQLiteError) -> (statement: Statement?, consumed: Int) {
        let one = try unsafe compilePointer(text, handle: handle, flags: flags)
        guard let pointer = unsafe one.pointer else { return (nil, unsafe one.consumed) }
        return unsafe (Statement(pointer: pointer, handle: handle), one.consumed)
    }

    private static func compilePointer(
        _ text: ArraySlice<UInt8>,
        handle: DatabaseHandle,
        flags: UInt32
    ) throws(SQLiteError) -> (pointer: OpaquePointer?, consumed: Int) {
        let database = try unsafe handle.open()
        guard let count = Int32(exactly: text.count) else {
            throw refusal("the SQL is too long", code: .tooBig, sql: nil, handle: handle)
        }
        var pointer: OpaquePointer?
        var consumed = 0
        let code = unsafe text.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return SQLITE_OK }
            var tail: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(database, start, count, flags, &pointer, &tail)
            if let tail = unsafe tail { unsafe consumed = tail - start }
            return code
        }
        guard code == SQLITE_OK else {
            throw handle.error(code, sql: String(decoding: text.prefix(4_000).prefix { $0 != 0 }, as: UTF8.self))
        }
        return unsafe (pointer, consumed)
    }

    /// What follows the first statement, if it is more than blanks.
    private static func trailingText(_ text: ArraySlice<UInt8>, from start: Int) -> (message: String, offset: Int)? {
        guard start < text.endIndex else { return nil }
        let blank = SQLText.skipBlank(text, from: start)
        if let comment = blank.unclosedComment { return ("a comment is never closed", comment) }
        if blank.end >= text.endIndex { return nil }
        // The statement's own text holds no NUL: SQLite would have stopped there.
        if text[blank.end] == 0 { return ("the SQL has a NUL character in it", blank.end) }
        return ("there is more text after the end of the first statement", blank.end)
    }

    private static func refusal(
        _ message: String,
        code: ResultCode = .error,
        sql: String?,
        offset: Int? = nil,
        handle: DatabaseHandle
    ) -> SQLiteError {
        SQLiteError(code: code, message: message, sql: sql, offset: offset, path: handle.path)
    }
}

@available(*, unavailable)
extension Statement: Sendable {}

extension Statement {
    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one; after false the next call begins again.
    /// - Throws: What SQLite reports; the statement is reset then.
    @inlinable
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failedStep(code)
    }

    /// Runs the statement to its end, passing over rows, and resets it.
    @inlinable
    public func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Makes the statement ready to run from its beginning; the bindings stay.
    @inlinable
    public func reset() {
        // The result repeats the failure of the last step, which has been thrown.
        _ = unsafe sqlite3_reset(pointer)
    }

    /// Makes every parameter NULL.
    @inlinable
    public func clearBindings() {
        _ = unsafe sqlite3_clear_bindings(pointer)
    }

    /// The statement's SQL, with the names of its parameters and without their values.
    public var sql: String {
        guard let text = unsafe sqlite3_sql(pointer) else { return "" }
        return unsafe String(cString: text)
    }

    /// Whether the statement cannot change the database.
    public var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

    /// Whether the statement has been stepped and neither come to its end nor been reset.
    public var isBusy: Bool { unsafe sqlite3_stmt_busy(pointer) != 0 }

    @usableFromInline @inline(never)
    func failedStep(_ code: Int32) -> SQLiteError {
        let error = failure(code)
        reset()
        return error
    }

    func failure(_ code: Int32) -> SQLiteError {
        unsafe handle.error(code, sql: sql, from: sqlite3_db_handle(pointer))
    }

    /// Brings the statement back to how it was when it was compiled.
    func restore() {
        reset()
        clearBindings()
        keyColumn = nil
    }
}
