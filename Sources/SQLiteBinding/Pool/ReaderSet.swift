/// The slots of a pool's readers: who has one, and who waits for one.
final class ReaderSet: Sendable {
    private struct State {
        var idle: [ConnectionSlot]
        var lent = 0
        var waitingThreads = 0
        var isClosed = false
        var finishing: [CheckedContinuation<Void, Never>] = []
    }

    private let monitor: Monitor<State>

    init(slots: [ConnectionSlot]) {
        monitor = Monitor(State(idle: slots))
    }

    var counts: (idle: Int, lent: Int) { monitor.withLock { ($0.idle.count, $0.lent) } }

    /// A slot if one is free and no thread has waited for it before; nil otherwise.
    func takeIfFree() throws(ConnectionPoolError) -> ConnectionSlot? {
        try monitor.withLock { state throws(ConnectionPoolError) in
            if state.isClosed { throw .closed }
            if state.waitingThreads > 0 { return nil }
            return Self.take(&state)
        }
    }

    /// A slot, after blocking the thread until one is free; an error if the pool was closed before.
    func take() throws(ConnectionPoolError) -> ConnectionSlot {
        var isWaiting = false
        let taken = monitor.wait { state -> Result<ConnectionSlot, ConnectionPoolError>? in
            if state.isClosed, !isWaiting { return .failure(.closed) }
            return Self.takeOrWait(&state, &isWaiting).map { .success($0) }
        }
        return try taken.get()
    }

    /// A slot for a read that was accepted before the pool was closed, after blocking the thread until one is free.
    func takeForAccepted() -> ConnectionSlot {
        var isWaiting = false
        return monitor.wait { state in Self.takeOrWait(&state, &isWaiting) }
    }

    func giveBack(_ slot: ConnectionSlot) {
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
        monitor.wait { state in state.lent == 0 ? () : nil }
    }

    /// Closes the connections of the slots that are back.
    func closeConnections() {
        monitor.withLock { state in
            for slot in state.idle { slot.close() }
        }
    }

    private static func take(_ state: inout State) -> ConnectionSlot? {
        guard let slot = state.idle.popLast() else { return nil }
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
        guard state.lent == 0 else { return [] }
        defer { state.finishing = [] }
        return state.finishing
    }
}
