/// Keeps a pool's write-ahead log short. It works on the pool's writing thread, between the commits.
final class LogKeeper: @unchecked Sendable {
    private let slot: ConnectionSlot
    private let readers: ReaderSet
    private let policy: CheckpointPolicy
    private let counters: PoolCounters
    private let events: PoolEvents?
    // Only the writing thread touches these.
    private var schedule: CheckpointSchedule
    private var idleDelay: Duration
    /// Whether the log's file is longer than it may stay. The next commit that begins the log anew cuts it, if there is one.
    private var isFileLong = false

    init(
        slot: ConnectionSlot,
        readers: ReaderSet,
        policy: CheckpointPolicy,
        counters: PoolCounters,
        events: PoolEvents?
    ) {
        self.slot = slot
        self.readers = readers
        self.policy = policy
        self.counters = counters
        self.events = events
        schedule = CheckpointSchedule(policy)
        idleDelay = policy.idleDelay
    }

    /// Does what is due after commits whose writers have been told.
    func work() {
        guard let connection = slot.current, noteCommits(of: connection) else { return }
        idleDelay = policy.idleDelay
        let oldest = readers.oldestAge
        switch schedule.due(oldestReader: oldest) {
        case .copy?: attempt(.passive, on: connection)
        case .reset?: attempt(.restart, on: connection)
        case nil: break
        }
        if schedule.takeWarning() {
            events?.send(.logGrowth(bytes: schedule.logBytes, oldestReader: oldest))
        }
    }

    /// Does what is better done when there is nothing to write.
    ///
    /// - Returns: after how long to come again, if something is left to be done.
    func workWhileIdle() -> Duration? {
        guard let connection = slot.current else { return nil }
        _ = noteCommits(of: connection)
        if schedule.hasBacklog { attempt(.passive, on: connection) }
        if schedule.hasBacklog {
            // A reader, or another process, is in the way.
            idleDelay = min(idleDelay * 2, .seconds(60))
            return idleDelay
        }
        if isFileLong { attempt(.truncate, on: connection) }
        isFileLong = false
        return nil
    }

    /// How long to wait for work before ``workWhileIdle()``.
    var delayWhenIdle: Duration? { schedule.hasBacklog || isFileLong ? idleDelay : nil }

    /// Whether there were any.
    private func noteCommits(of connection: Connection) -> Bool {
        guard let frames = connection.handle.takeLogFrames() else { return false }
        schedule.noteCommit(logBytes: Int64(frames) * slot.bytesPerFrame(connection))
        isFileLong = schedule.logBytes > policy.keptLogBytes
        return true
    }

    private func attempt(_ mode: CheckpointMode, on connection: Connection) {
        let start = MonotonicInstant.now
        let logBytes = schedule.logBytes
        let limit = mode == .restart ? policy.readerWait : .zero
        let outcome = connection.handle.busy.limited(to: limit) {
            Result { () throws(SQLiteError) in try connection.tryCheckpoint(mode) }
        }
        let duration = MonotonicInstant.now.since(start)
        counters.noteCheckpoint(duration)
        switch outcome {
        case .success(let (result, isBusy)):
            let isReset = !isBusy && mode != .passive
            schedule.noteAttempt(isComplete: result.isComplete, isReset: isReset)
            events?.send(
                .checkpoint(logBytes: logBytes, duration: duration, isComplete: result.isComplete && !isBusy)
            )
        case .failure(let error):
            // What is in the log is safe there. The next attempt may have more luck.
            schedule.noteAttempt(isComplete: false, isReset: false)
            events?.send(.checkpointFailed(error))
        }
    }
}
