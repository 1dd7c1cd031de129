internal import Glibc

/// Knows which pools' connections the running thread is using, so that it does not wait for itself.
///
/// The closures that use a connection are synchronous: from the beginning to the end of one its thread does nothing
/// else, and a mark on the thread is enough. A task-local value would also mark tasks that the closure only starts.
enum PoolAccess {
    @safe
    private struct Frame {
        var pool: ObjectIdentifier
        var previous: UnsafeMutableRawPointer?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        _ = unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the thread is inside of ``enter(_:_:)`` for the pool.
    static func isInside(_ pool: ObjectIdentifier) -> Bool {
        var place = unsafe pthread_getspecific(key)
        while let frame = unsafe place?.assumingMemoryBound(to: Frame.self) {
            if unsafe frame.pointee.pool == pool { return true }
            unsafe place = frame.pointee.previous
        }
        return false
    }

    /// The pools that the thread is using, which is waiting for another thread to do something: that one must not use
    /// them either.
    static var held: [ObjectIdentifier] {
        var pools: [ObjectIdentifier] = []
        var place = unsafe pthread_getspecific(key)
        while let frame = unsafe place?.assumingMemoryBound(to: Frame.self) {
            unsafe pools.append(frame.pointee.pool)
            unsafe place = frame.pointee.previous
        }
        return pools
    }

    /// Runs a closure with the thread marked as using the pools.
    static func enter<Result, Failure: Error>(
        all pools: ArraySlice<ObjectIdentifier>,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let pool = pools.first else { return try body() }
        return try enter(pool) { () throws(Failure) in try enter(all: pools.dropFirst(), body) }
    }

    /// Runs a closure with the thread marked as using the pool.
    static func enter<Result, Failure: Error>(
        _ pool: ObjectIdentifier,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var frame = unsafe Frame(pool: pool, previous: pthread_getspecific(key))
        return try unsafe withUnsafeMutablePointer(to: &frame) { pointer throws(Failure) in
            _ = unsafe pthread_setspecific(key, UnsafeRawPointer(pointer))
            defer { _ = unsafe pthread_setspecific(key, pointer.pointee.previous) }
            return try body()
        }
    }
}
