internal import CSystemSQLite

/// Ends what a connection is doing, from any thread.
///
/// The statement that runs fails with ``ResultCode/interrupt``, and a wait for a lock ends. When nothing runs, nothing
/// happens, and what is started later is not affected. It may be kept for longer than the connection.
public final class InterruptHandle: Sendable {
    @safe
    private struct Target: @unchecked Sendable {
        var pointer: OpaquePointer
    }

    private let target: Monitor<Target?>
    private let busy: BusyHandler
    private let cancellation: CancellationFlag

    init(pointer: OpaquePointer, busy: BusyHandler, cancellation: CancellationFlag) {
        unsafe target = Monitor(Target(pointer: pointer))
        self.busy = busy
        self.cancellation = cancellation
    }

    /// Interrupts what runs now.
    public func interrupt() {
        // Under the lock, since SQLite does not allow this to meet a connection that is being closed.
        target.withLock { target in
            guard let target else { return }
            busy.interrupt()
            unsafe sqlite3_interrupt(target.pointer)
        }
    }

    /// Interrupts what runs and what is started from now on, until ``permit()``; statements look for it if the connection
    /// checks for cancellation.
    func cancel() {
        cancellation.set()
        interrupt()
    }

    /// Takes a cancellation back.
    func permit() {
        cancellation.clear()
    }

    /// Lets go of the connection, which is about to be closed.
    func detach() {
        target.withLock { $0 = nil }
    }
}
