/// Why a pool did not run a closure.
public enum ConnectionPoolError: Error, Sendable, Hashable {
    /// The pool was closed before the call.
    case closed
    /// The call was made from inside of a closure that uses a connection of the same pool.
    case reentrant
    /// The operating system gave no thread to run the closure on.
    case noThread
}

extension ConnectionPoolError: CustomStringConvertible {
    /// What happened and what can be done.
    public var description: String {
        switch self {
        case .closed: "the connection pool is closed; open a new one"
        case .reentrant:
            "re-entrant access: this was called inside of a closure that uses a connection of the same pool, and would "
                + "wait for itself; use the connection that the closure was given"
        case .noThread: "the operating system gave no thread for the connection pool; too many are running"
        }
    }
}
