/// A closure that waits for a connection, and somebody who waits for its result.
///
/// It is made, then waited for, then begun, performed and completed by the thread that has the connection. A job that
/// is cancelled before it has begun ends at once and is passed over.
class PoolJob: @unchecked Sendable {
    /// What has to be around the closure when it runs.
    enum Setting: Hashable {
        /// Nothing, or what it brings with it.
        case plain
        /// A transaction that writes.
        case transaction
        /// A transaction that writes, which others may share.
        case shared(TransactionSharing)

        var isShared: Bool { if case .shared = self { true } else { false } }
    }

    let setting: Setting
    /// Since when it waits for its turn.
    let queuedAt = MonotonicInstant.now

    init(setting: Setting) {
        self.setting = setting
    }

    /// Notes how long the job has waited for its turn, which has come.
    func noteWait(in counters: PoolCounters, _ events: PoolEvents?, isWrite: Bool) {
        let wait = MonotonicInstant.now.since(queuedAt)
        counters.noteWait(wait, isWrite: isWrite)
        events?.noteWait(wait, isWrite: isWrite)
    }

    /// Whether the job still wants to run; from now on a cancellation interrupts `handle`, if there is one.
    func begin(interrupting handle: InterruptHandle?) -> Bool { false }

    /// Whether it waits for its turn.
    var isWaiting: Bool { false }

    /// Ends the job with an error if it has not begun.
    func refuse(_ error: any Error) {}

    /// Runs the closure and keeps its result; nobody is told yet.
    func perform(on connection: Connection) {}

    /// Whether its closure has failed.
    var hasFailed: Bool { false }

    /// Makes the job fail, unless its closure has: as when the commit fails that would have made its result true.
    func fail(_ error: any Error) {}

    /// Hands the result over.
    func complete() {}
}

/// The job of a closure that gives a certain type.
final class ResultJob<Value: Sendable>: PoolJob, @unchecked Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    private enum Phase {
        case made
        case waiting(Waiter)
        case running(Waiter)
        case ended
    }

    private struct State {
        var phase = Phase.made
        var isCancelled = false
        /// What a cancellation interrupts; only while the closure runs.
        var interruptHandle: InterruptHandle?
    }

    private let state = Monitor(State())
    private let body: @Sendable (Connection) throws -> Value
    /// Touched only by the thread that runs the job.
    private var outcome: Outcome?

    init(_ setting: Setting, _ body: @escaping @Sendable (Connection) throws -> Value) {
        self.body = body
        super.init(setting: setting)
    }

    /// Notes who waits. If the job was cancelled before, that one is told at once, and the job must not be queued.
    func wait(_ waiter: @escaping Waiter) -> Bool {
        let isWanted = state.withLock { state in
            guard case .made = state.phase else { return false }
            state.phase = .waiting(waiter)
            return true
        }
        if !isWanted { waiter(.failure(CancellationError())) }
        return isWanted
    }

    /// Ends the job if it has not begun; interrupts it if it permits that.
    func cancel() {
        let waiter: Waiter? = state.withLock { state in
            state.isCancelled = true
            switch state.phase {
            case .running:
                // Under the lock: once the closure is through, the connection may be someone else's.
                state.interruptHandle?.cancel()
                return nil
            case .waiting(let waiter):
                state.phase = .ended
                return waiter
            case .made, .ended:
                state.phase = .ended
                return nil
            }
        }
        waiter?(.failure(CancellationError()))
    }

    override var isWaiting: Bool {
        state.withLock { if case .waiting = $0.phase { true } else { false } }
    }

    override func refuse(_ error: any Error) {
        let waiter: Waiter? = state.withLock { state in
            guard case .waiting(let waiter) = state.phase else { return nil }
            state.phase = .ended
            return waiter
        }
        waiter?(.failure(error))
    }

    override func begin(interrupting handle: InterruptHandle?) -> Bool {
        state.withLock { state in
            guard case .waiting(let waiter) = state.phase else { return false }
            state.phase = .running(waiter)
            state.interruptHandle = handle
            return true
        }
    }

    override func perform(on connection: Connection) {
        var outcome = Outcome {
            guard setting == .shared(.savepoint) else { return try body(connection) }
            return try connection.transaction { try body(connection) }
        }
        let isInterrupted = state.withLock { state in
            defer { state.interruptHandle = nil }
            state.interruptHandle?.permit()
            return state.isCancelled && state.interruptHandle != nil
        }
        // Whatever the closure made of the interruption.
        if isInterrupted, case .failure = outcome { outcome = .failure(CancellationError()) }
        self.outcome = outcome
    }

    override var hasFailed: Bool { if case .failure? = outcome { true } else { false } }

    override func fail(_ error: any Error) {
        if case .failure? = outcome { return }
        outcome = .failure(error)
    }

    override func complete() {
        let waiter: Waiter? = state.withLock { state in
            defer { state.phase = .ended }
            guard case .running(let waiter) = state.phase else { return nil }
            return waiter
        }
        waiter?(outcome ?? .failure(CancellationError()))
    }
}
