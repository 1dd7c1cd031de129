/// What a connection knows about the transaction whose closure runs.
///
/// SQLite may end a transaction by itself, after a full disk for example. If the closure went on, each of its next
/// statements would be a transaction of its own and stay even when the closure failed. So the commit hook refuses every
/// commit while a closure runs, at no cost for the statements themselves.
final class TransactionState {
    /// How many closures are nested, the transaction's own and those of savepoints.
    var depth = 0
    /// Whether a commit that SQLite begins is not the closure's own end.
    var refusesCommit = false
    /// The error after which SQLite rolled back by itself.
    private(set) var loss: SQLiteError?

    /// Keeps the first error after which the transaction was gone.
    func noteLoss(_ error: SQLiteError) {
        if loss == nil { loss = error }
    }

    /// Forgets the last transaction.
    func begin() {
        loss = nil
    }
}
