internal import Synchronization

/// Ends a use of a connection that takes too long; each connection that reads has one.
final class TimeLimit: Sendable {
    private struct State {
        var limit = Duration.zero
        var end: MonotonicInstant?
        var handle: InterruptHandle?
        var isOver = false
    }

    private let state = Monitor(State())
    /// The end again, in nanoseconds, for whoever asks often; 0 without one.
    private let end = Atomic<Int64>(0)

    /// Runs a closure that uses a connection, for a time at most.
    ///
    /// - Throws: ``ConnectionPoolError/readTimeout(limit:)`` if it failed after that time, since its statements are interrupted then; what
    ///   the closure throws.
    func run<Value>(
        for limit: Duration,
        on handle: InterruptHandle,
        _ body: () throws -> Value
    ) throws -> Value {
        let end = MonotonicInstant.now + limit
        state.withLock { $0 = State(limit: limit, end: end, handle: handle) }
        self.end.store(end.nanoseconds, ordering: .relaxed)
        let outcome = Result { try body() }
        self.end.store(0, ordering: .relaxed)
        let isOver = state.withLock { state in
            defer { state = State() }
            return state.isOver
        }
        if isOver {
            handle.permit()
            // Whatever it made of the interruption.
            if case .failure = outcome { throw ConnectionPoolError.readTimeout(limit: limit) }
        }
        return try outcome.get()
    }

    /// Throws if the time of the use that goes on is over: a short statement ends before anybody would interrupt it.
    func requireTime() throws(ConnectionPoolError) {
        let end = end.load(ordering: .relaxed)
        guard end != 0, MonotonicInstant.coarse.nanoseconds >= end else { return }
        throw .readTimeout(limit: state.withLock { $0.limit })
    }

    /// Interrupts what runs if its time is over. Under the lock: what comes next is never hit.
    func check(_ now: MonotonicInstant) {
        state.withLock { state in
            guard let end = state.end, now >= end else { return }
            state.isOver = true
            // Each time anew: an interruption between two statements is lost.
            state.handle?.cancel()
        }
    }
}

/// Watches the limits of a pool, on a thread of its own that looks now and then, so that what is watched has next to nothing to do.
final class LimitWatch: Sendable {
    private struct Waiting {
        var jobs = FIFOQueue<PoolJob>()
        var isStopped = false
    }

    private let limits: [TimeLimit]
    private let queues: [WorkQueue<PoolJob>]
    private let waitLimit: Duration?
    private let interval: Duration
    private let waiting = Monitor(Waiting())

    /// Starts the thread; nil if there is nothing to watch, or no thread.
    init?(readLimit: Duration?, limits: [TimeLimit], waitLimit: Duration?, queues: [WorkQueue<PoolJob>]) {
        guard let shortest = [readLimit, waitLimit].compactMap(\.self).min() else { return nil }
        self.limits = readLimit == nil ? [] : limits
        self.queues = waitLimit == nil ? [] : queues
        self.waitLimit = waitLimit
        interval = min(max(shortest / 10, .milliseconds(2)), .milliseconds(100))
        guard SystemThread.start(name: "sqlite-limits", body: { [self] in watch() }) else { return nil }
    }

    /// Watches how long a job waits for its turn.
    func add(_ job: PoolJob) {
        if waitLimit != nil { waiting.withLock { $0.jobs.append(job) } }
    }

    func stop() {
        waiting.withLock { $0.isStopped = true }
        waiting.wakeAll()
    }

    private func watch() {
        while waiting.wait(until: .now + interval, for: { $0.isStopped ? true : nil }) == nil {
            let now = MonotonicInstant.now
            for limit in limits { limit.check(now) }
            if let waitLimit { endWaits(longerThan: waitLimit, now) }
        }
    }

    private func endWaits(longerThan limit: Duration, _ now: MonotonicInstant) {
        let error = ConnectionPoolError.waitTimeout(limit: limit)
        for queue in queues { queue.endWaits(longerThan: limit, now, throwing: error) }
        var late: [PoolJob] = []
        waiting.withLock { waiting in
            while let job = waiting.jobs.first {
                let isLate = now.since(job.queuedAt) >= limit
                guard isLate || !job.isWaiting else { break }
                _ = waiting.jobs.popFirst()
                if isLate { late.append(job) }
            }
        }
        for job in late { job.refuse(error) }
    }
}
