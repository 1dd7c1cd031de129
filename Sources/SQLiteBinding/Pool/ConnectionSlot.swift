internal import CSystemSQLite

/// The place of one connection of a pool, which is opened when it is first needed, and again if it became unusable.
///
/// Whoever has taken the slot has it alone, on one thread at a time; that is what makes it Sendable.
final class ConnectionSlot: @unchecked Sendable {
    private var connection: Connection?
    private let open: @Sendable () throws(SQLiteError) -> Connection

    init(_ connection: Connection? = nil, open: @escaping @Sendable () throws(SQLiteError) -> Connection) {
        self.connection = connection
        self.open = open
    }

    /// The connection, opened if need be.
    func use() throws(SQLiteError) -> Connection {
        if let connection, !connection.isClosed { return connection }
        let fresh = try open()
        connection = fresh
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
        connection?.close()
        connection = nil
    }
}
