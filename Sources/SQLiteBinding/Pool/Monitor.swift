internal import Glibc

/// State behind a lock, that threads can also wait on until it is as they need it.
///
/// The standard library's `Mutex` has no condition to wait for, and the thread sanitizer does not see it: it reports
/// every state behind one as a race.
@safe
package final class Monitor<State>: @unchecked Sendable {
    @unsafe
    private struct Primitives {
        var mutex = unsafe pthread_mutex_t()
        var condition = pthread_cond_t()
    }

    // Behind a pointer: the system's lock must stay where it was made.
    private let primitives: UnsafeMutablePointer<Primitives>
    private var state: State

    package init(_ state: sending State) {
        self.state = state
        unsafe primitives = .allocate(capacity: 1)
        unsafe primitives.initialize(to: Primitives())
        _ = unsafe pthread_mutex_init(&primitives.pointee.mutex, nil)
        var attributes = pthread_condattr_t()
        _ = unsafe pthread_condattr_init(&attributes)
        // Waits with an end are not to feel it when somebody sets the clock.
        _ = unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        _ = unsafe pthread_cond_init(&primitives.pointee.condition, &attributes)
        _ = unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        _ = unsafe pthread_cond_destroy(&primitives.pointee.condition)
        _ = unsafe pthread_mutex_destroy(&primitives.pointee.mutex)
        unsafe primitives.deallocate()
    }

    /// Runs a closure with the state to itself.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        _ = unsafe pthread_mutex_lock(&primitives.pointee.mutex)
        defer { _ = unsafe pthread_mutex_unlock(&primitives.pointee.mutex) }
        return try body(&state)
    }

    /// Blocks the thread until the closure gives a value; it is asked again after each ``wakeOne()`` and ``wakeAll()``.
    package func wait<Result>(for body: (inout sending State) -> sending Result?) -> sending Result {
        _ = unsafe pthread_mutex_lock(&primitives.pointee.mutex)
        defer { _ = unsafe pthread_mutex_unlock(&primitives.pointee.mutex) }
        while true {
            if let result = body(&state) { return result }
            _ = unsafe pthread_cond_wait(&primitives.pointee.condition, &primitives.pointee.mutex)
        }
    }

    /// ``wait(for:)`` that ends at an instant, if there is one; nil then.
    package func wait<Result>(
        until end: MonotonicInstant?,
        for body: (inout sending State) -> sending Result?
    ) -> sending Result? {
        guard let end else { return wait(for: body) }
        var time = end.timespec
        _ = unsafe pthread_mutex_lock(&primitives.pointee.mutex)
        defer { _ = unsafe pthread_mutex_unlock(&primitives.pointee.mutex) }
        while true {
            if let result = body(&state) { return result }
            let code = unsafe pthread_cond_timedwait(&primitives.pointee.condition, &primitives.pointee.mutex, &time)
            // What came at the last moment counts.
            if code == ETIMEDOUT { return body(&state) }
        }
    }

    /// Lets one waiting thread look at the state again.
    package func wakeOne() {
        _ = unsafe pthread_cond_signal(&primitives.pointee.condition)
    }

    /// Lets every waiting thread look at the state again.
    package func wakeAll() {
        _ = unsafe pthread_cond_broadcast(&primitives.pointee.condition)
    }
}
