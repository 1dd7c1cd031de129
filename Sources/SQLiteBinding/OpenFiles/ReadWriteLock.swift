internal import Glibc

/// State behind a lock that any number of threads may hold to read, and one to write.
@safe
final class ReadWriteLock<State>: @unchecked Sendable {
    // Behind a pointer: the system's lock must stay where it was made.
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    private var state: State

    init(_ state: sending State) {
        self.state = state
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_rwlock_t())
        _ = unsafe pthread_rwlock_init(lock, nil)
    }

    deinit {
        _ = unsafe pthread_rwlock_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Runs a closure while nobody changes the state.
    func reading<Result>(_ body: (borrowing State) -> Result) -> Result {
        _ = unsafe pthread_rwlock_rdlock(lock)
        defer { _ = unsafe pthread_rwlock_unlock(lock) }
        return body(state)
    }

    /// Runs a closure with the state to itself.
    func writing<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        _ = unsafe pthread_rwlock_wrlock(lock)
        defer { _ = unsafe pthread_rwlock_unlock(lock) }
        return try body(&state)
    }
}
