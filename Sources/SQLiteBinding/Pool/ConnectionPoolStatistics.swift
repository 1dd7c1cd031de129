/// How often something took time, and how much.
public struct DurationStatistics: Sendable, Hashable {
    /// How often.
    public var count: Int64 = 0
    /// All of it together.
    public var total: Duration = .zero
    /// The longest.
    public var maximum: Duration = .zero

    /// Nothing yet.
    public init() {}

    mutating func add(_ duration: Duration) {
        count += 1
        total += duration
        maximum = max(maximum, duration)
    }
}

/// How often something was found in a cache.
public struct CacheStatistics: Sendable, Hashable {
    /// How often it was there.
    public var hits: Int64 = 0
    /// How often it was not.
    public var misses: Int64 = 0

    /// Puts the figures together.
    public init(hits: Int64 = 0, misses: Int64 = 0) {
        self.hits = hits
        self.misses = misses
    }

    static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
        CacheStatistics(hits: left.hits + right.hits, misses: left.misses + right.misses)
    }
}

/// What goes on in a pool at a moment, and what has been since it was opened.
public struct ConnectionPoolStatistics: Sendable, Hashable {
    /// Writes that wait to run.
    public var waitingWrites = 0
    /// Reads that wait for a thread of the pool's.
    public var waitingReads = 0
    /// Callers that wait for a place in a full queue.
    public var waitingCallers = 0
    /// Readers that are in use.
    public var busyReaders = 0
    /// Readers that are free.
    public var idleReaders = 0
    /// How long the reader that began first has been in use, to some milliseconds; nil if none is.
    public var oldestReader: Duration?

    /// How long writes waited for their turn.
    public var writeWaits = DurationStatistics()
    /// How long reads waited that found no free reader; the others do not wait.
    public var readWaits = DurationStatistics()
    /// How many transactions were committed.
    public var commits: Int64 = 0
    /// How many writes were in them; several may share one.
    public var writes: Int64 = 0
    /// How often the writing connection waited for a lock of another connection or process.
    public var lockWaits: Int64 = 0
    /// How long it did in all.
    public var lockWaitTotal: Duration = .zero

    /// The size of the database's file in bytes. What is only in the log is not in it.
    public var databaseBytes: Int64 = 0
    /// The size of the write-ahead log's file in bytes; it does not shrink with each checkpoint.
    public var logBytes: Int64 = 0
    /// How often the log was copied into the database, or as much of it as readers let go, and how long that took.
    public var checkpoints = DurationStatistics()

    /// Statements that were found compiled. Of a connection in use the figures are those of before.
    public var statementCache = CacheStatistics()
    /// Pages of the database that were found in memory. Of a connection in use the figures are those of before.
    public var pageCache = CacheStatistics()

    /// Events that the observer was too slow for.
    public var lostEvents: Int64 = 0

    /// Nothing yet.
    public init() {}
}
