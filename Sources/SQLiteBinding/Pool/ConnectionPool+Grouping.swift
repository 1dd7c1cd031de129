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
        return try await submit(to: writes, .shared(sharing), body)
    }
}
