internal import CSystemSQLite
internal import Glibc

extension Connection {
    /// Brings a fresh connection to the settings of its configuration, and proves that the file is a database.
    func setUp(mode: OpenMode, isFile: Bool) throws(SQLiteError) {
        let pointer = try unsafe handle.open()
        let settings = configuration
        let switches: [(Int32, Bool)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, settings.isDefensive),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, settings.trustsSchema),
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !settings.checkpointsOnClose || mode == .readOnly),
            (SQLITE_DBCONFIG_ENABLE_FKEY, settings.foreignKeys),
            // Text in double quotes that is no column's name is an error, as the SQL standard has it.
            (SQLITE_DBCONFIG_DQS_DML, false),
            (SQLITE_DBCONFIG_DQS_DDL, false),
        ]
        for (option, value) in switches {
            try handle.check(unsafe csystemsqlite_db_config(pointer, option, value ? 1 : 0))
        }
        try handle.check(
            unsafe sqlite3_wal_autocheckpoint(pointer, Int32(clamping: max(0, settings.walAutocheckpoint)))
        )
        try set("PRAGMA cell_size_check = \(settings.checksCells ? "ON" : "OFF")")
        // Below zero it is a number of kibibytes instead of pages.
        if let bytes = settings.cacheBytes { try set("PRAGMA cache_size = -\(max(1, bytes / 1_024))") }
        try set(Self.setting(settings.temporaryStorage))
        try set("PRAGMA synchronous = \(settings.synchronous.rawValue)")
        try retryingWhileBusy { () throws(SQLiteError) in try readSchema() }
        if mode != .readOnly {
            try requireWritable()
            if let journalMode = settings.journalMode, isFile { try switchJournal(to: journalMode) }
        }
        if settings.queryOnly { try set("PRAGMA query_only = ON") }
        handle.files?.didOpenCompanions()
        if isFile { handle.places = FilePlaces(handle.location, fileName: handle.fileName) }
    }

    private static func setting(_ storage: Configuration.TemporaryStorage) -> String {
        "PRAGMA temp_store = \(storage.rawValue)"
    }

    /// Runs a closure during which statements keep in another place what they put aside to sort it.
    ///
    /// A transaction that is open goes on keeping pages where it has begun to.
    public func withTemporaryStorage<Result>(
        _ storage: Configuration.TemporaryStorage,
        _ body: () throws -> Result
    ) throws -> Result {
        try execute(Self.setting(storage))
        let result: Result
        do {
            result = try body()
        } catch {
            try? execute(Self.setting(configuration.temporaryStorage))
            throw error
        }
        try execute(Self.setting(configuration.temporaryStorage))
        return result
    }

    private func set(_ pragma: String) throws(SQLiteError) {
        try retryingWhileBusy { () throws(SQLiteError) in try Statement(sql: pragma, handle: handle).run() }
    }

    /// Reads the header and the schema, which a file that is something else does not survive.
    private func readSchema() throws(SQLiteError) {
        try Statement(sql: "SELECT 1 FROM sqlite_schema LIMIT 1", handle: handle).run()
    }

    /// SQLite opens a file that it may not write to as if reading had been asked for.
    private func requireWritable() throws(SQLiteError) {
        guard isReadOnly else { return }
        let isReadOnlySystem = ErrorHints.isOnReadOnlySystem(handle.fileName)
        throw SQLiteError(
            code: .readOnly,
            message:
                "the database was to be opened for writing, but its file \(isReadOnlySystem ? "system " : "")permits reading only",
            path: path,
            hint: isReadOnlySystem
                ? ErrorHints.readOnlySystem
                : "give this process write permission for the file and its folder, or open it read-only"
        )
    }

    private func switchJournal(to journalMode: Configuration.JournalMode) throws(SQLiteError) {
        var found = ""
        try retryingWhileBusy { () throws(SQLiteError) in
            let statement = try Statement(sql: "PRAGMA journal_mode = \(journalMode.rawValue)", handle: handle)
            found = try statement.step() ? statement.text(at: 0) ?? "" : ""
        }
        if found == journalMode.rawValue { return }
        throw SQLiteError(
            code: .error,
            message: "the journal mode stays \(found) and cannot be made \(journalMode.rawValue)",
            path: path,
            hint: "a write-ahead log needs a file system with shared memory; network file systems have none"
        )
    }

    /// Repeats what fails for a lock until the busy timeout is over.
    ///
    /// Switching to the write-ahead log and recovering it give up at once where SQLite sees a risk of a deadlock, without
    /// asking the busy handler. Nothing is held here, so there is no such risk.
    private func retryingWhileBusy(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        let start = ContinuousClock.now
        while true {
            do throws(SQLiteError) {
                return try body()
            } catch {
                let waited = start.duration(to: .now)
                guard error.code.primary == .busy else { throw error }
                if waited >= configuration.busyTimeout {
                    var error = error
                    error.waited = waited
                    error.hint = ErrorHints.hint(for: error.code, path: path, systemError: 0, waited: waited)
                    throw error
                }
                _ = usleep(UInt32.random(in: 1_000...4_000))
            }
        }
    }
}
