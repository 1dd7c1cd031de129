internal import Glibc

/// The file that a backup becomes.
struct BackupTarget {
    /// The file's path; of a symbolic link, what it leads to.
    let path: String
    private let folder: String
    /// The permissions that the file has, if it exists.
    private let existingMode: mode_t?

    /// Examines what is at the path.
    ///
    /// - Throws: If a file is there that is no database, is the source itself, or is in use.
    init(path: String, source: String, vfs: String?) throws(SQLiteError) {
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
        guard let target = Self.status(of: resolved) else {
            existingMode = nil
            try Self.requireNoJournals(of: resolved)
            return
        }
        existingMode = target.st_mode & 0o777
        if target.st_mode & S_IFMT != S_IFREG {
            throw Self.refusal(.cannotOpen, "it is not a regular file", path: resolved)
        }
        if !source.isEmpty, let origin = Self.status(of: source), origin.st_dev == target.st_dev,
            origin.st_ino == target.st_ino
        {
            throw Self.refusal(.misuse, "it is the database itself", path: resolved)
        }
        try Self.requireReplaceable(resolved, vfs: vfs)
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
        defer { _ = Glibc.close(descriptor) }
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
    private static func requireReplaceable(_ path: String, vfs: String?) throws(SQLiteError) {
        var settings = Configuration()
        settings.journalMode = nil
        settings.busyTimeout = .zero
        settings.vfs = vfs
        do throws(SQLiteError) {
            try Connection(path: path, mode: .readWrite, configuration: settings).close()
        } catch  where error.code.primary == .notADatabase || error.code.primary == .corrupt {
            throw refusal(error.code, "it is no database that SQLite can read", path: path)
        } catch  where error.code.primary == .busy {
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

    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
