internal import CSystemSQLite
internal import Synchronization

/// The place of one connection of a pool, which is opened when it is first needed, and again if it became unusable.
///
/// Whoever has taken the slot has it alone, on one thread at a time; that is what makes it Sendable.
package final class ConnectionSlot: @unchecked Sendable {
    private var connection: Connection?
    private var wasOpen: Bool
    private let open: @Sendable () throws(SQLiteError) -> Connection
    /// Called when an unusable connection was replaced.
    private let didReopen: @Sendable () -> Void
    /// What ends a use that takes too long.
    let timeLimit = TimeLimit()
    /// Since when it is in use, in nanoseconds of the monotonic clock; 0 while it is not.
    private let takenAt = Atomic<Int64>(0)
    /// What the connections of this slot that are gone had counted, and the page cache of all.
    private var pastFigures = Figures()
    private var pageBytes: Int64 = 0

    /// What a connection counts, which only the one who has it may look at.
    struct Figures {
        var statementCache = CacheStatistics()
        var pageCache = CacheStatistics()
        var lockWaits = 0
        var lockWaitTotal = Duration.zero
    }

    init(
        _ connection: Connection? = nil,
        open: @escaping @Sendable () throws(SQLiteError) -> Connection,
        didReopen: @escaping @Sendable () -> Void = {}
    ) {
        self.connection = connection
        wasOpen = connection != nil
        self.open = open
        self.didReopen = didReopen
    }

    /// The connection, if it is open.
    var current: Connection? {
        guard let connection, !connection.isClosed else { return nil }
        return connection
    }

    /// The connection, opened if need be.
    package func use() throws(SQLiteError) -> Connection {
        if let connection, !connection.isClosed { return connection }
        pastFigures = takeFigures()
        connection = nil
        let fresh = try open()
        fresh.handle.timeLimit = timeLimit
        connection = fresh
        if wasOpen { didReopen() }
        wasOpen = true
        return fresh
    }

    /// Makes the connection fit for the next user, whatever the last one did: it holds no lock and no snapshot.
    ///
    /// - Returns: An error if the last one left a transaction open, which was rolled back.
    func settle() -> SQLiteError? {
        guard let connection, let pointer = unsafe connection.handle.openPointer else { return nil }
        // What most uses leave: nothing.
        if connection.isAutocommit, unsafe sqlite3_txn_state(pointer, nil) == SQLITE_TXN_NONE { return nil }
        connection.handle.resetStatements()
        if connection.isAutocommit { return nil }
        connection.rollBack()
        if !connection.isAutocommit { close() }
        return SQLiteError(
            code: .misuse,
            message: "a transaction was left open and has been rolled back",
            path: connection.path,
            hint: "use transaction(_:_:), which ends what it begins"
        )
    }

    /// Closes the connection.
    func close() {
        pastFigures = takeFigures()
        connection?.close()
        connection = nil
    }
}

// What others want to know of a slot.
extension ConnectionSlot {
    /// Notes that somebody has taken it.
    func noteTaken() {
        takenAt.store(MonotonicInstant.coarse.nanoseconds, ordering: .relaxed)
    }

    /// Notes that it was given back.
    func noteReturned() {
        takenAt.store(0, ordering: .relaxed)
    }

    /// Since when it is in use; nil while it is not. May be asked by anyone.
    var usedSince: MonotonicInstant? {
        let taken = takenAt.load(ordering: .relaxed)
        return taken == 0 ? nil : MonotonicInstant(nanoseconds: taken)
    }

    /// What its connections have counted; for whoever has the slot.
    func takeFigures() -> Figures {
        guard let connection else { return pastFigures }
        pastFigures.pageCache = pastFigures.pageCache + connection.handle.takePageCache()
        var sum = pastFigures
        sum.statementCache.hits += Int64(connection.statements.hits)
        sum.statementCache.misses += Int64(connection.statements.misses)
        let waits = connection.handle.busy.totals
        sum.lockWaits += waits.waits
        sum.lockWaitTotal += waits.total
        return sum
    }

    /// How many bytes of log a page takes.
    func bytesPerFrame(_ connection: Connection) -> Int64 {
        if pageBytes == 0, let value = try? connection.value("PRAGMA page_size"), case .integer(let size) = value {
            pageBytes = size
        }
        return pageBytes + 24
    }
}
