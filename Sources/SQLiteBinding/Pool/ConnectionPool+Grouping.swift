/// How a write that shares a transaction with others is kept apart from them.
public enum TransactionSharing: Sendable, Hashable {
    /// By itself: it changes the database with one statement at most, of which SQLite undoes all when it fails.
    case statement
    /// By a savepoint, which is rolled back when the write throws.
    case savepoint
}

// Group commit: what a commit costs is above all that the disk has to confirm it, and one confirmation does for all writes that
// wait at that moment. No write waits for others to come: those that came while the last commit was under way are a group.
extension ConnectionPool {
    /// Runs a closure with the connection that writes, in a transaction that other writes may share which wait at the same time.
    ///
    /// It has an outcome of its own: it returns after the commit, and when it throws the others are written all the same. Should the shared
    /// transaction fail, each of them runs again in one of its own, so the closure may run twice.
    ///
    /// - Parameters:
    ///   - sharing: what keeps the closure's failure from the others.
    ///   - body: what to do, on the pool's writing thread.
    /// - Throws: what ``write(inTransaction:_:)`` throws.
    @discardableResult
    public nonisolated(nonsending) func writeSharing<Value: Sendable>(
        _ sharing: TransactionSharing,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try requireWriting()
        return try await submit(to: writes, sharing: sharing, body)
    }

    /// Runs jobs in their order, those in a row that may share a transaction in one.
    static func write(_ jobs: ArraySlice<PoolJob>, on slot: ConnectionSlot, pool: ObjectIdentifier) {
        var rest = jobs
        while let first = rest.first {
            let group = rest.prefix { $0.sharing != nil }
            if group.isEmpty {
                run(first, on: slot, pool: pool, isInterruptible: false)
                first.complete()
                rest = rest.dropFirst()
            } else {
                writeTogether(group.filter { $0.begin(interrupting: nil) }, on: slot, pool: pool)
                rest = rest.dropFirst(group.count)
            }
        }
    }

    /// Runs jobs that have begun in one transaction, or if that fails, each in one of its own.
    private static func writeTogether(_ jobs: [PoolJob], on slot: ConnectionSlot, pool: ObjectIdentifier) {
        let isWritten = jobs.count > 1 && writeInOneTransaction(jobs, on: slot, pool: pool)
        for job in jobs {
            if !isWritten { writeAlone(job, on: slot, pool: pool) }
            job.complete()
        }
    }

    /// Runs jobs in one transaction; false if it was rolled back, with what all of them had written.
    private static func writeInOneTransaction(
        _ jobs: [PoolJob],
        on slot: ConnectionSlot,
        pool: ObjectIdentifier
    ) -> Bool {
        var hasBegun = false
        do {
            let connection = try slot.use()
            try PoolAccess.enter(pool) {
                try connection.transaction(.immediate) {
                    hasBegun = true
                    for job in jobs {
                        job.perform(on: connection)
                        // A full disk, say, ends the whole transaction, and those that came before with it.
                        if connection.isAutocommit { throw LostTransaction() }
                    }
                }
            }
            return slot.settle() == nil
        } catch {
            _ = slot.settle()
            if hasBegun { return false }
            // What keeps one from beginning keeps all of them; each would wait as long again for a lock, say.
            for job in jobs { job.fail(error) }
            return true
        }
    }

    /// The transaction was rolled back for the sake of a job, which knows why.
    private struct LostTransaction: Error {}

    private static func writeAlone(_ job: PoolJob, on slot: ConnectionSlot, pool: ObjectIdentifier) {
        do {
            let connection = try slot.use()
            try PoolAccess.enter(pool) {
                try connection.transaction(.immediate) {
                    job.perform(on: connection)
                    if job.hasFailed { throw LostTransaction() }
                }
            }
            if let error = slot.settle() { job.fail(error) }
        } catch {
            if !(error is LostTransaction) { job.fail(error) }
            _ = slot.settle()
        }
    }
}
