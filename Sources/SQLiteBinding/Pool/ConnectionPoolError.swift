/// Why a pool did not run a closure.
public enum ConnectionPoolError: Error, Sendable, Hashable {
    /// The pool was closed before the call.
    case closed
    /// The call was made from inside of a closure that uses a connection of the same pool.
    case reentrant
    /// The operating system gave no thread to run the closure on.
    case noThread
    /// A read took longer than ``ConnectionPool/Options/readTimeLimit`` and was ended.
    case readTimeout(limit: Duration)
    /// The closure's turn had not come after ``ConnectionPool/Options/waitTimeLimit``; it does not run.
    case waitTimeout(limit: Duration)
}

extension ConnectionPoolError: CustomStringConvertible {
    /// What happened and what can be done.
    public var description: String {
        switch self {
        case .closed: "the connection pool is closed; open a new one"
        case .reentrant:
            "re-entrant access: this was called inside of a closure that uses a connection of the same pool, and would "
                + "wait for itself; use the connection that the closure was given"
        case .readTimeout(let limit): "the read took longer than its limit of \(limit.inSeconds) and was ended"
        case .waitTimeout(let limit):
            "the turn did not come within the limit of \(limit.inSeconds), and nothing was done; others hold the connections, or the lock"
        case .noThread: "the operating system gave no thread for the connection pool; too many are running"
        }
    }
}
