/// Whom a store tells of what happens in it, for an app's logs and metrics.
///
/// ```swift
/// var options = AccountStoreOptions()
/// options.observer = StoreObserver { event in
///     if event.level != .debug { print(event.level, event) }
/// }
/// ```
public struct StoreObserver: Sendable {
    /// From when on a statement is slow. It is measured to the millisecond.
    public var slowStatement: Duration = .milliseconds(500)
    /// From when on a transaction is slow.
    public var slowTransaction: Duration = .seconds(1)
    /// From when on a wait is long.
    public var longWait: Duration = .seconds(1)
    /// Called with each event, one after the other.
    ///
    /// It is called on a thread of its own, which does nothing else and for which the store never waits, not even when it is closed: the
    /// closure may block. 1,024 events wait for it at most; what comes then is lost, and counted in
    /// ``StoreStatistics/lostEvents``. Using the store inside of the closure throws a ``StoreError`` with the code `reentrant`; a task that
    /// the closure starts may use it. Migrations are told on the thread that applies them, which does wait.
    public var handler: @Sendable (StoreEvent) -> Void

    /// Makes an observer.
    ///
    /// - Parameter handler: called with each event; see ``handler``.
    public init(handler: @escaping @Sendable (StoreEvent) -> Void) {
        self.handler = handler
    }
}
