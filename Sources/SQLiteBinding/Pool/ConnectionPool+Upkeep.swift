extension ConnectionPool {
    /// What goes on now, and what has been. It looks at two files and waits for nobody.
    public var statistics: ConnectionPoolStatistics {
        let write = writes.depth
        let read = reads.depth
        var statistics = readers.statistics
        statistics.waitingWrites = write.jobs
        statistics.waitingReads = read.jobs
        statistics.waitingCallers = write.callers + read.callers
        counters.fill(&statistics)
        let figures = writerFigures.withLock { $0 }
        statistics.statementCache = statistics.statementCache + figures.statementCache
        statistics.pageCache = statistics.pageCache + figures.pageCache
        statistics.lockWaits = Int64(figures.lockWaits)
        statistics.lockWaitTotal = figures.lockWaitTotal
        statistics.databaseBytes = Connection.fileBytes(location.absolute)
        statistics.logBytes = Connection.fileBytes(location.absolute + "-wal")
        return statistics
    }

    /// Refuses what comes from now on, waits for what came before, and closes the connections.
    ///
    /// The write-ahead log goes into the database unless another process uses it.
    ///
    /// - Throws: ``ConnectionPoolError/reentrant`` inside of a closure that uses the pool.
    public func close() async throws {
        try refuseReentry()
        refuseNewUses()
        await reads.finish()
        await writes.finish()
        await readers.finish()
        // Closing copies the log, which is no work for a thread of the cooperative pool.
        await withCheckedContinuation { continuation in
            let isStarted = SystemThread.start(name: "sqlite-close") { [self] in
                closeConnections()
                continuation.resume()
            }
            if !isStarted {
                closeConnections()
                continuation.resume()
            }
        }
    }

    /// ``close()`` for a thread that may block.
    public func closeSync() throws {
        try refuseReentry()
        refuseNewUses()
        reads.finishBlocking()
        writes.finishBlocking()
        readers.finishBlocking()
        closeConnections()
    }

    private func refuseNewUses() {
        readers.close()
        reads.close()
        writes.close()
    }

    private func closeConnections() {
        // The writer goes last: the last connection to go copies the log and takes it away.
        isClosed.withLock { isClosed in
            if isClosed { return }
            readers.closeConnections()
            writer.close()
            limitWatch?.stop()
            isClosed = true
        }
    }

    /// Copies the write-ahead log into the database, on the writing thread; see ``Connection/checkpoint(_:)``.
    @discardableResult
    public nonisolated(nonsending) func checkpoint(
        _ mode: CheckpointMode = .passive
    ) async throws -> CheckpointResult {
        try await write(inTransaction: false) { connection in try connection.checkpoint(mode) }
    }

    /// Writes a verified copy of the database while it is in use; see ``Connection/backup(to:pagesPerStep:progress:requireReplaceable:)``.
    ///
    /// It runs on a thread of the pool's and ends early, without a trace, when the task is cancelled.
    public nonisolated(nonsending) func backup(
        to target: String,
        requireReplaceable: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) async throws {
        let isCancelled = CancellationFlag()
        try await withTaskCancellationHandler {
            try await read(on: .poolThread, inTransaction: false, isLimited: false) { connection in
                try connection.backup(
                    to: target,
                    progress: { _ in if isCancelled.isSet { throw CancellationError() } },
                    requireReplaceable: requireReplaceable
                )
            }
        } onCancel: {
            isCancelled.set()
        }
    }
}
