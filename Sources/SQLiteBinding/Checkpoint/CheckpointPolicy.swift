/// When a pool copies its write-ahead log into the database.
///
/// SQLite's own way is to copy inside of the commit that makes the log longer than a number of pages, for which that commit waits. A pool
/// copies when those who waited for a commit have been told of it.
public struct CheckpointPolicy: Sendable, Hashable {
    /// After how many bytes of log a pool copies them.
    ///
    /// A page that changes often is copied once for all of its changes, so more log is less work; a checkpoint of that many bytes is
    /// also what a write may have to wait for.
    public var logBytes: Int64 = 16 << 20
    /// How many bytes the log's file keeps when the log begins anew, for the next commits to be written over.
    public var keptLogBytes: Int64 = 32 << 20
    /// From which size of the log on a pool tells that it cannot begin anew.
    public var warningBytes: Int64 = 64 << 20
    /// How long a pool without writes waits before it copies what there is.
    public var idleDelay: Duration = .seconds(1)
    /// How long writes may be held up for readers to leave a log that has grown to twice ``logBytes``.
    public var readerWait: Duration = .milliseconds(20)

    /// What a server wants: some ten thousand small commits between two checkpoints.
    public init() {}
}

/// Decides when to copy, from how long the log is and what has come of the last attempt. It touches no file and no clock.
struct CheckpointSchedule {
    /// How far to go.
    enum Attempt: Hashable {
        /// Copies what can be copied now.
        case copy
        /// Copies, and waits for readers, so that the log begins anew.
        case reset
    }

    let policy: CheckpointPolicy
    /// How long the log is.
    private(set) var logBytes: Int64 = 0
    /// Whether there may be something in the log that is not in the database.
    private(set) var hasBacklog = false
    private var nextAttempt: Int64
    private var nextWarning: Int64

    init(_ policy: CheckpointPolicy) {
        self.policy = policy
        nextAttempt = policy.logBytes
        nextWarning = policy.warningBytes
    }

    /// Notes a commit that has made the log as long as this.
    mutating func noteCommit(logBytes: Int64) {
        if logBytes < self.logBytes {
            // It has begun anew.
            nextAttempt = policy.logBytes
            nextWarning = policy.warningBytes
        }
        self.logBytes = logBytes
        hasBacklog = true
    }

    /// What to do now.
    ///
    /// - Parameter oldestReader: how long the reader has been at it that began first, if there is one; for one that takes
    ///   its time it is useless to wait.
    func due(oldestReader: Duration?) -> Attempt? {
        guard hasBacklog, logBytes >= nextAttempt else { return nil }
        let mayWait = logBytes >= 2 * policy.logBytes && (oldestReader ?? .zero) <= policy.readerWait * 10
        return mayWait ? .reset : .copy
    }

    /// Notes how an attempt has ended.
    mutating func noteAttempt(isComplete: Bool, isReset: Bool) {
        hasBacklog = !isComplete
        if isReset {
            logBytes = 0
            nextAttempt = policy.logBytes
            nextWarning = policy.warningBytes
        } else {
            // Each attempt goes through all of what is not copied yet: where it is much, seldom.
            nextAttempt = logBytes + max(policy.logBytes, logBytes / 4)
        }
    }

    /// Whether to tell now that the log grows and grows; true once, and again whenever it has doubled.
    mutating func takeWarning() -> Bool {
        guard logBytes >= nextWarning else { return false }
        nextWarning = logBytes * 2
        return true
    }
}
