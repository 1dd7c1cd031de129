internal import CSystemSQLite

/// A connection to a SQLite database, which closes when the last reference to it and its statements goes.
///
/// A connection belongs to one thread at a time and is not Sendable; ``ConnectionPool`` shares a database between
/// threads. The C library's own rules are in <https://www.sqlite.org/c3ref/intro.html>.
///
/// ```swift
/// let connection = try Connection(path: "accounts.sqlite")
/// try connection.execute("CREATE TABLE IF NOT EXISTS t (uid INTEGER PRIMARY KEY, name TEXT) STRICT")
/// try connection.withStatement("INSERT INTO t (uid, name) VALUES (?, ?)") { statement in
///     try statement.bind(1 as Int64, at: 1)
///     try statement.bind("one", at: 2)
///     try statement.run()
/// }
/// ```
public final class Connection {
    let handle: DatabaseHandle
    let statements: StatementCache
    let controlStatements: StatementCache

    /// The settings that the connection was opened with.
    public let configuration: Configuration

    /// Opens a database file.
    ///
    /// - Parameters:
    ///   - path: The file, always read as a path: `:memory:` and `file:` have no special meaning here.
    ///   - mode: What may be done to the file, and whether a missing one is created.
    ///   - configuration: How to set the connection up.
    /// - Throws: If the file is missing, is no database, cannot be read, or cannot be written although `mode` asks for
    ///   it. A file that is no database is left as it is.
    public convenience init(
        path: String,
        mode: OpenMode = .readWriteCreate,
        configuration: Configuration = Configuration()
    ) throws(SQLiteError) {
        try self.init(DatabasePath(path), mode: mode, configuration: configuration)
    }

    /// Opens a database file, wherever the process works now.
    convenience init(
        _ location: DatabasePath,
        mode: OpenMode,
        configuration: Configuration
    ) throws(SQLiteError) {
        let handle =
            try mode == .readOnly
            ? DatabaseHandle.forReading(location, configuration: configuration)
            : DatabaseHandle(location, mode: mode, place: .file, configuration: configuration)
        try self.init(handle: handle, mode: mode, configuration: configuration, place: .file)
    }

    /// Opens a new database in memory, which goes with the connection.
    public static func inMemory(configuration: Configuration = Configuration()) throws(SQLiteError) -> Connection {
        try opening(.memory, configuration)
    }

    /// Opens a new database that goes with the connection, and is in memory as long as it fits into the cache. What does not is in a file
    /// without a name, which nobody else can open.
    public static func temporary(configuration: Configuration = Configuration()) throws(SQLiteError) -> Connection {
        try opening(.temporary, configuration)
    }

    private static func opening(
        _ place: DatabaseHandle.Place,
        _ configuration: Configuration
    ) throws(SQLiteError) -> Connection {
        let handle = try DatabaseHandle(
            DatabasePath(""),
            mode: .readWriteCreate,
            place: place,
            configuration: configuration
        )
        return try Connection(handle: handle, mode: .readWriteCreate, configuration: configuration, place: place)
    }

    private init(
        handle: DatabaseHandle,
        mode: OpenMode,
        configuration: Configuration,
        place: DatabaseHandle.Place
    ) throws(SQLiteError) {
        self.handle = handle
        self.configuration = configuration
        statements = StatementCache(handle: handle, capacity: configuration.statementCacheCapacity)
        controlStatements = StatementCache(handle: handle, capacity: 16)
        try setUp(mode: mode, isFile: place == .file)
    }

    deinit {
        close()
    }

