/// A database shared by any number of tasks and threads: one connection that writes, several that read.
///
/// With a write-ahead log readers and the writer do not wait for each other. Writes run one after the other on a thread
/// of the pool's own. A read runs at once on the caller's thread if a reader is free, and else on a thread of the pool.
/// No thread of Swift's cooperative pool is ever blocked to wait for a connection.
///
/// Closures get a connection for as long as they run and must not keep it. Inside of a closure the same pool cannot be
/// used again: that throws ``ConnectionPoolError/reentrant`` instead of waiting for itself.
///
/// A task that is cancelled before its closure has begun gets `CancellationError`, and the closure does not run. A write
/// that has begun is finished; a read that runs on a thread of the pool is interrupted.
public final class ConnectionPool: Sendable {
    /// How a pool is set up.
    public struct Options: Sendable {
        /// How its connections are set up.
        public var connection = SQLiteBinding.Configuration()
        /// How many connections read: 1 to 1,024. Another number is taken for the nearest of these.
        public var readers = 4
        /// As ``Configuration/cacheBytes``, for each connection that reads.
        public var readerCacheBytes: Int?
        /// How many writes, and how many reads, may wait in a queue; callers beyond that wait to get in.
        public var queueCapacity = 1_024
        /// How long a read may take from when it has a connection; its statements are interrupted then. Nil for no limit.
        public var readTimeLimit: Duration?
        /// How long a read or write may wait for its turn, a lock of another process included; nil for no limit.
        public var waitTimeLimit: Duration?
        /// When the write-ahead log is copied into the database; nil leaves that to SQLite and
        /// ``Configuration/walAutocheckpoint``.
        public var checkpoints: CheckpointPolicy? = CheckpointPolicy()
        /// Whom to tell of what happens.
        public var observer: PoolObserver?

        /// Four readers.
        public init() {}

        /// ``readers`` within its bounds.
        var readerCount: Int { min(max(readers, 1), 1_024) }
    }

    /// The database's path.
    public var path: String { location.given }
    let location: DatabasePath
    let isReadOnly: Bool
    let identity = Identity()
    let readers: ReaderSet
    let reads: WorkQueue<PoolJob>
    let writer: ConnectionSlot
    let writes: WorkQueue<PoolJob>
    /// How long a read may take.
    let readTimeLimit: Duration?
    let waitTimeLimit: Duration?
    /// What watches the limits, if there are any.
    let limitWatch: LimitWatch?
    let counters = PoolCounters()
    /// What reads that never wait owe to others.
    package let courtesy = Courtesy()
    let events: PoolEvents?
    /// What the writing connection has counted.
    let writerFigures = Monitor(ConnectionSlot.Figures())
    /// Whether the connections have been closed.
    let isClosed = Monitor(false)

    /// Tells pools apart without keeping them alive.
    final class Identity: Sendable {
        var id: ObjectIdentifier { ObjectIdentifier(self) }
    }

    /// Opens a database for sharing.
    ///
    /// This reads and may write the file, and waits for locks, on the calling thread.
    ///
    /// - Parameters:
    ///   - path: The database's file.
    ///   - mode: What may be done to it. A pool that may only read refuses writes.
    ///   - options: How to set the pool up.
    /// - Throws: What opening a ``Connection`` throws.
    public init(
        path: String,
        mode: OpenMode = .readWriteCreate,
        options: Options = Options()
    ) throws(SQLiteError) {
        location = DatabasePath(path)
        isReadOnly = mode == .readOnly
        let identity = identity
        let counters = counters
        let events = options.observer.map { PoolEvents($0, pool: identity, counters: counters) }
        self.events = events
        let file = PoolFile(location)
        let readers = Self.readers(mode: mode, options: options, file: file, events: events)
        self.readers = readers
        let writer = try Self.writer(mode: mode, options: options, file: file, events: events)
        self.writer = writer
        reads = WorkQueue(
            name: "sqlite-read",
            maximumThreads: options.readerCount,
            capacity: options.queueCapacity
        ) { jobs in
            for job in jobs {
                let slot = readers.takeForAccepted()
                job.noteWait(in: counters, events, isWrite: false)
                Self.run(job, on: slot, pool: identity.id, isInterruptible: true)
                readers.giveBack(slot)
                job.complete()
            }
        }
        let runner = WriteRunner(
            slot: writer,
            pool: identity.id,
            counters: counters,
            events: events,
            figures: writerFigures
        )
        let keeper = options.checkpoints.map { policy in
            LogKeeper(slot: writer, readers: readers, policy: policy, counters: counters, events: events)
        }
        writes = WorkQueue(
            name: "sqlite-write",
            capacity: options.queueCapacity,
            maximumBatch: 64,
            idleWork: keeper.map { keeper in
                .init(delay: { keeper.delayWhenIdle }, body: { keeper.workWhileIdle() })
            }
        ) { jobs in
            runner.run(jobs[...])
            keeper?.work()
        }
        readTimeLimit = options.readTimeLimit
        waitTimeLimit = options.waitTimeLimit
        limitWatch = LimitWatch(
            readLimit: options.readTimeLimit,
            limits: readers.timeLimits,
            waitLimit: options.waitTimeLimit,
            queues: [reads, writes]
        )
    }

    deinit {
        reads.close()
        writes.close()
        events?.close()
        limitWatch?.stop()
        if isClosed.withLock({ $0 }) { return }
        // What was asked for is still done, and the connections go in order, each after the other: two that go at once
        // would each leave the log to the other.
        _ = SystemThread.start(name: "sqlite-close") { [reads, writes, readers, writer] in
            reads.finishBlocking()
            writes.finishBlocking()
            readers.closeConnections()
            writer.close()
        }
    }

    static func run(_ job: PoolJob, on slot: ConnectionSlot, pool: ObjectIdentifier, isInterruptible: Bool) {
        do throws(SQLiteError) {
            let connection = try slot.use()
            guard job.begin(interrupting: isInterruptible ? connection.interruptHandle : nil) else { return }
            PoolAccess.enter(pool) { job.perform(on: connection) }
            if let error = slot.settle() { job.fail(error) }
        } catch {
            if job.begin(interrupting: nil) { job.fail(error) }
        }
    }
}
