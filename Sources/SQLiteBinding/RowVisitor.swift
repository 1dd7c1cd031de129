internal import CSystemSQLite

/// The SQL function `visit` of one connection, which hands the values of its arguments to a closure.
///
/// A statement that calls it in its condition never stops at a row: SQLite evaluates the condition for each row, the closure takes the
/// values, and the condition fails, so that the next row comes, within one call of `sqlite3_step`. That spares the
/// way out of SQLite and back for each row, and for each column.
@safe
final class RowVisitor {
    /// Takes a row, and says whether to go on.
    typealias Body = (Row) -> Bool

    /// A visit. That its closure never changes spares counting references to it for each row.
    private final class Visit {
        let body: Body

        init(_ body: @escaping Body) {
            self.body = body
        }
    }

    private var visit: Visit?

    /// Makes the function known to a connection, which has to be closed before the visitor goes.
    init(_ handle: DatabaseHandle) throws(SQLiteError) {
        let code = unsafe sqlite3_create_function_v2(
            try handle.open(),
            "visit",
            -1,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passUnretained(self).toOpaque(),
            Self.function,
            nil,
            nil,
            nil
        )
        try handle.check(code)
    }

    /// Lets a statement call the closure while another closure runs it. One may be inside of another.
    func lend<Result, Failure: Error>(
        _ visiting: Body,
        _ running: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withoutActuallyEscaping(visiting) { visiting throws(Failure) in
            let outer = visit
            visit = Visit(visiting)
            defer { visit = outer }
            return try running()
        }
    }

    private static let function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void =
        {
            context,
            count,
            values in
            guard let data = unsafe sqlite3_user_data(context), let values = unsafe values else { return }
            let goesOn: Bool? = unsafe Unmanaged<RowVisitor>.fromOpaque(data)._withUnsafeGuaranteedRef { visitor in
                // It stays while the statement runs.
                guard let visit = unsafe visitor.visit.map(Unmanaged.passUnretained) else { return nil }
                return unsafe visit._withUnsafeGuaranteedRef { unsafe $0.body(Row(values: values, count: Int(count))) }
            }
            guard let goesOn else {
                unsafe sqlite3_result_error(context, "visit means something only to whoever visits rows", -1)
                return
            }
            // Without a result the condition is NULL, which is not true.
            if !goesOn { unsafe sqlite3_result_int(context, 1) }
        }
}

extension Connection {
    /// Gives each row of a table to a closure, faster than by stepping through them.
    ///
    /// ```swift
    /// try connection.visit("SELECT 1 FROM t WHERE visit(uid, name) ORDER BY uid") { row in
    ///     uids.append(row.integer(at: 0) ?? 0)
    ///     return true
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: a statement whose condition calls `visit` once, last, with what the rows are to hold. Rows come in the order in which
    ///     SQLite goes through the table: that of `ORDER BY` if an index or the key has it.
    ///   - values: as many values as the statement has parameters.
    ///   - body: takes a row, and says whether to go on. It may use the connection to read.
    /// - Returns: whether all rows were visited.
    /// - Throws: what `body` throws, which ends the visit, and what SQLite reports.
    @discardableResult
    public func visit(_ sql: String, _ values: [Int64] = [], _ body: (Row) throws -> Bool) throws -> Bool {
        let visitor = try handle.rowVisitor()
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        for (index, value) in values.enumerated() { try entry.statement.bind(value, at: index + 1) }
        var failure: (any Error)?
        let isStopped = try visitor.lend { row in
            do { return try body(row) } catch {
                failure = error
                return false
            }
        } _: {
            try entry.statement.step()
        }
        if let failure { throw failure }
        return !isStopped
    }
}

extension Connection {
    /// Lets statements call the SQL function `visit`, which gives its arguments to a closure and is NULL, as often as they please.
    ///
    /// An upsert can show a row so before it is updated:
    ///
    /// ```swift
    /// let sql = """
    ///     INSERT INTO t (id, name) VALUES (?1, ?2)
    ///     ON CONFLICT DO UPDATE SET name = iif(visit(t.id, t.name), NULL, excluded.name)
    ///     """
    /// ```
    ///
    /// - Parameters:
    ///   - body: takes the arguments of a call.
    ///   - running: runs the statements.
    /// - Throws: what `running` throws, and what SQLite reports.
    public func visiting<Result>(_ body: (Row) -> Void, _ running: () throws -> Result) throws -> Result {
        let visitor = try handle.rowVisitor()
        return try visitor.lend { row in
            body(row)
            return true
        } _: {
            try running()
        }
    }
}

extension DatabaseHandle {
    /// The function `visit` of the connection, made when it is first needed.
    fileprivate func rowVisitor() throws(SQLiteError) -> RowVisitor {
        if let visitor { return visitor }
        let made = try RowVisitor(self)
        visitor = made
        return made
    }
}
