internal import CSystemSQLite
internal import Glibc
internal import Synchronization

/// Waits for locks that other connections hold.
///
/// SQLite polls: there is no queue at a lock. A connection that just came polls seldom once a few quick attempts have
/// failed, and one that has waited for longer polls often, so that those who came first tend to get it first.
final class BusyHandler: Sendable {
    /// Longest wait for one lock.
    let timeout: Duration

    private struct Progress {
        /// What holds instead of the timeout, for waits that are not counted.
        var limit: Duration?
        var start: ContinuousClock.Instant?
        var gaveUp: GivenUp?
        var waits = 0
        var total = Duration.zero
        /// Wait of the attempt that runs, already part of `total`.
        var current = Duration.zero
    }

    /// How the last wait ended, if it ended without the lock.
    struct GivenUp {
        var waited: Duration
        var interrupted: Bool
    }

    private let progress = Monitor(Progress())
    private let interruption = Atomic(false)
    private let cancellation: CancellationFlag

    init(timeout: Duration, cancellation: CancellationFlag) {
        self.timeout = timeout
        self.cancellation = cancellation
    }

    /// Makes a wait that goes on end at its next poll.
    func interrupt() {
        interruption.store(true, ordering: .relaxed)
    }

    /// Called by SQLite when a lock is taken; `attempt` counts from 0 for each lock. False gives up.
    func wait(attempt: Int32) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { interruption.store(false, ordering: .relaxed) }
        let interrupted = interruption.load(ordering: .relaxed) || cancellation.isSet
        let remaining: Duration? = progress.withLock { progress in
            let timeout = progress.limit ?? timeout
            let waited = Self.update(&progress, attempt: attempt, now: now)
            if interrupted || waited >= timeout {
                progress.gaveUp = GivenUp(waited: waited, interrupted: interrupted)
                return nil
            }
            return timeout - waited
        }
        guard let remaining else { return false }
        sleep(min(Self.delay(attempt: attempt, waited: timeout - remaining), remaining))
        return true
    }

    /// Runs a closure that waits for locks no longer than this, whatever the timeout is. These waits are not counted.
    func limited<Result>(to limit: Duration, _ body: () -> Result) -> Result {
        progress.withLock { $0.limit = limit }
        defer {
            progress.withLock { progress in
                progress.limit = nil
                progress.gaveUp = nil
            }
        }
        return body()
    }

    /// How the last wait ended, if without the lock; asked once.
    func takeGivenUp() -> GivenUp? {
        progress.withLock { progress in
            defer { progress.gaveUp = nil }
            return progress.gaveUp
        }
    }

    /// How often and how long this connection waited for locks since it was opened.
    var totals: (waits: Int, total: Duration) {
        progress.withLock { ($0.waits, $0.total) }
    }

    private static func update(
        _ progress: inout Progress,
        attempt: Int32,
        now: ContinuousClock.Instant
    ) -> Duration {
        guard attempt > 0, let start = progress.start else {
            progress.start = now
            progress.current = .zero
            if progress.limit == nil { progress.waits &+= 1 }
            progress.gaveUp = nil
            return .zero
        }
        let waited = start.duration(to: now)
        if progress.limit == nil { progress.total += waited - progress.current }
        progress.current = waited
        return waited
    }

    private static func delay(attempt: Int32, waited: Duration) -> Duration {
        let base: Int64 =
            switch attempt {
            case ..<2: 200
            case ..<4: 500
            case ..<6: 1_000
            case ..<10: 3_000
            default: waited < .milliseconds(250) ? 8_000 : waited < .seconds(1) ? 2_000 : 500
            }
        // Spread, so that several waiters do not poll in step.
        return .microseconds(base + Int64.random(in: 0...base / 2))
    }

    private func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        _ = unsafe nanosleep(&time, nil)
    }
}
