internal import SQLiteBinding

extension AccountStore {
    /// Figures of what goes on, and of what has been since the store was opened. It waits for nobody.
    public var statistics: StoreStatistics { StoreStatistics(pool.statistics) }
}

extension PoolObserver {
    /// Tells an observer of stores what happens in a pool.
    init(_ observer: StoreObserver) {
        self.init { [handler = observer.handler] event in handler(StoreEvent(event)) }
        slowStatement = observer.slowStatement
        slowTransaction = observer.slowTransaction
        longWait = observer.longWait
    }
}

extension StoreEvent {
    fileprivate init(_ event: PoolEvent) {
        self =
            switch event {
            case .slowStatement(let sql, let duration): .slowStatement(sql: sql, duration: duration)
            case .slowTransaction(let isWrite, let duration): .slowTransaction(Access(isWrite), duration: duration)
            case .longWait(let isWrite, let duration): .longWait(Access(isWrite), duration: duration)
            case .lockWait(let count, let duration): .lockWait(count: count, duration: duration)
            case .logGrowth(let bytes, let oldestReader): .logGrowth(bytes: bytes, oldestReader: oldestReader)
            case .checkpoint(let logBytes, let duration, let isComplete):
                .checkpoint(logBytes: logBytes, duration: duration, isComplete: isComplete)
            case .checkpointFailed(let error): .checkpointFailed(StoreError(error))
            case .corruption(let error): .corruption(StoreError(error))
            case .reopened(let isWriter): .reopened(Access(isWriter))
            }
    }
}

extension StoreEvent.Access {
    fileprivate init(_ isWrite: Bool) { self = isWrite ? .write : .read }
}

extension StoreStatistics {
    fileprivate init(_ statistics: ConnectionPoolStatistics) {
        waitingWrites = statistics.waitingWrites
        waitingReads = statistics.waitingReads
        waitingCallers = statistics.waitingCallers
        busyReaders = statistics.busyReaders
        oldestReader = statistics.oldestReader
        writeWaits = Durations(statistics.writeWaits)
        readWaits = Durations(statistics.readWaits)
        commits = statistics.commits
        writes = statistics.writes
        lockWaits = statistics.lockWaits
        lockWaitTotal = statistics.lockWaitTotal
        databaseBytes = statistics.databaseBytes
        logBytes = statistics.logBytes
        checkpoints = Durations(statistics.checkpoints)
        statementCache = Cache(statistics.statementCache)
        pageCache = Cache(statistics.pageCache)
        lostEvents = statistics.lostEvents
    }
}

extension StoreStatistics.Durations {
    fileprivate init(_ durations: DurationStatistics) {
        count = durations.count
        total = durations.total
        maximum = durations.maximum
    }
}

extension StoreStatistics.Cache {
    fileprivate init(_ cache: CacheStatistics) {
        hits = cache.hits
        misses = cache.misses
    }
}
