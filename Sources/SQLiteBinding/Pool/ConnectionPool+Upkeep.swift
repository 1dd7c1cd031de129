/// What goes on in a pool at a moment.
public struct ConnectionPoolStatistics: Sendable, Hashable {
    /// Writes that wait to run.
    public var waitingWrites: Int
    /// Reads that wait for a thread of the pool's.
    public var waitingReads: Int
    /// Callers that wait for a place in a full queue.
    public var waitingCallers: Int
    /// Readers that are in use.
    public var busyReaders: Int
    /// Readers that are free.
    public var idleReaders: Int
}

extension ConnectionPool {
    /// What goes on now.
    public var statistics: ConnectionPoolStatistics {
        let write = writes.depth
        let read = reads.depth
        let counts = readers.counts
        return ConnectionPoolStatistics(
            waitingWrites: write.jobs,
            waitingReads: read.jobs,
            waitingCallers: write.callers + read.callers,
            busyReaders: counts.lent,
            idleReaders: counts.idle
        )
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

    /// Writes a verified copy of the database while it is in use; see ``Connection/backup(to:pagesPerStep:progress:)``.
    ///
    /// It runs on a thread of the pool's and ends early, without a trace, when the task is cancelled.
    public nonisolated(nonsending) func backup(to target: String) async throws {
        let isCancelled = CancellationFlag()
        try await withTaskCancellationHandler {
            try await read(on: .poolThread, inTransaction: false) { connection in
                try connection.backup(to: target) { _ in
                    if isCancelled.isSet { throw CancellationError() }
                }
            }
        } onCancel: {
            isCancelled.set()
        }
    }
}
