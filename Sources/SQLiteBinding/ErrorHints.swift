internal import CSystemSQLite
internal import Glibc

/// What a failure means for whoever has to do something about it.
enum ErrorHints {
    /// A hint for `code`, or nil where SQLite's own message says it all.
    ///
    /// - Parameters:
    ///   - code: What SQLite reported.
    ///   - path: The database's file.
    ///   - systemError: What the operating system reported to SQLite; 0 if nothing.
    ///   - waited: How long a lock was waited for.
    ///   - creates: Whether a missing file was to be created.
    static func hint(
        for code: ResultCode,
        path: String,
        systemError: Int32,
        waited: Duration?,
        creates: Bool = false
    ) -> String? {
        switch code.primary {
        case .busy: busy(code, waited: waited)
        case .locked: "a statement of this connection is still using the table; reset it first"
        case .readOnly: isOnReadOnlySystem(path) ? readOnlySystem : readOnly(code)
        case .full where systemError == EFBIG: "\(raiseFileLimit); the transaction was rolled back"
        case .full: full
        case .outOfMemory: "give this process more memory; the transaction was rolled back"
        case .cannotOpen: cannotOpen(path: path, systemError: systemError, creates: creates)
        case .ioError: systemError == 0 ? nil : "the operating system says: \(text(of: systemError))"
        case .notADatabase: "the file is something else, or is encrypted; it was left as it is"
        case .corrupt: "the file is damaged; keep a copy and restore a backup"
        case .interrupt: "the operation was interrupted; nothing of its statement was kept"
        case .abort where code == .abortRollback: "the transaction that the statement belonged to was rolled back"
        case .constraint where code == .constraintCommitHook:
            "SQLite rolled the transaction back after an earlier error, or COMMIT was run inside of it by hand; "
                + "let the error leave the transaction's closure"
        default: nil
        }
    }

    /// What a failure is for those who meet it: SQLite has codes for a full disk and too little memory, but
    /// does not use them for all that comes of these.
    static func kind(of code: ResultCode, systemError: Int32) -> ResultCode {
        if code == .ioErrorNoMemory { return .outOfMemory }
        let isReading = [ResultCode.ioErrorRead, .ioErrorShortRead].contains(code)
        guard [.ioError, .cannotOpen].contains(code.primary), !isReading, isFull(systemError) else { return code }
        return .full
    }

    /// The hint for a database that has no room.
    static let full = "free space on its disk, or raise PRAGMA max_page_count; the transaction was rolled back"
    private static let raiseFileLimit = "raise the limit on the size of files that this process runs under"

    /// The hint for a backup that has no room, which leaves neither a transaction nor a part of itself behind.
    static func hintForFullBackup(in folder: String, systemError: Int32) -> String {
        let remedy = systemError == EFBIG ? raiseFileLimit : "free space on the disk of \(folder)"
        return "\(remedy); an older backup was left as it is"
    }

    /// What is to be done about a file system that cannot be written to.
    static let readOnlySystem =
        "the file system is mounted read-only; open the database for reading only (mode readOnly)"

    /// Whether a path is on a file system that is mounted read-only.
    static func isOnReadOnlySystem(_ path: String) -> Bool {
        var information = statvfs()
        return unsafe statvfs(path, &information) == 0 && information.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether the operating system says that there is no room, on the disk or under a limit.
    static func isFull(_ systemError: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(systemError) }

    /// What the operating system calls the error number.
    static func text(of systemError: Int32) -> String {
        guard let text = unsafe strerror(systemError) else { return "error \(systemError)" }
        return unsafe String(cString: text)
    }

    private static func busy(_ code: ResultCode, waited: Duration?) -> String {
        if code == .busySnapshot {
            return "another connection wrote after this transaction had read, so waiting cannot help; "
                + "run the whole transaction again, begun as immediate"
        }
        guard let waited, waited > .zero else { return "another connection holds the lock; try again" }
        return "another connection held the lock for all of the \(waited.inSeconds) that this one waited; "
            + "try again once it is done; the busy timeout says how long to wait"
    }

    private static func readOnly(_ code: ResultCode) -> String {
        switch code {
        case .readOnlyDirectory: "its folder cannot be written to; SQLite keeps its journal there"
        case .readOnlyMoved: "the file was moved or removed while it was open; open it again"
        case .readOnlyRecovery, .readOnlyCannotInit: "its journal needs recovery, which needs write permission"
        default: "the file or its connection permits reading only"
        }
    }

    private static func cannotOpen(path: String, systemError: Int32, creates: Bool) -> String? {
        var information = stat()
        if unsafe stat(path, &information) == 0 {
            if information.st_mode & S_IFMT == S_IFDIR { return "it is a folder" }
            return systemError == 0 ? nil : "the operating system says: \(text(of: systemError))"
        }
        let reason = errno
        guard reason == ENOENT || reason == ENOTDIR else {
            return "the operating system says: \(text(of: reason))"
        }
        let folder = folder(of: path)
        if unsafe stat(folder, &information) != 0 { return "the folder \(folder) does not exist" }
        if creates, unsafe faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 {
            return "no file can be made in \(folder): \(text(of: errno))"
        }
        if systemError != 0, systemError != ENOENT { return "the operating system says: \(text(of: systemError))" }
        return "there is no such file"
    }

    /// The folder that holds the file at `path`.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
