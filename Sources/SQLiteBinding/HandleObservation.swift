internal import CSystemSQLite

/// What a connection tells of itself while it is in use. The closures must not use the connection.
final class HandleObservation: Sendable {
    /// From when on a statement is slow.
    let slowStatement: Duration
    /// Called with the SQL of a slow statement, without values, and how long it took.
    let slow: @Sendable (String, Duration) -> Void
    /// Called when damage was met.
    let damage: @Sendable (SQLiteError) -> Void

    init(
        slowStatement: Duration,
        slow: @escaping @Sendable (String, Duration) -> Void,
        damage: @escaping @Sendable (SQLiteError) -> Void
    ) {
        self.slowStatement = slowStatement
        self.slow = slow
        self.damage = damage
    }

    fileprivate func note(_ statement: OpaquePointer, _ nanoseconds: Int64) {
        let duration = Duration.nanoseconds(nanoseconds)
        guard duration >= slowStatement, let sql = unsafe sqlite3_sql(statement) else { return }
        unsafe slow(String(cString: sql), duration)
    }
}

extension DatabaseHandle {
    /// Tells of slow statements and of damage from now on.
    func observe(_ observation: HandleObservation) {
        guard let pointer = unsafe openPointer else { return }
        self.observation = observation
        _ = unsafe sqlite3_trace_v2(
            pointer,
            UInt32(SQLITE_TRACE_PROFILE),
            { _, context, statement, nanoseconds in
                guard let context = unsafe context, let statement = unsafe statement,
                    let nanoseconds = unsafe nanoseconds?.load(as: Int64.self)
                else { return 0 }
                let observation = unsafe Unmanaged<HandleObservation>.fromOpaque(context).takeUnretainedValue()
                unsafe observation.note(OpaquePointer(statement), nanoseconds)
                return 0
            },
            Unmanaged.passUnretained(observation).toOpaque()
        )
    }

    /// How often a page was found in memory since the last time that this was asked. SQLite's own counts have 31 bits.
    func takePageCache() -> CacheStatistics {
        CacheStatistics(hits: take(SQLITE_DBSTATUS_CACHE_HIT), misses: take(SQLITE_DBSTATUS_CACHE_MISS))
    }

    private func take(_ operation: Int32) -> Int64 {
        guard let pointer = unsafe openPointer else { return 0 }
        var current: Int32 = 0
        var highest: Int32 = 0
        _ = unsafe sqlite3_db_status(pointer, operation, &current, &highest, 1)
        return Int64(current)
    }
}
