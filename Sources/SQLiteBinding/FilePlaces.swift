internal import Glibc

/// Which files a connection has open, so that it can be told later whether they are still the ones in their places.
///
/// SQLite goes on with files that somebody has removed or replaced; nobody else would ever see what it writes to them.
struct FilePlaces: Equatable {
    private let path: String
    private let logPath: String
    private let sharedMemoryPath: String
    private let database: FileKey?
    private let log: FileKey?
    private let sharedMemory: FileKey?

    /// Notes which files are in the places of a database that was just opened.
    ///
    /// - Parameters:
    ///   - location: the database's place, where a symbolic link may be.
    ///   - fileName: what SQLite calls the file; the others are beside that.
    init(_ location: DatabasePath, fileName: String) {
        path = location.absolute
        logPath = fileName + "-wal"
        sharedMemoryPath = fileName + "-shm"
        database = FileKey(path: path)
        log = FileKey(path: logPath)
        sharedMemory = FileKey(path: sharedMemoryPath)
    }

    /// Whether the database is the file that is in a place.
    func isDatabase(at location: DatabasePath) -> Bool { database == FileKey(path: location.absolute) }

    /// Whether the place of the database is empty, or another file's.
    var isDatabaseGone: Bool { database != nil && FileKey(path: path) != database }

    /// The path of a file that is no longer in its place; nil if all are.
    func missing() -> MissingFile? {
        if isDatabaseGone { return MissingFile(path: path, isDatabase: true) }
        if let log, FileKey(path: logPath) != log { return MissingFile(path: logPath, isDatabase: false) }
        if let sharedMemory, FileKey(path: sharedMemoryPath) != sharedMemory {
            return MissingFile(path: sharedMemoryPath, isDatabase: false)
        }
        return nil
    }
}

/// A file that is no longer in its place.
struct MissingFile {
    var path: String
    /// Whether it is the database itself, and not a file beside it.
    var isDatabase: Bool
}

extension Connection {
    /// Throws if what is written now would go to files that are not in their places any more.
    func requireFilesInPlace() throws(SQLiteError) {
        guard let missing = handle.places?.missing() else { return }
        // A database that was taken out of the write-ahead mode has none of its files.
        if !missing.isDatabase, try value("PRAGMA journal_mode") != "wal" { return }
        throw Self.moved(missing, of: path)
    }

    /// The same for the files that other connections of this process have: one that was opened later has taken what was there then.
    func requireAllFilesInPlace() throws(SQLiteError) {
        try requireFilesInPlace()
        guard let missing = OpenDatabaseFiles.missingCompanion(ofDatabaseAt: handle.fileName),
            try value("PRAGMA journal_mode") == "wal"
        else { return }
        throw Self.moved(MissingFile(path: missing, isDatabase: false), of: path)
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
    static func moved(_ file: MissingFile, of path: String) -> SQLiteError {
        let kept = file.isDatabase ? "" : ", which keeps what was committed,"
        return SQLiteError(
            code: .readOnlyMoved,
            message: "\(file.path) was removed or replaced while the database was open",
            path: path,
            hint:
                "nothing was written; close the database in every process that uses it\(kept) before it is opened again"
        )
    }
}

/// The database file of a pool: that of its first connection, which all later ones have to open too.
final class PoolFile: Sendable {
    private let location: DatabasePath
    private let places = Monitor<FilePlaces?>(nil)

    /// Begins with a place where the database is, or will be made.
    init(_ location: DatabasePath) {
        self.location = location
    }

    /// Opens a connection, unless its file is not the one that the connections before it have.
    ///
    /// Another file is not even opened: SQLite would take the log beside it, which is that of the first one, for its own.
    func connect(mode: OpenMode, configuration: Configuration) throws(SQLiteError) -> Connection {
        if let places = places.withLock({ $0 }), !places.isDatabase(at: location) {
            throw Connection.moved(MissingFile(path: location.absolute, isDatabase: true), of: location.given)
        }
        let connection = try Connection(location, mode: mode, configuration: configuration)
        places.withLock { places in
            if places == nil { places = connection.handle.places }
        }
        return connection
    }
}
