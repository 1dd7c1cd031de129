internal import CSystemSQLite
internal import Glibc

/// The owner of a `sqlite3*`, shared by a connection and its statements, so that it outlives them all.
///
/// This is also the one place where a result code becomes an error.
@safe @usableFromInline
final class DatabaseHandle {
    /// Where the database is.
    let location: DatabasePath
    /// The name under which SQLite has opened the file, from the root and without symbolic links.
    let fileName: String
    let busy: BusyHandler
    let interruptHandle: InterruptHandle
    private let cancellation = CancellationFlag()
    /// The transaction that a closure runs in, if one does.
    let transaction = TransactionState()
    private var pointer: OpaquePointer?
    /// The files that SQLite has open here; nil for a database in memory.
    private(set) var files: OpenDatabase?
    /// The table `batch`, once it was needed.
    var batches: BatchTable?
    /// Which files are open; nil for a database in memory.
    var places: FilePlaces?
    /// What is told of what happens here, if anybody wants to know.
    var observation: HandleObservation?
    /// What ends a use that takes too long, for a pool's connection that reads.
    var timeLimit: TimeLimit?
    /// What watches the log, if something does.
    private var logWatch: LogWatch?
    /// The function `visit`, once it was needed.
    var visitor: RowVisitor?

    /// Where a database is.
    enum Place {
        case file
        /// In memory; it goes with the connection.
        case memory
        /// In a file without a name, as far as it does not fit into the cache; it goes with the connection.
        case temporary
    }

    /// Opens the file and installs what has to be there before the first use. Nothing has been read of it yet.
    ///
    /// - Parameter isImmutable: whether SQLite is told that nobody changes the file, so that it needs no lock and no log.
    init(
        _ location: DatabasePath,
        mode: OpenMode,
        place: Place,
        configuration: Configuration,
        isImmutable: Bool = false
    ) throws(SQLiteError) {
        let path = location.given
        var name = try Self.fileName(location, place)
        let files = place != .file ? nil : try OpenDatabaseFiles.open(location)
        if isImmutable { name = Self.immutableURI(name) }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            name,
            &opened,
            Self.flags(mode) | (isImmutable ? SQLITE_OPEN_URI : 0),
            configuration.vfs
        )
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let systemError = unsafe opened == nil ? 0 : sqlite3_system_errno(opened)
            _ = unsafe sqlite3_close_v2(opened)
            let result = ErrorHints.kind(of: ResultCode(code), systemError: systemError)
            throw SQLiteError(
                code: result,
                message: unsafe String(cString: sqlite3_errstr(result.rawValue)),
                path: path,
                hint: ErrorHints.hint(
                    for: result,
                    path: path,
                    systemError: systemError,
                    waited: nil,
                    creates: mode == .readWriteCreate
                )
            )
        }
        self.location = location
        fileName = unsafe sqlite3_db_filename(opened, "main").map { unsafe String(cString: $0) } ?? name
        self.files = files
        files?.didOpen(as: fileName)
        busy = BusyHandler(timeout: configuration.busyTimeout, cancellation: cancellation)
        unsafe pointer = opened
        interruptHandle = unsafe InterruptHandle(pointer: opened, busy: busy, cancellation: cancellation)
        unsafe installHooks(opened)
    }

    deinit {
        close()
    }

    /// Closes the connection. Statements that still exist keep SQLite's side of it until they go.
    func close() {
        guard let open = unsafe pointer else { return }
        interruptHandle.detach()
        unsafe pointer = nil
        let isLast = unsafe sqlite3_next_stmt(open, nil) == nil
        _ = unsafe sqlite3_close_v2(open)
        // What statements keep open stays noted until this goes with the last of them.
        if isLast { files = nil }
    }

    /// The path as it was given; empty for a database in memory.
    var path: String { location.given }

    /// The open connection.
    func open() throws(SQLiteError) -> OpaquePointer {
        guard let pointer = unsafe pointer else {
            throw SQLiteError(
                code: .misuse,
                message: "the connection is closed",
                path: path,
                hint: "a closed connection cannot be used again; open a new one"
            )
        }
        return unsafe pointer
    }

    /// Whether what goes on here is not wanted any more.
    var isCancelled: Bool { cancellation.isSet }

    /// The open connection, or nil once it is closed.
    var openPointer: OpaquePointer? { unsafe pointer }

    /// Whether no transaction is open; a closed connection has none.
    var isAutocommit: Bool {
        guard let pointer = unsafe pointer else { return true }
        return unsafe sqlite3_get_autocommit(pointer) != 0
    }

    /// Ends every statement that is in use, so that the connection holds no lock and no snapshot for its sake.
    func resetStatements() {
        guard let pointer = unsafe pointer else { return }
        var statement = unsafe sqlite3_next_stmt(pointer, nil)
        while let current = unsafe statement {
            if unsafe sqlite3_stmt_busy(current) != 0 { unsafe sqlite3_reset(current) }
            unsafe statement = sqlite3_next_stmt(pointer, current)
        }
    }

    private func installHooks(_ pointer: OpaquePointer) {
        // Both contexts are owned by this object, which lives until SQLite's connection is gone.
        let waiter = unsafe Unmanaged.passUnretained(busy).toOpaque()
        _ = unsafe sqlite3_busy_handler(
            pointer,
            { context, attempt in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
                    .wait(attempt: attempt) ? 1 : 0
            },
            waiter
        )
        _ = unsafe sqlite3_commit_hook(
            pointer,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<TransactionState>.fromOpaque(context).takeUnretainedValue().refusesCommit
                    ? 1 : 0
            },
            Unmanaged.passUnretained(transaction).toOpaque()
        )
    }

    /// Notes from now on with each commit how long the log is; SQLite does not copy the log by itself then.
    func watchLog() {
        guard let pointer = unsafe pointer else { return }
        let watch = LogWatch()
        logWatch = watch
        _ = unsafe sqlite3_wal_hook(
            pointer,
            { context, _, _, frames in
                guard let context = unsafe context else { return SQLITE_OK }
                unsafe Unmanaged<LogWatch>.fromOpaque(context).takeUnretainedValue().frames = Int(frames)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(watch).toOpaque()
        )
    }

    /// How many frames the log had at the last commit; nil if there was none since the last time that it was asked.
    func takeLogFrames() -> Int? {
        defer { logWatch?.frames = nil }
        return logWatch?.frames
    }

    /// Makes statements that run for long look now and then whether they have been cancelled.
    func checkForCancellation() {
        guard let pointer = unsafe pointer else { return }
        unsafe sqlite3_progress_handler(
            pointer,
            // Steps of SQLite's virtual machine: a fraction of a millisecond, and far more than a read by key takes.
            10_000,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
            },
            Unmanaged.passUnretained(cancellation).toOpaque()
        )
    }

    private static func flags(_ mode: OpenMode) -> Int32 {
        // A connection is used by one thread at a time, so SQLite needs no mutex of its own around it.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch mode {
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .readWriteCreate: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }

    /// A name that SQLite reads as nothing but the path: it gives `:memory:`, `file:…` and an empty name other meanings.
    private static func fileName(_ location: DatabasePath, _ place: Place) throws(SQLiteError) -> String {
        switch place {
        case .file: break
        case .memory: return ":memory:"
        case .temporary: return ""
        }
        let path = location.given
        if path.isEmpty { throw SQLiteError(code: .cannotOpen, message: "the path of the database is empty") }
        if path.utf8.contains(0) {
            throw SQLiteError(
                code: .cannotOpen,
                message: "the path of the database contains a NUL character",
                path: path
            )
        }
        let name = location.absolute
        return name.hasPrefix(":") || name.hasPrefix("file:") ? "./" + name : name
    }
}

