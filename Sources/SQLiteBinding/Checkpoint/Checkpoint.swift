internal import CSystemSQLite
internal import Glibc

/// How hard a checkpoint tries to bring the write-ahead log into the database.
public enum CheckpointMode: Sendable, Hashable, CaseIterable {
    /// Copies what it can without waiting for anyone.
    case passive
    /// Waits for the writer, then copies everything that no reader holds back.
    case full
    /// As ``full``, and waits for the readers, so that the next writer begins the log anew.
    case restart
    /// As ``restart``, and cuts the log's file to nothing.
    case truncate

    fileprivate var code: Int32 {
        switch self {
        case .passive: SQLITE_CHECKPOINT_PASSIVE
        case .full: SQLITE_CHECKPOINT_FULL
        case .restart: SQLITE_CHECKPOINT_RESTART
        case .truncate: SQLITE_CHECKPOINT_TRUNCATE
        }
    }
}

/// What a checkpoint found and did.
public struct CheckpointResult: Sendable, Hashable {
    /// How many frames, of a page each, the log has; nil if the database has no write-ahead log.
    public var logFrames: Int?
    /// How many of them have been copied into the database, now or before.
    public var copiedFrames: Int?

    /// Whether everything that was in the log is in the database.
    public var isComplete: Bool { logFrames == copiedFrames }
}

/// How large a database is.
public struct DatabaseSize: Sendable, Hashable {
    /// The size of a page in bytes.
    public var pageSize: Int64
    /// How many pages the database has.
    public var pages: Int64
    /// How many of them are free to be used again.
    public var freePages: Int64
    /// The size of the write-ahead log's file in bytes; 0 if there is none.
    public var logBytes: Int64
}

extension Connection {
    /// Copies the write-ahead log into the database.
    ///
    /// - Throws: ``ResultCode/busy`` if the mode waits and the busy timeout ended before the wait did; what could be
    ///   copied has been.
    @discardableResult
    public func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError) -> CheckpointResult {
        let (code, result) = try runCheckpoint(mode)
        try handle.check(code)
        return result
    }

    /// ``checkpoint(_:)`` for which a lock that was not to be had is no error.
    func tryCheckpoint(_ mode: CheckpointMode) throws(SQLiteError) -> (result: CheckpointResult, isBusy: Bool) {
        let (code, result) = try runCheckpoint(mode)
        if ResultCode(code).primary == .busy { return (result, true) }
        try handle.check(code)
        return (result, false)
    }

    private func runCheckpoint(_ mode: CheckpointMode) throws(SQLiteError) -> (code: Int32, CheckpointResult) {
        var log: Int32 = -1
        var copied: Int32 = -1
        let pointer = try unsafe handle.open()
        let code = unsafe sqlite3_wal_checkpoint_v2(pointer, "main", mode.code, &log, &copied)
        let result = CheckpointResult(
            logFrames: log < 0 ? nil : Int(log),
            copiedFrames: copied < 0 ? nil : Int(copied)
        )
        return (code, result)
    }

    /// The size of a file; 0 if there is none.
    static func fileBytes(_ path: String) -> Int64 {
        var information = stat()
        return unsafe stat(path, &information) == 0 ? Int64(information.st_size) : 0
    }

    /// How large the database and its log are.
    public func databaseSize() throws(SQLiteError) -> DatabaseSize {
        func pragma(_ name: String) throws(SQLiteError) -> Int64 {
            let statement = try prepare("PRAGMA \(name)")
            return try statement.step() ? statement.int64(at: 0) : 0
        }
        return DatabaseSize(
            pageSize: try pragma("page_size"),
            pages: try pragma("page_count"),
            freePages: try pragma("freelist_count"),
            logBytes: path.isEmpty ? 0 : Self.fileBytes(fileName + "-wal")
        )
    }
}
