/// Which locks a transaction takes when it begins.
public enum TransactionKind: String, Sendable, Hashable, CaseIterable {
    /// None yet; reading fixes a snapshot, and a later write may fail with ``ResultCode/busySnapshot``.
    case deferred
    /// The lock for writing, so that nothing that is read can change before it is written.
    case immediate
    /// With a write-ahead log as ``immediate``; else readers are kept out too.
    case exclusive
}

extension Connection {
    /// Runs a closure as one transaction, or as a savepoint if a transaction is open already.
    ///
    /// When the closure returns, the transaction is committed; when it throws, what it wrote is rolled back and its
    /// error is thrown. SQLite may end a transaction by itself, on a full disk for example; the closure's later
    /// statements cannot write then, and if it hides the error this method throws it.
    ///
    /// - Parameters:
    ///   - kind: Which locks to take; without meaning for a savepoint.
    ///   - body: What to do.
    /// - Throws: What `body` throws; else what kept the transaction from being begun or committed, in which case nothing
    ///   was written. A file of the database that was removed or replaced keeps one that is to write from beginning.
    public func transaction<Result>(
        _ kind: TransactionKind = .immediate,
        _ body: () throws -> Result
    ) throws -> Result {
        if !isAutocommit { return try savepoint(body) }
        if handle.transaction.depth > 0 { throw lostTransaction() }
        try begin(kind)
        let state = handle.transaction
        state.begin()
        state.depth = 1
        state.refusesCommit = true
        let result: Result
        do {
            result = try body()
        } catch {
            endClosure()
            rollBack()
            throw error
        }
        let isLost = isAutocommit
        endClosure()
        if isLost { throw lostTransaction() }
        do {
            try control("COMMIT")
        } catch {
            rollBack()
            throw error
        }
        return result
    }

    private func begin(_ kind: TransactionKind) throws(SQLiteError) {
        try control(kind.begin)
        if kind == .deferred { return }
        do throws(SQLiteError) {
            try requireFilesInPlace()
        } catch {
            rollBack()
            throw error
        }
    }

    private func endClosure() {
        handle.transaction.depth = 0
        handle.transaction.refusesCommit = false
    }

    private func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let state = handle.transaction
        // Savepoints are strictly nested, and SQLite takes the innermost of a name: the depth is all that a name needs.
        let name = "sqlitebinding_savepoint_\(state.depth)"
        try control("SAVEPOINT \(name)")
        state.depth += 1
        defer { state.depth -= 1 }
        let result: Result
        do {
            result = try body()
        } catch {
            rollBack(to: name)
            throw error
        }
        if isAutocommit { throw lostTransaction() }
        do {
            try control("RELEASE \(name)")
        } catch {
            rollBack(to: name)
            throw error
        }
        return result
    }

    /// Runs a statement of the library's own, which stays compiled.
    func control(_ sql: String) throws(SQLiteError) {
        let entry = try controlStatements.borrow(sql)
        defer { controlStatements.giveBack(entry) }
        try entry.statement.run()
    }

    /// Rolls the open transaction back, if SQLite has not done so by itself. Its own failure is nobody's concern: the
    /// error that led here is.
    func rollBack() {
        if isAutocommit { return }
        if (try? control("ROLLBACK")) != nil { return }
        // A statement that is being interrupted interrupts those that begin beside it.
        handle.resetStatements()
        try? control("ROLLBACK")
    }

    private func rollBack(to name: String) {
        if isAutocommit { return }
        do {
            try control("ROLLBACK TO \(name)")
            try control("RELEASE \(name)")
        } catch {
            if isAutocommit { return }
            handle.resetStatements()
            try? control("ROLLBACK TO \(name)")
            try? control("RELEASE \(name)")
        }
    }

    private func lostTransaction() -> SQLiteError {
        let cause = handle.transaction.loss
        return SQLiteError(
            code: cause?.code ?? .abortRollback,
            message: cause?.message ?? "the transaction ended before its closure did",
            sql: cause?.sql,
            path: path,
            hint: cause == nil
                ? "COMMIT and ROLLBACK must not be run by hand inside of a transaction's closure"
                : "SQLite rolled the whole transaction back at this error, which the closure did not throw",
            waited: cause?.waited
        )
    }
}

extension TransactionKind {
    /// The statement that begins a transaction of this kind.
    var begin: String {
        switch self {
        case .deferred: "BEGIN DEFERRED"
        case .immediate: "BEGIN IMMEDIATE"
        case .exclusive: "BEGIN EXCLUSIVE"
        }
    }
}
