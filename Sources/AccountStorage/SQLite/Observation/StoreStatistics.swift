/// What goes on in a store at a moment, and what has been since it was opened: figures for an app's metrics.
///
/// They are cheap to ask for, and counting them costs a read nothing that could be measured. As text for Prometheus:
///
/// ```swift
/// let now = store.statistics
/// let lines = [
///     "accounts_writes_total \(now.writes)", "accounts_commits_total \(now.commits)",
///     "accounts_write_wait_seconds_total \(now.writeWaits.total / .seconds(1))", "accounts_log_bytes \(now.logBytes)",
/// ]
/// ```
public struct StoreStatistics: Sendable, Hashable {
    /// How often something took time, and how much.
    public struct Durations: Sendable, Hashable {
        /// How often, since the store was opened.
        public var count: Int64 = 0
        /// All of it together.
        public var total: Duration = .zero
        /// The longest of all.
        public var maximum: Duration = .zero

        /// Nothing yet.
        public init() {}
    }

    /// How often something was found in memory, since the store was opened.
    public struct Cache: Sendable, Hashable {
        /// How often it was there.
        public var hits: Int64 = 0
        /// How often it was not.
        public var misses: Int64 = 0

        /// Nothing yet.
        public init() {}
    }

    /// Writes that wait for their turn.
    public var waitingWrites = 0
    /// Reads that wait for their turn.
    public var waitingReads = 0
    /// Callers that wait for a place in a full queue.
    public var waitingCallers = 0
    /// Connections that read at this moment.
    public var busyReaders = 0
    /// How long the one has been at it that began first, to some milliseconds; nil if none reads.
    public var oldestReader: Duration?

    /// How long writes waited for their turn.
    public var writeWaits = Durations()
    /// How long reads waited that did not begin at once.
    public var readWaits = Durations()
    /// How many transactions were committed.
    public var commits: Int64 = 0
    /// How many writes were in them. Saves that wait at the same time share one; `writes / commits` tells how many.
    public var writes: Int64 = 0
    /// How often a write found the file locked by another process and had to wait for it.
    public var lockWaits: Int64 = 0
    /// How long writes waited so in all.
    public var lockWaitTotal: Duration = .zero

    /// The size of the file in bytes.
    public var databaseBytes: Int64 = 0
    /// The size of the write-ahead log beside it in bytes. It stays below 32 MiB or so, and grows while one reader goes on and on.
    public var logBytes: Int64 = 0
    /// How often the log was copied into the file, and how long that took.
    public var checkpoints = Durations()

    /// Statements that were found compiled. Connections that are in use at this moment are counted as they were before.
    public var statementCache = Cache()
    /// Pages of the file that were found in memory. Connections that are in use at this moment are counted as they were before.
    public var pageCache = Cache()

    /// Events that were lost since the observer was too slow for them.
    public var lostEvents: Int64 = 0

    /// Nothing yet.
    public init() {}
}
