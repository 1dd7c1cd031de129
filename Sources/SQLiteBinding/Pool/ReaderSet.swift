/// The slots of a pool's readers: who has one, and who waits for one.
final class ReaderSet: Sendable {
    private struct State {
        var idle: [ConnectionSlot]
        var lent = 0
        var waitingThreads = 0
        var isClosed = false
        var finishing: [CheckedContinuation<Void, Never>] = []

        /// Whether no slot is in use, nor will be when a thread wakes that has waited for one.
        var isUnused: Bool { lent == 0 && waitingThreads == 0 }
    }

    private let monitor: Monitor<State>
    private let slots: [ConnectionSlot]
    /// What each slot had counted when it was last seen idle.
    private let figures: Monitor<[ConnectionSlot.Figures]>

    /// Who is told of readers that were in use for long.
    private let events: PoolEvents?

    init(slots: [ConnectionSlot], events: PoolEvents?) {
        self.events = events
        monitor = Monitor(State(idle: slots))
        figures = Monitor(slots.map { _ in ConnectionSlot.Figures() })
        self.slots = slots
    }

    /// What ends uses that take too long.
    var timeLimits: [TimeLimit] { slots.map(\.timeLimit) }

    /// How long the reader is in use that was taken first, to some milliseconds; nil if none is.
    var oldestAge: Duration? {
        let now = MonotonicInstant.coarse
        return slots.lazy.compactMap { $0.usedSince.map { max(.zero, now.since($0)) } }.max()
    }

    /// How many are in use, and what they have counted.
    var statistics: ConnectionPoolStatistics {
        var statistics = ConnectionPoolStatistics()
        // Idle ones are nobody's as long as the lock is held.
        let seen = monitor.withLock { state in
            statistics.idleReaders = state.idle.count
            statistics.busyReaders = state.lent
            return state.idle.map { (ObjectIdentifier($0), $0.takeFigures()) }
        }
        let all = figures.withLock { figures in
            for (id, figure) in seen {
                if let index = slots.firstIndex(where: { ObjectIdentifier($0) == id }) { figures[index] = figure }
            }
            return figures
        }
        for figure in all {
            statistics.statementCache = statistics.statementCache + figure.statementCache
            statistics.pageCache = statistics.pageCache + figure.pageCache
        }
        statistics.oldestReader = oldestAge
        return statistics
    }

    /// A slot if one is free and no thread has waited for it before; nil otherwise.
    func takeIfFree() throws(ConnectionPoolError) -> ConnectionSlot? {
        try monitor.withLock { state throws(ConnectionPoolError) in
            if state.isClosed { throw .closed }
            if state.waitingThreads > 0 { return nil }
            return Self.take(&state)
        }
    }

    /// A slot, after blocking the thread until one is free.
    ///
    /// - Parameter limit: how long to wait; nil for however long it takes.
    /// - Throws: an error if the pool was closed before, or the time was over.
    func take(within limit: Duration?) throws(ConnectionPoolError) -> ConnectionSlot {
        var isWaiting = false
        let end = limit.map { MonotonicInstant.now + $0 }
        let taken = monitor.wait(until: end) { state -> Result<ConnectionSlot, ConnectionPoolError>? in
            if state.isClosed, !isWaiting { return .failure(.closed) }
            return Self.takeOrWait(&state, &isWaiting).map { .success($0) }
        }
        if let taken { return try taken.get() }
        let finished = monitor.withLock { state in
            state.waitingThreads -= 1
            return Self.takeFinishing(&state)
        }
        monitor.wakeAll()
        for continuation in finished { continuation.resume() }
        throw .waitTimeout(limit: limit ?? .zero)
    }

    /// A slot for a read that was accepted before the pool was closed, after blocking the thread until one is free.
    func takeForAccepted() -> ConnectionSlot {
        var isWaiting = false
        return monitor.wait { state in Self.takeOrWait(&state, &isWaiting) }
    }

    func giveBack(_ slot: ConnectionSlot) {
        if let events, let start = slot.usedSince {
            events.noteTransaction(MonotonicInstant.coarse.since(start), isWrite: false)
        }
        slot.noteReturned()
        let (isAwaited, finished) = monitor.withLock { state in
            state.lent -= 1
            // The one that was used last comes first: its pages are in the processor's and its own cache.
            state.idle.append(slot)
            return (state.waitingThreads > 0 || state.isClosed, Self.takeFinishing(&state))
        }
        if isAwaited { monitor.wakeAll() }
        for continuation in finished { continuation.resume() }
    }

    /// Refuses ``takeIfFree()`` from now on.
    func close() {
        monitor.withLock { $0.isClosed = true }
    }

    /// Returns when every slot is back.
    func finish() async {
        await withCheckedContinuation { continuation in
            let finished = monitor.withLock { state in
                state.finishing.append(continuation)
                return Self.takeFinishing(&state)
            }
            for continuation in finished { continuation.resume() }
        }
    }

    /// ``finish()`` for a thread that may block.
    func finishBlocking() {
        monitor.wait { state in state.isUnused ? () : nil }
    }

    /// Closes the connections of the slots that are back.
    func closeConnections() {
        monitor.withLock { state in
            for slot in state.idle { slot.close() }
        }
    }

    private static func take(_ state: inout State) -> ConnectionSlot? {
        guard let slot = state.idle.popLast() else { return nil }
        slot.noteTaken()
        state.lent += 1
        return slot
    }

    private static func takeOrWait(_ state: inout State, _ isWaiting: inout Bool) -> ConnectionSlot? {
        if isWaiting { state.waitingThreads -= 1 }
        let slot = take(&state)
        isWaiting = slot == nil
        if isWaiting { state.waitingThreads += 1 }
        return slot
    }

    private static func takeFinishing(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard state.isUnused else { return [] }
        defer { state.finishing = [] }
        return state.finishing
    }
}
