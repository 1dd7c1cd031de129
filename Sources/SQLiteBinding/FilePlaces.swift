internal import Glibc

/// Which files a connection has open, so that it can be told later whether they are still the ones in their places.
///
/// SQLite goes on with files that somebody has removed or replaced; nobody else would ever see what it writes to them.
struct FilePlaces: Equatable {
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    private let path: String
    private let logPath: String
    private let sharedMemoryPath: String
    private let database: Identity?
    private let log: Identity?
    private let sharedMemory: Identity?

    /// Notes which files are in the places of a database that was just opened.
    init(path: String) {
        self.path = path
        logPath = path + "-wal"
        sharedMemoryPath = path + "-shm"
        database = Self.identity(path)
        log = Self.identity(logPath)
        sharedMemory = Self.identity(sharedMemoryPath)
    }

    /// Whether the database is the same file as that of another connection.
    func isSameDatabase(as other: FilePlaces) -> Bool { database == other.database }

    /// Whether the place of the database is empty, or another file's.
    var isDatabaseGone: Bool { database != nil && Self.identity(path) != database }

    /// The path of a file that is no longer in its place; nil if all are.
    func missing() -> String? {
        if isDatabaseGone { return path }
        if let log, Self.identity(logPath) != log { return logPath }
        if let sharedMemory, Self.identity(sharedMemoryPath) != sharedMemory { return sharedMemoryPath }
        return nil
    }

    private static func identity(_ path: String) -> Identity? {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return nil }
        return Identity(device: information.st_dev, inode: information.st_ino)
    }
}

extension Connection {
    /// Throws if what is written now would go to files that are not in their places any more.
    func requireFilesInPlace() throws(SQLiteError) {
        guard let missing = handle.places?.missing() else { return }
        // A database that was taken out of the write-ahead mode has none of its files.
        if missing != path, try value("PRAGMA journal_mode") != "wal" { return }
        throw Self.moved(missing, of: path)
    }

    /// Brings the log into the database if that was moved away, and empties it.
    ///
    /// SQLite leaves the log as it is then, and whatever database comes in the place of the one that is gone would be taken for
    /// the one that the log belongs to, and be damaged.
    func emptyOrphanedLog() {
        guard !isClosed, !isReadOnly, handle.places?.isDatabaseGone == true else { return }
        _ = try? checkpoint(.truncate)
    }

    /// The error for a file that is not in its place.
    static func moved(_ file: String, of path: String) -> SQLiteError {
        let others =
            file == path
            ? "close the database and open it again"
            : "close the database in every process that uses it, which keeps what was committed, and open it again"
        return SQLiteError(
            code: .readOnlyMoved,
            message: "\(file) was removed or replaced while the database was open",
            path: path,
            hint: "nothing was written; \(others)"
        )
    }
}

/// The database file of a pool: that of its first connection, which all later ones have to open too.
final class PoolFile: Sendable {
    private let places = Monitor<FilePlaces?>(nil)

    /// Opens a connection, unless its file is not the one that the connections before it have.
    ///
    /// Another file is not even opened: SQLite would take the log beside it, which is that of the first one, for its own.
    func connect(
        path: String,
        mode: OpenMode,
        configuration: Configuration
    ) throws(SQLiteError) -> Connection {
        if let places = places.withLock({ $0 }), !places.isSameDatabase(as: FilePlaces(path: path)) {
            throw Connection.moved(path, of: path)
        }
        let connection = try Connection(path: path, mode: mode, configuration: configuration)
        places.withLock { places in
            if places == nil { places = connection.handle.places }
        }
        return connection
    }
}
