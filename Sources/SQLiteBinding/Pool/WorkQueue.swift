/// Jobs that run in order on a few threads of the queue's own, with a bound on how many wait.
///
/// With one thread it is a serial executor. A thread takes what waits, up to a batch, and hands it to the queue's
/// handler in one piece, which may treat several jobs as one; that is what a group commit needs.
///
/// A job is put in two steps: a place is reserved, which waits while the queue is full, without blocking a thread if it
/// is a task that waits; then the job is put into it. Those who wait get their places in the order in which they came.
package final class WorkQueue<Job: Sendable>: Sendable {
    /// The queue was closed before the job came.
    package struct Closed: Error {}

    /// The system gave no thread to run jobs on.
    package struct NoThread: Error {}

    private enum Waiter: Sendable {
        case task(id: UInt64, since: MonotonicInstant, CheckedContinuation<Void, any Error>)
        case thread(since: MonotonicInstant, Monitor<Result<Void, any Error>?>)

        var since: MonotonicInstant {
            switch self {
            case .task(_, let since, _), .thread(let since, _): since
            }
        }

        func end(_ outcome: Result<Void, any Error>) {
            switch self {
            case .task(_, _, let continuation): continuation.resume(with: outcome)
            case .thread(_, let gate):
                gate.withLock { $0 = outcome }
                gate.wakeAll()
            }
        }
    }

    private struct State {
        var jobs = FIFOQueue<Job>()
        var waiters = FIFOQueue<Waiter>()
        /// Places that were promised and have no job yet.
        var reserved = 0
        var threads = 0
        var idleThreads = 0
        var isClosed = false
        var lastID: UInt64 = 0
        /// Those who wait for the end.
        var finishing: [CheckedContinuation<Void, Never>] = []

        var isDrained: Bool { isClosed && jobs.isEmpty && waiters.isEmpty && reserved == 0 }
        var isFinished: Bool { isDrained && threads == 0 }
    }

    private let name: String
    private let maximumThreads: Int
    private let capacity: Int
    private let maximumBatch: Int
    private let handler: @Sendable ([Job]) -> Void
    private let idleWork: IdleWork?
    private let monitor = Monitor(State())

    /// What a thread does when no job has come for a time.
    package struct IdleWork: Sendable {
        /// After how long to do it; nil if there is nothing to do. Asked by a thread that runs out of jobs.
        package var delay: @Sendable () -> Duration?
        /// Does it, and gives the time after which to come again, if need be.
        package var body: @Sendable () -> Duration?

        package init(delay: @escaping @Sendable () -> Duration?, body: @escaping @Sendable () -> Duration?) {
            self.delay = delay
            self.body = body
        }
    }

    /// Makes a queue; threads start when there is work for them.
    ///
    /// - Parameters:
    ///   - name: What the threads are called, for debuggers.
    ///   - maximumThreads: How many threads there may be; 1 runs the jobs one after the other.
    ///   - capacity: How many jobs may wait.
    ///   - maximumBatch: How many jobs the handler takes at most.
    ///   - idleWork: What a thread does when it has had no job for a time.
    ///   - handler: Runs the jobs, on one of the threads.
    package init(
        name: String,
        maximumThreads: Int = 1,
        capacity: Int,
        maximumBatch: Int = 1,
        idleWork: IdleWork? = nil,
        handler: @escaping @Sendable ([Job]) -> Void
    ) {
        self.name = name
        self.maximumThreads = max(1, maximumThreads)
        self.capacity = max(1, capacity)
        self.maximumBatch = max(1, maximumBatch)
        self.idleWork = idleWork
        self.handler = handler
    }

    /// How many jobs wait to be run, and how many callers wait for a place.
    package var depth: (jobs: Int, callers: Int) {
        monitor.withLock { ($0.jobs.count, $0.waiters.count) }
    }
}

