internal import CSystemSQLite

/// What a statement over a batch has done.
public struct BatchResult: Sendable {
    /// What has become of a row.
    public enum Change: Sendable, Hashable {
        /// Nothing was written for it.
        case none
        /// A row was inserted.
        case inserted
        /// A row that was there was changed.
        case updated
        /// A row that was there was deleted.
        case deleted
    }

    private let changes: [Change]

    init(_ changes: [Change]) {
        self.changes = changes
    }

    /// What has become of a row of the batch.
    public func change(ofRow row: Int) -> Change { changes[row] }

    /// How many rows of the batch have become this.
    public func count(of change: Change) -> Int {
        changes.count { $0 == change }
    }
}

extension Connection {
    /// Runs one statement, from the cache, that takes rows from a batch.
    ///
    /// ```swift
    /// let batch = RowBatch(columns: 2)
    /// for account in accounts { batch.append(account.uid); batch.append(account.name) }
    /// try connection.run("INSERT INTO t (uid, name) SELECT c0, c1 FROM batch", over: batch)
    /// ```
    ///
    /// An upsert from a `SELECT` needs a `WHERE` before its `ON CONFLICT` (<https://www.sqlite.org/lang_upsert.html>).
    ///
    /// - Parameters:
    ///   - sql: a statement that reads `batch` once, from its beginning to its end.
    ///   - batch: the rows. It must not be changed meanwhile.
    /// - Returns: what has become of each row, if the statement is an insert without triggers.
    /// - Throws: what SQLite reports. What the statement has written before is undone then.
    @discardableResult
    public func run(_ sql: String, over batch: RowBatch) throws(SQLiteError) -> BatchResult {
        let pointer = try unsafe handle.open()
        let table = try handle.batchTable()
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        return BatchResult(
            try unsafe table.lend(batch, on: pointer) { () throws(SQLiteError) in try entry.statement.run() }
        )
    }
}

extension DatabaseHandle {
    /// The table `batch` of the connection, made when it is first needed.
    fileprivate func batchTable() throws(SQLiteError) -> BatchTable {
        if let batches { return batches }
        let table = try BatchTable(self)
        batches = table
        return table
    }
}
