/// How a store is opened.
public struct AccountStoreOptions: Sendable {
    /// What may be done to the file.
    public enum Mode: Sendable, Hashable, CaseIterable {
        /// Reads and writes; a missing file is created.
        case readWriteCreate
        /// Reads and writes; the file has to exist.
        case existing
        /// Reads; the file has to exist, with the schema of this version. Nothing is changed in it, and no log brought into it.
        ///
        /// In a folder that cannot be written a file without a log is taken for one that nobody changes while it is open.
        case readOnly
    }

    /// When what was saved is on the disk.
    public enum Durability: Sendable, Hashable, CaseIterable {
        /// When the save returns: it survives a power cut.
        case full
        /// Some time later: it survives the end of the process at once, and a power cut after a while. Nothing is damaged by one.
        case normal
    }

    /// What may be done to the file.
    public var mode = Mode.readWriteCreate
    /// Whether opening applies the migrations that the database lacks. If not, a database that lacks one is refused.
    public var migrates = true
    /// How long to wait for another process that writes; zero or less is for not at all.
    public var busyTimeout: Duration = .seconds(5)
    /// How long a read may take, the page of a sequence for example, until it fails with the code `timedOut`; nil for however long it
    /// takes. It is met to a tenth of it. Checks and backups may take longer. One of zero or less is refused when the store is opened.
    public var readTimeLimit: Duration?
    /// How long a read or a write may wait for its turn, until it fails with the code `timedOut` and nothing of it is done; nil for
    /// however long it takes. It is met to a tenth of it. Waiting for another process is part of it, which ``busyTimeout`` limits too.
    /// One of zero or less is refused when the store is opened.
    public var waitTimeLimit: Duration?
    /// How many connections read at the same time: 1 to 1,024. Another number is taken for the nearest of these.
    public var readers = 4
    /// When what was saved is on the disk.
    public var durability = Durability.full
    /// Whom to tell of what happens; nil for nobody.
    public var observer: StoreObserver?
    /// The name of the VFS that SQLite uses, for tests that make files fail; nil for SQLite's default.
    package var vfs: String?

    /// The options for a server: create the file, migrate it, lose nothing.
    public init() {}
}
