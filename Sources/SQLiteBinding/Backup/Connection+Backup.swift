internal import CSystemSQLite
internal import Glibc

/// How far a backup has come.
public struct BackupProgress: Sendable, Hashable {
    /// How many pages are still to be copied.
    public var remainingPages: Int
    /// How many pages the database has.
    public var totalPages: Int
}

extension Connection {
    /// Writes a copy of the database, as it is committed at one moment, while others go on using it.
    ///
    /// The copy is made in a file beside the target, examined, written out to the disk, and only then put in the target's
    /// place, so that the target is the old file or the whole new one at any moment. It is one file, in rollback journal
    /// mode, that only its owner can read unless the target had other permissions.
    ///
    /// - Parameters:
    ///   - target: Where the copy goes. A file that is there must be a database, and not this one.
    ///   - pagesPerStep: How many pages to copy between two calls of `progress`.
    ///   - progress: Called after each step; an error that it throws ends the backup.
    ///   - requireReplaceable: Called with the database that is there already, to throw if that must not be replaced.
    /// - Throws: What the closures throw, and a ``SQLiteError`` if the target cannot be replaced or written, or the copy
    ///   is damaged. The target is as it was then.
    public func backup(
        to target: String,
        pagesPerStep: Int = 256,
        progress: ((BackupProgress) throws -> Void)? = nil,
        requireReplaceable: (Connection) throws -> Void = { _ in }
    ) throws {
        _ = try unsafe handle.open()
        do {
            let target = try BackupTarget(
                path: target,
                source: path.isEmpty ? "" : handle.fileName,
                vfs: configuration.vfs,
                requireReplaceable: requireReplaceable
            )
            if !path.isEmpty { try requireAllFilesInPlace() }
            let draft = try target.makeDraft()
            // Once it has taken its place, what may be left under its own name are journals that it needs no more.
            defer { draft.remove() }
            try copy(to: draft.path, pagesPerStep: pagesPerStep, progress: progress)
            try target.replace(with: draft.path)
        } catch var error as SQLiteError where error.hint == ErrorHints.full {
            error.hint = ErrorHints.hintForFullBackup(in: ErrorHints.folder(of: target), systemError: 0)
            throw error
        }
    }

    private func copy(
        to temporary: String,
        pagesPerStep: Int,
        progress: ((BackupProgress) throws -> Void)?
    ) throws {
        var settings = Configuration()
        settings.busyTimeout = configuration.busyTimeout
        settings.vfs = configuration.vfs
        settings.journalMode = nil
        // What is lost when the machine stops is a file that is not in place yet.
        settings.synchronous = .off
        settings.foreignKeys = false
        let destination = try Connection(path: temporary, mode: .readWrite, configuration: settings)
        defer { destination.close() }
        try copyPages(to: destination, settings: settings, pagesPerStep: pagesPerStep, progress: progress)
        // A log beside the copy would make it two files.
        _ = try destination.value("PRAGMA journal_mode = delete")
        if let finding = try destination.integrityCheck(limit: 1).first {
            throw SQLiteError(
                code: .corrupt,
                message: "the copy is damaged, and so probably is the database: \(finding)",
                path: path,
                hint: "check the database; the older backup was left in its place"
            )
        }
    }

    private func copyPages(
        to destination: Connection,
        settings: Configuration,
        pagesPerStep: Int,
        progress: ((BackupProgress) throws -> Void)?
    ) throws {
        guard !path.isEmpty else {
            guard isAutocommit else {
                throw SQLiteError(
                    code: .misuse,
                    message: "a database in memory cannot be copied while a transaction is open",
                    hint: "end the transaction first"
                )
            }
            return try BackupCopy(from: self, to: destination).run(pagesPerStep: pagesPerStep, progress: progress)
        }
        // A connection of its own, so that neither this one's transaction nor its statements are in the copy's way.
        let source = try Connection(handle.location, mode: .readOnly, configuration: settings)
        defer { source.close() }
        guard try source.value("PRAGMA journal_mode") == "wal" else {
            return try BackupCopy(from: source, to: destination).run(pagesPerStep: pagesPerStep, progress: progress)
        }
        // One snapshot for all steps: else each commit of another connection would begin the copy anew.
        try source.transaction(.deferred) {
            _ = try source.value("SELECT 1 FROM sqlite_schema LIMIT 1")
            try BackupCopy(from: source, to: destination).run(pagesPerStep: pagesPerStep, progress: progress)
        }
    }
}

/// SQLite's own copying of pages from one connection to another (<https://www.sqlite.org/backup.html>).
@safe
private final class BackupCopy {
    private let pointer: OpaquePointer
    private let source: Connection
    private let destination: Connection
    private var isFinished = false

    init(from source: Connection, to destination: Connection) throws(SQLiteError) {
        let from = try unsafe source.handle.open()
        let to = try unsafe destination.handle.open()
        guard let pointer = unsafe sqlite3_backup_init(to, "main", from, "main") else {
            throw destination.handle.error(unsafe sqlite3_extended_errcode(to))
        }
        unsafe self.pointer = pointer
        self.source = source
        self.destination = destination
    }

    deinit {
        if !isFinished { _ = unsafe sqlite3_backup_finish(pointer) }
    }

    func run(pagesPerStep: Int, progress: ((BackupProgress) throws -> Void)?) throws {
        let pages = Int32(clamping: max(1, pagesPerStep))
        var lastSuccess = ContinuousClock.now
        while true {
            let code = unsafe sqlite3_backup_step(pointer, pages)
            let systemError = errno
            switch ResultCode(code).primary {
            case .ok, .done:
                lastSuccess = .now
            case .busy, .locked:
                // The step asks no busy handler when it waits for the source.
                let waited = lastSuccess.duration(to: .now)
                if waited >= source.configuration.busyTimeout { throw failure(code, systemError: 0, waited: waited) }
                _ = usleep(2_000)
                continue
            default:
                throw failure(code, systemError: systemError, waited: nil)
            }
            try progress?(
                BackupProgress(
                    remainingPages: Int(unsafe sqlite3_backup_remaining(pointer)),
                    totalPages: Int(unsafe sqlite3_backup_pagecount(pointer))
                )
            )
            if ResultCode(code) == .done { break }
        }
        isFinished = true
        let code = unsafe sqlite3_backup_finish(pointer)
        if code != SQLITE_OK { throw failure(code, systemError: 0, waited: nil) }
    }

    /// - Parameter systemError: what the operating system said, which the connections do not know of.
    private func failure(_ code: Int32, systemError: Int32, waited: Duration?) -> SQLiteError {
        let kind = ErrorHints.kind(of: ResultCode(code), systemError: systemError)
        // The copy's own path is a temporary one, which helps nobody.
        let path = kind == .full ? ErrorHints.folder(of: destination.path) : source.path
        return SQLiteError(
            code: kind,
            message: "the backup failed: \(unsafe String(cString: sqlite3_errstr(kind.rawValue)))",
            path: path,
            hint: kind == .full
                ? ErrorHints.hintForFullBackup(in: path, systemError: systemError)
                : ErrorHints.hint(for: kind, path: path, systemError: systemError, waited: waited),
            waited: waited
        )
    }
}
