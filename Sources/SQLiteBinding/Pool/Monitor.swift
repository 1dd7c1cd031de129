internal import Glibc

/// State behind a lock that threads can wait on until the state is as they need it.
///
/// The standard library's `Mutex` has no condition to wait for.
@safe
final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        _ = unsafe pthread_cond_destroy(condition)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs a closure with the state to itself.
    func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Blocks the thread until the closure gives a value; it is asked again after each ``wakeOne()`` and ``wakeAll()``.
    func wait<Result>(for body: (inout State) -> Result?) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            _ = unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Lets one waiting thread look at the state again.
    func wakeOne() {
        _ = unsafe pthread_cond_signal(condition)
    }

    /// Lets every waiting thread look at the state again.
    func wakeAll() {
        _ = unsafe pthread_cond_broadcast(condition)
    }
}
