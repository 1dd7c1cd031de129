internal import Synchronization

/// Brings a pool's events to its observer, without ever waiting for it.
final class PoolEvents: Sendable {
    let observer: PoolObserver
    private let queue: WorkQueue<PoolEvent>
    private let counters: PoolCounters

    init(_ observer: PoolObserver, pool: ConnectionPool.Identity, counters: PoolCounters) {
        self.observer = observer
        self.counters = counters
        queue = WorkQueue(name: "sqlite-events", capacity: 1_024) { events in
            // An event that leads to the next one would have no end.
            PoolAccess.enter(pool.id) {
                for event in events { observer.handler(event) }
            }
        }
    }

    func send(_ event: PoolEvent) {
        if !queue.putIfRoom(event) { counters.lostEvents.add(1, ordering: .relaxed) }
    }

    /// Tells of a closure that had a connection for long.
    func noteTransaction(_ duration: Duration, isWrite: Bool) {
        if duration >= observer.slowTransaction { send(.slowTransaction(isWrite: isWrite, duration: duration)) }
    }

    /// Tells of a long wait.
    func noteWait(_ duration: Duration, isWrite: Bool) {
        if duration >= observer.longWait { send(.longWait(isWrite: isWrite, duration: duration)) }
    }

    /// What a connection of the pool tells of itself.
    var observation: HandleObservation {
        HandleObservation(
            slowStatement: observer.slowStatement,
            slow: { [self] sql, duration in send(.slowStatement(sql: sql, duration: duration)) },
            damage: { [self] error in send(.corruption(error)) }
        )
    }

    /// What came before is still told.
    func close() { queue.close() }

    deinit { queue.close() }
}
