/// Something that happened in a pool and that whoever runs it may want to know. It never has a value that was bound or read.
public enum PoolEvent: Sendable {
    /// A statement, with the names of its parameters only, took longer than ``PoolObserver/slowStatement``.
    case slowStatement(sql: String, duration: Duration)
    /// A closure had a connection for longer than ``PoolObserver/slowTransaction``, commit included.
    case slowTransaction(isWrite: Bool, duration: Duration)
    /// A closure waited for its turn for longer than ``PoolObserver/longWait``.
    case longWait(isWrite: Bool, duration: Duration)
    /// The writing connection waited so often, and so long in all, for a lock of another process or connection.
    case lockWait(count: Int, duration: Duration)
    /// The write-ahead log has grown and cannot begin anew while somebody reads.
    ///
    /// - Parameters:
    ///   - bytes: How long the log is.
    ///   - oldestReader: How long the reader of this pool runs that began first; nil if there is none, and the one in the
    ///     way is another process.
    case logGrowth(bytes: Int64, oldestReader: Duration?)
    /// A log of so many bytes was copied into the database: all of it, or what readers did not hold back.
    case checkpoint(logBytes: Int64, duration: Duration, isComplete: Bool)
    /// The log could not be copied. What is in it is safe there.
    case checkpointFailed(SQLiteError)
    /// Damage was met in the database.
    case corruption(SQLiteError)
    /// A connection had become unusable and was opened again.
    case reopened(isWriter: Bool)
}

/// Whom a pool tells of what happens in it.
public struct PoolObserver: Sendable {
    /// From when on a statement is slow. SQLite measures it to the millisecond.
    public var slowStatement: Duration = .milliseconds(500)
    /// From when on a closure is slow.
    public var slowTransaction: Duration = .seconds(1)
    /// From when on a wait is long.
    public var longWait: Duration = .seconds(1)
    /// Called with each event, one after the other, on a thread that does nothing else.
    ///
    /// It may take its time and wait for anything: the pool does not wait for it. Up to 1,024 events wait for it, and what
    /// comes then is counted in ``ConnectionPoolStatistics/lostEvents``. It cannot use the pool itself, which is refused.
    public var handler: @Sendable (PoolEvent) -> Void

    /// Makes an observer.
    public init(handler: @escaping @Sendable (PoolEvent) -> Void) {
        self.handler = handler
    }
}
