internal import Glibc

/// The file that a backup becomes.
struct BackupTarget {
    /// The file's path; of a symbolic link, what it leads to.
    let path: String
    private let folder: String
    /// The permissions that the file has, if it exists.
    private let existingMode: mode_t?

    /// The ends of the names of the files beside a database.
    private static let companionSuffixes = ["-wal", "-shm", "-journal"]

    /// Examines what is at the path.
    ///
    /// - Parameters:
    ///   - path: the path, which may be that of a symbolic link.
    ///   - source: the name of the database's file; empty for one in memory.
    ///   - vfs: the VFS for looking into what is there.
    ///   - requireReplaceable: Throws if the database that is there is not to be replaced.
    /// - Throws: If a file is there that is no database, is one of the source's own, or is in use.
    init(
        path: String,
        source: String,
        vfs: String?,
        requireReplaceable: (Connection) throws -> Void
    ) throws {
        if path.isEmpty || path.utf8.contains(0) {
            throw SQLiteError(
                code: .cannotOpen,
                message: "the path of the backup is empty or contains a NUL character",
                path: path
            )
        }
        let resolved = Self.resolvingLinks(path)
        self.path = resolved
        folder = ErrorHints.folder(of: resolved)
        // Before anything is opened: SQLite would take the locks of those that use it away as it closes it.
        try Self.requireNoOtherUse(of: resolved, source: source)
        guard let target = Self.status(of: resolved) else {
            existingMode = nil
            try Self.requireNoJournals(of: resolved)
            return
        }
        existingMode = target.st_mode & 0o777
        if target.st_mode & S_IFMT != S_IFREG {
            throw Self.refusal(.cannotOpen, "it is not a regular file", path: resolved)
        }
        try Self.examine(resolved, vfs: vfs, requireReplaceable)
    }

    /// Throws if the path is that of a database in use, or of a file that belongs to a database.
    private static func requireNoOtherUse(of path: String, source: String) throws(SQLiteError) {
        for suffix in companionSuffixes where path.hasSuffix(suffix) {
            let owner = String(path.dropLast(suffix.count))
            if status(of: owner) != nil {
                throw refusal(.misuse, "that is the place of a file of \(owner)", path: path)
            }
        }
        guard let key = FileKey(path: path) else { return }
        if !source.isEmpty {
            if key == FileKey(path: source) { throw refusal(.misuse, "it is the database itself", path: path) }
            if companionSuffixes.contains(where: { key == FileKey(path: source + $0) }) {
                throw refusal(.misuse, "it is a file of the database itself", path: path)
            }
        }
        switch OpenDatabaseFiles.role(of: key) {
        case .database: throw refusal(.busy, "it is a database that is in use, by this process", path: path)
        case .companion(let owner): throw refusal(.misuse, "it is a file of \(owner), which is in use", path: path)
        case nil: return
        }
    }

    /// Makes an empty file in the target's folder, which only its owner can read.
    func makeDraft() throws(SQLiteError) -> BackupDraft {
        BackupDraft.removeAbandoned(in: folder)
        guard let draft = BackupDraft(in: folder) else {
            throw systemFailure("a file for the backup cannot be made in \(folder)")
        }
        return draft
    }

    /// Puts a finished copy in the target's place, both on the disk when this returns.
    func replace(with temporary: String) throws(SQLiteError) {
        try synchronize(temporary, flags: O_RDWR, mode: existingMode)
        guard unsafe rename(temporary, path) == 0 else { throw systemFailure("the backup cannot be put in its place") }
        try synchronize(folder, flags: O_RDONLY | O_DIRECTORY, mode: nil)
    }

    private func synchronize(_ file: String, flags: Int32, mode: mode_t?) throws(SQLiteError) {
        let descriptor = unsafe Glibc.open(file, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemFailure("\(file) cannot be opened") }
        defer { OpenDatabaseFiles.close(descriptor) }
        if let mode, fchmod(descriptor, mode) != 0 { throw systemFailure("the permissions of \(file) cannot be set") }
        guard fsync(descriptor) == 0 else { throw systemFailure("\(file) cannot be written out to the disk") }
    }

    private func systemFailure(_ message: String) -> SQLiteError {
        let reason = errno
        return SQLiteError(
            code: ErrorHints.isFull(reason) ? .full : .ioError,
            message: message,
            path: path,
            hint: "the operating system says: \(ErrorHints.text(of: reason))"
        )
    }

    /// Opening it as a database also brings in, or takes away, the journals that its last user left; only a connection
    /// that is open somewhere keeps its log. With that log beside it the new file would be read as damaged.
    private static func examine(
        _ path: String,
        vfs: String?,
        _ requireReplaceable: (Connection) throws -> Void
    ) throws {
        var settings = Configuration()
        settings.journalMode = nil
        settings.busyTimeout = .zero
        settings.vfs = vfs
        do {
            let connection = try Connection(path: path, mode: .readWrite, configuration: settings)
            defer { connection.close() }
            try requireReplaceable(connection)
        } catch let error as SQLiteError where error.code.primary == .notADatabase || error.code.primary == .corrupt {
            throw refusal(error.code, "it is no database that SQLite can read", path: path)
        } catch let error as SQLiteError where error.code.primary == .busy {
            throw refusal(.busy, "it is a database that is in use", path: path)
        }
        try requireNoJournals(of: path)
    }

    private static func requireNoJournals(of path: String) throws(SQLiteError) {
        for suffix in ["-wal", "-journal"] {
            if let status = status(of: path + suffix), status.st_size > 0 {
                throw refusal(.busy, "there is a \(path + suffix), so it is a database that is in use", path: path)
            }
        }
    }

    private static func refusal(_ code: ResultCode, _ reason: String, path: String) -> SQLiteError {
        SQLiteError(
            code: code,
            message: "the backup's target cannot be replaced: \(reason)",
            path: path,
            hint: "choose another path; the file was left as it is"
        )
    }

    /// The path without symbolic links; of a file that is not there, that of its folder with its name.
    private static func resolvingLinks(_ path: String) -> String {
        if let resolved = resolved(path) { return resolved }
        guard let folder = resolved(ErrorHints.folder(of: path)) else { return path }
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
        return (folder == "/" ? "" : folder) + "/" + name
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
