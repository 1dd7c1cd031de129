/// How a connection is set up when it opens.
public struct Configuration: Sendable, Hashable {
    /// How a database keeps what a transaction changes until it is committed.
    public enum JournalMode: String, Sendable, Hashable {
        /// A write-ahead log: readers and one writer do not wait for each other.
        case wal
        /// A rollback journal that is deleted after each transaction; one file when the database is closed.
        case delete
        /// A rollback journal that is cut to nothing after each transaction.
        case truncate
        /// A rollback journal whose header is overwritten after each transaction.
        case persist
    }

    /// When SQLite makes the disk write out what was committed.
    public enum Synchronous: String, Sendable, Hashable {
        /// Leaves it to the operating system; a power cut may damage the database.
        case off
        /// At checkpoints; a power cut may take back the last commits, but damages nothing.
        case normal
        /// At each commit; a commit that returned survives a power cut.
        case full
        /// As ``full``, and the folder too when a rollback journal goes.
        case extra
    }

    /// Where what a statement puts aside while it runs is kept.
    public enum TemporaryStorage: String, Sendable, Hashable {
        /// In files, but for a little of it.
        case file
        /// In memory, however much it is.
        case memory
    }

    /// How long to wait for a lock that another connection holds, before the use fails with ``ResultCode/busy``.
    public var busyTimeout: Duration = .seconds(5)
    /// The journal mode to set; nil leaves the file's own. Only connections that may write set it, and it does not
    /// apply to databases in memory.
    public var journalMode: JournalMode? = .wal
    /// When commits reach the disk.
    public var synchronous: Synchronous = .full
    /// Whether foreign keys are enforced.
    public var foreignKeys = true
    /// Whether pages are checked more closely as they are read, which finds damage earlier.
    public var checksCells = true
    /// Whether functions and virtual tables that may have side effects may be used by the schema. A file that came from
    /// elsewhere could misuse that.
    public var trustsSchema = false
    /// Whether SQL that could damage the file is refused.
    public var isDefensive = true
    /// Whether the connection refuses to write, although the file permits it.
    public var queryOnly = false
    /// How many statements ``Connection/withStatement(_:_:)`` keeps compiled.
    public var statementCacheCapacity = 64
    /// Whether the last connection that closes copies the write-ahead log into the database and takes it away. A connection
    /// that only reads never does.
    public var checkpointsOnClose = true
    /// After how many pages of write-ahead log a commit copies them into the database; 0 turns that off. A pool that has a
    /// ``CheckpointPolicy`` follows that instead.
    public var walAutocheckpoint = 1_000

    /// How many bytes of pages a connection keeps in memory, rounded down to kibibytes; nil for SQLite's own choice, 2 MiB.
    ///
    /// A transaction that changes more pages than that writes them to the log before it is committed, and reads them back.
    public var cacheBytes: Int?
    /// Where statements keep what they put aside: entries to be sorted, and pages as they were before a statement that writes many rows.
    /// These are put back if it fails; they are pages that the statement changes, and in a file each takes two calls of the system.
    public var temporaryStorage = TemporaryStorage.file
    /// The name of the VFS through which SQLite reads and writes the files (<https://www.sqlite.org/vfs.html>); nil for SQLite's
    /// default. One that was not registered is an error when the connection is opened.
    public var vfs: String?

    /// The settings that a server wants: write-ahead log, full durability, foreign keys, safe against hostile files.
    public init() {}
}

/// What may be done to the file that a connection opens.
public enum OpenMode: Sendable, Hashable {
    /// Reads; the file has to exist.
    ///
    /// Where a database with a write-ahead log lies in a folder that cannot be written, and no log is there, the file is
    /// taken for one that nobody changes while it is open.
    case readOnly
    /// Reads and writes; the file has to exist.
    case readWrite
    /// Reads and writes; a missing file is created.
    case readWriteCreate
}
