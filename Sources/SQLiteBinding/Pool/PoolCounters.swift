internal import Synchronization

/// What a pool counts as it goes. None of it is touched by a read that finds a free reader.
final class PoolCounters: Sendable {
    let commits = Atomic<Int64>(0)
    let writes = Atomic<Int64>(0)
    let lostEvents = Atomic<Int64>(0)
    private let checkpoints = Monitor(DurationStatistics())
    private let writeWaits = Monitor(DurationStatistics())
    private let readWaits = Monitor(DurationStatistics())

    func noteCheckpoint(_ duration: Duration) { checkpoints.withLock { $0.add(duration) } }

    func noteWait(_ duration: Duration, isWrite: Bool) {
        (isWrite ? writeWaits : readWaits).withLock { $0.add(duration) }
    }

    func noteCommit(writes count: Int) {
        commits.add(1, ordering: .relaxed)
        writes.add(Int64(count), ordering: .relaxed)
    }

    func fill(_ statistics: inout ConnectionPoolStatistics) {
        statistics.commits = commits.load(ordering: .relaxed)
        statistics.writes = writes.load(ordering: .relaxed)
        statistics.lostEvents = lostEvents.load(ordering: .relaxed)
        statistics.checkpoints = checkpoints.withLock { $0 }
        statistics.writeWaits = writeWaits.withLock { $0 }
        statistics.readWaits = readWaits.withLock { $0 }
    }
}
