internal import Glibc
internal import SQLiteBinding
internal import Schema

/// Opening the file of a store. All of it may block, and none of it runs on Swift's cooperative threads.
enum StoreFile {
    /// Marks a database as one of this library's: "ACST" in ASCII.
    static let applicationID: Int32 = 0x4143_5354

    /// Room for the pages that a large write changes. The baselines in `Benchmarks` have as much.
    private static let writerCacheBytes = 16 << 20

    static let runner = MigrationRunner(folder: .sqlite, applicationID: applicationID)

    /// Opens the file, brought up to date if the options say so.
    static func open(path: String, options: AccountStoreOptions) throws -> ConnectionPool {
        try options.check(path)
        let configuration = Configuration(options)
        // Looking comes first: opening a database for writing switches it to the write-ahead log, whosever it is.
        if options.mode != .readWriteCreate { try requireFile(path, options) }
        let plan = try runner.plan(path: path, configuration: configuration)
        if !plan.isUpToDate {
            guard options.migrates, options.mode != .readOnly else { throw olderSchema(path, plan) }
            _ = try migrate(path: path, options: options)
        }
        var poolOptions = ConnectionPool.Options()
        poolOptions.connection = configuration
        poolOptions.connection.cacheBytes = writerCacheBytes
        poolOptions.connection.temporaryStorage = .memory
        poolOptions.readers = options.readers
        poolOptions.readTimeLimit = options.readTimeLimit
        poolOptions.waitTimeLimit = options.waitTimeLimit
        poolOptions.observer = options.observer.map { PoolObserver($0) }
        return try ConnectionPool(path: path, mode: OpenMode(options.mode), options: poolOptions)
    }

    /// Applies what the database lacks.
    static func migrate(path: String, options: AccountStoreOptions) throws -> [Migration] {
        if options.mode == .readWriteCreate { try createPrivately(path) }
        let configuration = Configuration(options)
        _ = try runner.plan(path: path, configuration: configuration)
        let connection = try Connection(path: path, mode: OpenMode(options.mode), configuration: configuration)
        defer { connection.close() }
        let applied = try runner.apply(to: connection)
        for migration in applied { options.observer?.handler(.migrated(SchemaPlan.Step(migration))) }
        return applied
    }

    private static func requireFile(_ path: String, _ options: AccountStoreOptions) throws(SQLiteError) {
        var configuration = Configuration(options)
        configuration.journalMode = nil
        try Connection(path: path, mode: OpenMode(options.mode), configuration: configuration).close()
    }

    /// Makes a missing file readable for its owner alone, since there will be tokens in it. SQLite gives the files beside it
    /// the same permissions.
    private static func createPrivately(_ path: String) throws(StoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { return }
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return OpenDatabaseFiles.close(descriptor) }
        var reason = errno
        if reason == EEXIST, unsafe access(path, F_OK) != 0, errno == ENOENT {
            // A symbolic link to nothing: what it leads to is made.
            let descriptor = unsafe Glibc.open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return OpenDatabaseFiles.close(descriptor) }
            reason = errno
        }
        // Of a folder in its place, and of one that is missing, SQLite tells the same.
        if [EEXIST, EISDIR, ENOENT].contains(reason) { return }
        let text = unsafe String(cString: strerror(reason))
        throw StoreError(
            reason == ENOSPC || reason == EDQUOT ? .diskFull : .unreadable,
            "\(path) cannot be created: \(text); name a file in a folder that this process may write to"
        )
    }

    /// Throws unless a database is a store, or has nothing in it; for a backup that would replace it.
    static func requireReplaceable(_ connection: Connection) throws {
        do {
            _ = try runner.plan(connection)
        } catch let error as MigrationError {
            // What another version of this library has made is a store all the same.
            guard error.code == .foreignDatabase else { return }
            throw StoreError(.notAStore, "the backup's target cannot be replaced: \(error.message)")
        }
    }

    private static func olderSchema(_ path: String, _ plan: MigrationPlan) -> StoreError {
        let names = plan.pending.map(\.fileName).joined(separator: ", ")
        return StoreError(
            .olderSchema,
            "\(path) lacks \(names), and is opened without being migrated; apply the migrations first"
        )
    }
}

extension AccountStoreOptions {
    /// Refuses limits under which nothing could ever be done.
    fileprivate func check(_ path: String) throws(SQLiteError) {
        for (name, limit) in [("readTimeLimit", readTimeLimit), ("waitTimeLimit", waitTimeLimit)] {
            guard let limit, limit <= .zero else { continue }
            throw SQLiteError(
                code: .misuse,
                message: "the option \(name) is zero or less",
                path: path,
                hint: "a limit is longer than that; nil is for none"
            )
        }
    }
}

extension Configuration {
    fileprivate init(_ options: AccountStoreOptions) {
        self.init()
        busyTimeout = max(.zero, options.busyTimeout)
        synchronous = options.durability == .full ? .full : .normal
        vfs = options.vfs
    }
}

extension OpenMode {
    fileprivate init(_ mode: AccountStoreOptions.Mode) {
        switch mode {
        case .readWriteCreate: self = .readWriteCreate
        case .existing: self = .readWrite
        case .readOnly: self = .readOnly
        }
    }
}
