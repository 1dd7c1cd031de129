extension ConnectionPool {
    /// The places of the connections that read, which are opened when they are needed.
    static func readers(
        mode: OpenMode,
        options: Options,
        file: PoolFile,
        events: PoolEvents?
    ) -> ReaderSet {
        let configuration = readerConfiguration(options)
        let readerMode: OpenMode = mode == .readOnly ? .readOnly : .readWrite
        let slots = (0..<options.readerCount).map { _ in
            ConnectionSlot { () throws(SQLiteError) in
                let connection = try file.connect(mode: readerMode, configuration: configuration)
                connection.handle.checkForCancellation()
                if let events { connection.handle.observe(events.observation) }
                return connection
            } didReopen: {
                events?.send(.reopened(isWriter: false))
            }
        }
        return ReaderSet(slots: slots, events: events)
    }

    /// The place of the connection that writes, which is open.
    static func writer(
        mode: OpenMode,
        options: Options,
        file: PoolFile,
        events: PoolEvents?
    ) throws(SQLiteError) -> ConnectionSlot {
        let setUp = { @Sendable (mode: OpenMode, configuration: Configuration) throws(SQLiteError) -> Connection in
            let connection = try file.connect(mode: mode, configuration: configuration)
            if let policy = options.checkpoints, mode != .readOnly {
                connection.handle.watchLog()
                _ = try connection.value("PRAGMA journal_size_limit = \(max(0, policy.keptLogBytes))")
            }
            if let events { connection.handle.observe(events.observation) }
            return connection
        }
        let first = try setUp(mode, mode == .readOnly ? readerConfiguration(options) : options.connection)
        // Opened again, a database that is gone is not created anew behind its users' backs.
        return ConnectionSlot(first) { [configuration = options.connection] () throws(SQLiteError) in
            try setUp(.readWrite, configuration)
        } didReopen: {
            events?.send(.reopened(isWriter: true))
        }
    }

    private static func readerConfiguration(_ options: Options) -> Configuration {
        var configuration = options.connection
        configuration.queryOnly = true
        configuration.cacheBytes = options.readerCacheBytes
        configuration.temporaryStorage = .file
        // The writer has set it; asking again would wait for others' locks.
        configuration.journalMode = nil
        return configuration
    }
}