    /// Closes the connection; every later use throws. A transaction that is open is rolled back.
    ///
    /// Statements that are still held are reset, and must not be used again.
    public func close() {
        controlStatements.removeAll()
        statements.removeAll()
        handle.resetStatements()
        if !handle.isAutocommit { rollBack() }
        controlStatements.removeAll()
        emptyOrphanedLog()
        handle.close()
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

extension Connection {
    /// The path that the connection was opened with; empty for a database in memory, and for a temporary one.
    public var path: String { handle.path }

    /// The name under which SQLite has opened the file, from the root and without symbolic links.
    package var fileName: String { handle.fileName }

    /// Whether the connection was closed.
    public var isClosed: Bool { unsafe handle.openPointer == nil }

    /// Whether no transaction is open.
    public var isAutocommit: Bool { handle.isAutocommit }

    /// Whether the database permits reading only.
    public var isReadOnly: Bool {
        guard let pointer = unsafe handle.openPointer else { return true }
        return unsafe sqlite3_db_readonly(pointer, "main") != 0
    }

    /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed, without those of triggers.
    public var changes: Int64 {
        guard let pointer = unsafe handle.openPointer else { return 0 }
        return unsafe sqlite3_changes64(pointer)
    }

    /// How many rows were changed since the connection was opened, with those of triggers.
    public var totalChanges: Int64 {
        guard let pointer = unsafe handle.openPointer else { return 0 }
        return unsafe sqlite3_total_changes64(pointer)
    }

    /// The row id of the last successful `INSERT`; 0 if there was none.
    public var lastInsertRowID: Int64 {
        guard let pointer = unsafe handle.openPointer else { return 0 }
        return unsafe sqlite3_last_insert_rowid(pointer)
    }

    /// Ends what this connection is doing, from any thread.
    public var interruptHandle: InterruptHandle { handle.interruptHandle }

    /// How often this connection waited for a lock of another one, and how long in all.
    public var busyWaits: (count: Int, total: Duration) {
        let totals = handle.busy.totals
        return (totals.waits, totals.total)
    }

    /// The version of the SQLite library that is linked, such as `3.40.1`.
    public static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }
}

extension Connection {
    /// Compiles one statement, which the caller owns and may use many times.
    ///
    /// - Throws: If the SQL is wrong, is empty, holds a NUL character, or has more after its statement than white space,
    ///   comments and semicolons.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql: sql, handle: handle)
    }

    /// Lends a statement from the cache, compiled if it is not there yet, and takes it back reset and without bindings.
    ///
    /// The statement must not be used after `body` has returned. The same SQL may be lent again inside of `body`; that
    /// gives a second statement.
    ///
    /// - Throws: What ``prepare(_:)`` throws, and what `body` throws.
    public func withStatement<Result>(
        _ sql: String,
        _ body: (Statement) throws -> Result
    ) throws -> Result {
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        return try body(entry.statement)
    }

    /// Runs one statement from the cache to its end.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: As many values as the statement has parameters.
    /// - Returns: How many rows it changed; 0 for a statement that changes none.
    @discardableResult
    public func run(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> Int64 {
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        try entry.statement.bind(values)
        let before = totalChanges
        try entry.statement.run()
        return totalChanges == before ? 0 : changes
    }

    /// The rows that one statement from the cache gives, for results that are known to be small.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: As many values as the statement has parameters.
    public func rows(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> [[SQLValue]] {
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        try entry.statement.bind(values)
        var rows: [[SQLValue]] = []
        while try entry.statement.step() {
            rows.append((0..<entry.statement.columnCount).map { entry.statement.value(at: $0) })
        }
        return rows
    }

    /// The first column of the first row that one statement from the cache gives; nil without a row.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: As many values as the statement has parameters.
    public func value(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> SQLValue? {
        let entry = try borrow(sql)
        defer { giveBack(entry) }
        try entry.statement.bind(values)
        return try entry.statement.step() ? entry.statement.value(at: 0) : nil
    }

    /// Throws if the use of a pool's connection that goes on is over its time, or not wanted any more. For uses that keep a statement.
    package func requireWanted() throws {
        try handle.timeLimit?.requireTime()
        if handle.isCancelled { throw handle.error(SQLITE_INTERRUPT) }
    }

    /// A statement from the cache, which has to be given back. It spares a closure where that would cost much.
    package func borrow(_ sql: String) throws(SQLiteError) -> StatementCache.Entry {
        // An interruption that comes between two statements is lost.
        if handle.isCancelled { throw handle.error(SQLITE_INTERRUPT) }
        return try statements.borrow(sql)
    }

    /// Takes a statement back, without the bindings and the position that its user left.
    package func giveBack(_ entry: StatementCache.Entry) { statements.giveBack(entry) }

    /// How often a statement was found in the cache and how often it had to be compiled.
    public var statementCacheStatistics: (hits: Int, misses: Int, count: Int) {
        (statements.hits, statements.misses, statements.count)
    }
}