extension WorkQueue {
    /// Reserves a place, to be used by ``put(_:)`` or given up by ``cancelReservation()``.
    ///
    /// - Throws: `Closed`, `NoThread`, or `CancellationError` if the task is cancelled while it waits.
    package nonisolated(nonsending) func reserve() async throws {
        if try reserveAtOnce() { return }
        let id = monitor.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if !lineUp(.task(id: id, since: .now, continuation)) { continuation.resume(throwing: Closed()) }
                // A cancellation that came before the waiter was there found nothing to cancel.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    /// Reserves a place, blocking the thread while the queue is full.
    ///
    /// - Throws: `Closed` or `NoThread`; what ended the wait.
    package func reserveBlocking() throws {
        if try reserveAtOnce() { return }
        let gate = Monitor<Result<Void, any Error>?>(nil)
        if !lineUp(.thread(since: .now, gate)) { throw Closed() }
        try gate.wait { $0 }.get()
    }

    /// Puts a job into a reserved place.
    package func put(_ job: Job) {
        change { state in
            state.reserved -= 1
            state.jobs.append(job)
            // The first thread runs since the place was reserved; if there cannot be more it does all the work.
            if state.idleThreads < state.jobs.count, state.threads < maximumThreads { _ = startThread(&state) }
        }
        monitor.wakeOne()
    }

    /// Puts a job in if there is room for it and a thread to run it; it waits for nothing.
    package func putIfRoom(_ job: Job) -> Bool {
        guard (try? reserveAtOnce()) == true else { return false }
        put(job)
        return true
    }

    /// Gives a reserved place to whoever comes next.
    package func cancelReservation() {
        change { $0.reserved -= 1 }
    }

    private func reserveAtOnce() throws -> Bool {
        try monitor.withLock { state in
            if state.isClosed { throw Closed() }
            if state.threads == 0, !startThread(&state) { throw NoThread() }
            guard hasPlace(state), state.waiters.isEmpty else { return false }
            state.reserved += 1
            return true
        }
    }

    /// Puts a waiter at the end of the line, unless the queue was closed meanwhile.
    private func lineUp(_ waiter: Waiter) -> Bool {
        change { state in
            if !state.isClosed { state.waiters.append(waiter) }
            return !state.isClosed
        }
    }

    private func hasPlace(_ state: State) -> Bool { state.jobs.count + state.reserved < capacity }

    private func cancelWaiter(_ id: UInt64) {
        let found = change { state in
            state.waiters.removeFirst { waiter in
                if case .task(id, _, _) = waiter { true } else { false }
            }
        }
        found?.end(.failure(CancellationError()))
    }

    /// Ends the waits for a place that have lasted for too long.
    func endWaits(longerThan limit: Duration, _ now: MonotonicInstant, throwing error: any Error) {
        var late: [Waiter] = []
        change { state in
            while let waiter = state.waiters.first, now.since(waiter.since) >= limit {
                _ = state.waiters.popFirst()
                late.append(waiter)
            }
        }
        for waiter in late { waiter.end(.failure(error)) }
    }
}

extension WorkQueue {
    /// Refuses what comes from now on; what came before still runs, and then the threads end.
    package func close() {
        change { $0.isClosed = true }
    }

    /// Closes the queue and returns when everything has run and the threads do no more.
    package func finish() async {
        close()
        await withCheckedContinuation { continuation in
            change { $0.finishing.append(continuation) }
        }
    }

    /// ``finish()`` for a thread that may block.
    package func finishBlocking() {
        close()
        monitor.wait { state in state.isFinished ? () : nil }
    }
}

extension WorkQueue {
    /// Changes the state, then lets those go on who waited for the change.
    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        var admitted: [Waiter] = []
        var finished: [CheckedContinuation<Void, Never>] = []
        var isClosed = false
        let result = monitor.withLock { state in
            let result = body(&state)
            while hasPlace(state), let waiter = state.waiters.popFirst() {
                state.reserved += 1
                admitted.append(waiter)
            }
            isClosed = state.isClosed
            if state.isFinished { swap(&finished, &state.finishing) }
            return result
        }
        if isClosed { monitor.wakeAll() }
        for continuation in finished { continuation.resume() }
        for waiter in admitted { waiter.end(.success(())) }
        return result
    }

    private func startThread(_ state: inout State) -> Bool {
        guard SystemThread.start(name: name, body: { self.work() }) else { return false }
        state.threads += 1
        return true
    }

    private func work() {
        while waitForWork() {
            let batch = change { state in
                var batch: [Job] = []
                while batch.count < maximumBatch, let job = state.jobs.popFirst() { batch.append(job) }
                return batch
            }
            if !batch.isEmpty { handler(batch) }
        }
        change { $0.threads -= 1 }
    }

    /// Blocks until there are jobs, doing what is to be done without; false if there will be none any more.
    private func waitForWork() -> Bool {
        var delay = idleWork?.delay()
        while true {
            if let hasJobs = wait(until: delay.map { MonotonicInstant.now + $0 }) { return hasJobs }
            delay = idleWork?.body()
        }
    }

    /// Whether there are jobs; nil if neither they nor the end came in time.
    private func wait(until end: MonotonicInstant?) -> Bool? {
        var isIdle = false
        let hasJobs = monitor.wait(until: end) { state in
            if isIdle { state.idleThreads -= 1 }
            isIdle = false
            if !state.jobs.isEmpty { return true }
            if state.isDrained { return false }
            state.idleThreads += 1
            isIdle = true
            return nil
        }
        if isIdle { monitor.withLock { $0.idleThreads -= 1 } }
        return hasJobs
    }
}
