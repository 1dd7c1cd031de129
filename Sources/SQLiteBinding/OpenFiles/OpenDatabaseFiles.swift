internal import Glibc

/// The files that SQLite has open in this process.
///
/// A process that closes any descriptor of a file loses all of its locks on it, also those that SQLite took through another descriptor,
/// and other processes then write while SQLite believes that they cannot
/// (<https://www.sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>). So whatever opens
/// files that may be databases closes them here. A descriptor of a file that is in use is kept until the last connection lets go of it.
package enum OpenDatabaseFiles {
    /// What a file is to its database.
    package enum Role: Sendable, Hashable {
        case database
        /// The write-ahead log or the shared memory of the database at a path.
        case companion(of: String)
    }

    private static let lock = ReadWriteLock(OpenFileTable())

    /// Whether a file is in use, and as what.
    package static func role(of key: FileKey) -> Role? {
        lock.reading { $0.role(of: key) }
    }

    /// Whether descriptors are kept that could not be closed.
    ///
    /// Whoever opens many files asks for the path first as long as this is so, lest there are ever more of them.
    package static var hasParked: Bool {
        lock.reading { !$0.parked.isEmpty }
    }

    /// Closes a descriptor, at once or when no connection has the file any more.
    ///
    /// - Parameters:
    ///   - descriptor: an open file, which is not to be used any more.
    ///   - key: which file it is; nil if that was not asked yet.
    package static func close(_ descriptor: Int32, _ key: FileKey? = nil) {
        guard let key = key ?? FileKey(descriptor: descriptor) else {
            _ = Glibc.close(descriptor)
            return
        }
        // Under the lock, so that no connection begins to use the file in between.
        let isClosed = lock.reading { table in
            if table.mayBeInUse(key) { return false }
            _ = Glibc.close(descriptor)
            return true
        }
        if !isClosed { lock.writing { $0.park(descriptor, key) } }
    }

    /// The path of a file beside a database that another connection of this process has, and that is no longer in its place; nil if all are.
    static func missingCompanion(ofDatabaseAt path: String) -> String? {
        FileKey(path: path).flatMap { key in lock.reading { $0.missingCompanion(of: key) } }
    }

    /// Notes that a connection is about to open a database.
    ///
    /// - Throws: if that is the log or the shared memory of a database that is open: SQLite would close it as any other file.
    static func open(_ location: DatabasePath) throws(SQLiteError) -> OpenDatabase {
        let database = OpenDatabase()
        let path = resolvingLinks(location.absolute)
        try lock.writing { (table) throws(SQLiteError) in
            if let key = FileKey(path: path), case .companion(let owner)? = table.role(of: key) {
                throw SQLiteError(
                    code: .cannotOpen,
                    message: "the file belongs to a database that is open, and is none itself",
                    path: location.given,
                    hint: "open \(owner) instead"
                )
            }
            table.add(OpenFileTable.Connection(path: path), ObjectIdentifier(database))
        }
        return database
    }

    /// The path without symbolic links; the same if nothing is there.
    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    fileprivate static func change(_ database: OpenDatabase, _ body: (inout OpenFileTable.Connection) -> Void) {
        lock.writing { table in
            guard var connection = table.remove(ObjectIdentifier(database)) else { return }
            body(&connection)
            table.add(connection, ObjectIdentifier(database))
        }
    }

    fileprivate static func end(_ database: OpenDatabase) {
        lock.writing { table in
            _ = table.remove(ObjectIdentifier(database))
            table.closeUnused()
        }
    }
}

/// The files of one connection, which are in use for as long as this lives.
final class OpenDatabase: Sendable {
    fileprivate init() {}

    deinit {
        OpenDatabaseFiles.end(self)
    }

    /// Notes the database, once SQLite has opened it under a name of its own.
    func didOpen(as name: String) {
        OpenDatabaseFiles.change(self) { connection in
            connection.path = name
            connection.database = FileKey(path: name)
        }
    }

    /// Notes the files beside the database, if SQLite has opened them by now.
    func didOpenCompanions() {
        OpenDatabaseFiles.change(self) { connection in
            // A database without shared memory has no log; it may get both later.
            guard let memory = FileKey(path: connection.path + "-shm") else { return }
            connection.companions = ["-shm": memory]
            connection.companions?["-wal"] = FileKey(path: connection.path + "-wal")
        }
    }
}