extension DatabaseHandle {
    /// Throws unless `code` is `SQLITE_OK`.
    func check(_ code: Int32, sql: @autoclosure () -> String? = nil) throws(SQLiteError) {
        if code == SQLITE_OK { return }
        throw error(code, sql: sql())
    }

    /// A file that is no longer in its place, of this connection or of others of this process that have the database.
    private func missingFile() -> MissingFile? {
        if files == nil { return nil }
        if let missing = places?.missing() { return missing }
        return OpenDatabaseFiles.missingCompanion(ofDatabaseAt: fileName).map {
            MissingFile(path: $0, isDatabase: false)
        }
    }

    /// The error for a result code that a call on this connection just gave.
    func error(_ code: Int32, sql: String? = nil) -> SQLiteError {
        unsafe error(code, sql: sql, from: pointer)
    }

    /// The error for a result code that a call just gave; `pointer` is nil when the connection does not know of it.
    func error(_ code: Int32, sql: String?, from pointer: OpaquePointer?) -> SQLiteError {
        let lastError = errno
        var result = ResultCode(code)
        var message = unsafe String(cString: sqlite3_errstr(code))
        var offset: Int?
        var systemError: Int32 = 0
        // The connection's message is about its last call; a misuse is refused before it becomes that.
        if let pointer = unsafe pointer, unsafe sqlite3_extended_errcode(pointer) == code {
            message = unsafe String(cString: sqlite3_errmsg(pointer))
            // Of a commit SQLite does not note what the operating system said, and keeps what it said before.
            systemError = unsafe result.primary == .ioError ? lastError : sqlite3_system_errno(pointer)
            let position = unsafe sqlite3_error_offset(pointer)
            if position >= 0 { offset = Int(position) }
            let kind = ErrorHints.kind(of: result, systemError: systemError)
            if kind != result { (result, message) = unsafe (kind, String(cString: sqlite3_errstr(kind.rawValue))) }
        }
        var waited: Duration?
        if result.primary == .busy, let end = busy.takeGivenUp() {
            waited = end.waited
            if end.interrupted {
                result = .interrupt
                message = "interrupted while waiting for a lock"
            }
        }
        let error = SQLiteError(
            code: result,
            message: message,
            sql: sql,
            offset: offset,
            path: path,
            hint: ErrorHints.hint(for: result, path: path, systemError: systemError, waited: waited),
            waited: waited
        )
        if transaction.depth > 0, isAutocommit { transaction.noteLoss(error) }
        // Without its own log a database looks as if it were damaged, or cannot be read.
        if [.ioError, .corrupt, .notADatabase, .cannotOpen].contains(result.primary), let missing = missingFile() {
            return Connection.moved(missing, of: path)
        }
        if result.primary == .corrupt || result.primary == .notADatabase { observation?.damage(error) }
        return error
    }
}

/// How long the log was at the last commit.
private final class LogWatch {
    var frames: Int?
}
