/// Where a read runs.
public enum ReadPlacement: Sendable, Hashable {
    /// On the caller's thread if a reader is free, which costs no switch of threads; for reads that are short.
    case callerIfFree
    /// On a thread of the pool's; for reads that may take long.
    case poolThread
}

extension ConnectionPool {
    /// Runs a closure with the connection that writes, as one transaction that has the lock for writing from the start.
    ///
    /// - Parameters:
    ///   - inTransaction: Whether the closure is one transaction. Some statements, such as `VACUUM`, need none.
    ///   - body: What to do, on the pool's writing thread.
    /// - Returns: What `body` returned, after the commit.
    /// - Throws: What `body` throws, after the rollback; what kept the transaction from being committed;
    ///   ``ConnectionPoolError``; `CancellationError` if the task was cancelled before the closure began.
    public nonisolated(nonsending) func write<Value: Sendable>(
        inTransaction: Bool = true,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try requireWriting()
        return try await submit(to: writes, inTransaction ? .transaction : .plain, body)
    }

    /// Runs a closure with a connection that reads, as one transaction, so that all that it reads is of one moment.
    ///
    /// - Parameters:
    ///   - placement: Where to run it.
    ///   - inTransaction: Whether the closure is one transaction; a single statement needs none.
    ///   - isLimited: Whether ``Options/readTimeLimit`` holds.
    ///   - body: What to do.
    /// - Throws: What `body` throws; ``ConnectionPoolError``; `CancellationError` if the task was cancelled before the
    ///   closure began, or its statement was interrupted for that.
    public nonisolated(nonsending) func read<Value: Sendable>(
        on placement: ReadPlacement = .callerIfFree,
        inTransaction: Bool = true,
        isLimited: Bool = true,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try refuseReentry()
        try Task.checkCancellation()
        let limit = isLimited ? readTimeLimit : nil
        if placement == .callerIfFree, let slot = try readers.takeIfFree() {
            defer { readers.giveBack(slot) }
            return try use(slot, inTransaction: inTransaction, limit: limit, body)
        }
        return try await submit(to: reads, .plain) { connection in
            try connection.read(inTransaction: inTransaction, limit: limit) { try body(connection) }
        }
    }

    /// ``write(inTransaction:_:)`` for a thread that may block; never for one of Swift's cooperative pool.
    public func writeSync<Value: Sendable>(
        inTransaction: Bool = true,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) throws -> Value {
        try requireWriting()
        try refuseReentry()
        try Self.translatingErrors { try writes.reserveBlocking() }
        // This thread may be inside of other pools, and waits: the closure must not wait for them in turn.
        let held = PoolAccess.held
        let job = ResultJob(inTransaction ? .transaction : .plain) { connection in
            try PoolAccess.enter(all: held[...]) { try body(connection) }
        }
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        let isQueued = job.wait { result in
            outcome.withLock { $0 = result }
            outcome.wakeAll()
        }
        if isQueued { put(job, into: writes) } else { writes.cancelReservation() }
        return try outcome.wait { $0 }.get()
    }

    /// ``read(on:inTransaction:isLimited:_:)`` for a thread that may block: the closure runs on it, once a reader is free.
    public func readSync<Value>(
        inTransaction: Bool = true,
        _ body: (Connection) throws -> Value
    ) throws -> Value {
        try refuseReentry()
        let slot = try readers.take(within: waitTimeLimit)
        defer { readers.giveBack(slot) }
        return try use(slot, inTransaction: inTransaction, limit: readTimeLimit, body)
    }
}

// A closure of a generic type costs a good part of what a read of one row does. So there is a way without one, for reads that are a
// statement or two and call nobody else's code.
extension ConnectionPool {
    /// A free reader, which has to be given back; nil if none is free, or if reads have a time limit.
    package func takeFreeReader() throws -> ConnectionSlot? {
        try refuseReentry()
        return readTimeLimit == nil ? try readers.takeIfFree() : nil
    }

    /// Takes a reader back, in whose connection no transaction is open.
    package func giveBack(_ reader: ConnectionSlot) {
        _ = reader.settle()
        readers.giveBack(reader)
    }
}

extension ConnectionPool {
    func requireWriting() throws(SQLiteError) {
        guard isReadOnly else { return }
        throw SQLiteError(
            code: .readOnly,
            message: "the database was opened for reading only",
            path: path,
            hint: "open it for writing to change it"
        )
    }

    func refuseReentry() throws(ConnectionPoolError) {
        if PoolAccess.isInside(identity.id) { throw .reentrant }
    }

    private func use<Value>(
        _ slot: ConnectionSlot,
        inTransaction: Bool,
        limit: Duration?,
        _ body: (Connection) throws -> Value
    ) throws -> Value {
        let connection = try slot.use()
        let outcome = Result {
            try PoolAccess.enter(identity.id) {
                try connection.read(inTransaction: inTransaction, limit: limit) { try body(connection) }
            }
        }
        if let error = slot.settle(), case .success = outcome { throw error }
        return try outcome.get()
    }

    nonisolated(nonsending) func submit<Value: Sendable>(
        to queue: WorkQueue<PoolJob>,
        _ setting: PoolJob.Setting,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try refuseReentry()
        try Task.checkCancellation()
        do {
            try await queue.reserve()
        } catch {
            throw Self.translated(error)
        }
        let job = ResultJob(setting, body)
        let courtesy = courtesy
        defer { courtesy.end() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = job.wait {
                    courtesy.begin()
                    continuation.resume(with: $0)
                }
                if isWaiting {
                    put(job, into: queue)
                } else {
                    queue.cancelReservation()
                }
            }
        } onCancel: {
            job.cancel()
        }
    }

    private func put(_ job: PoolJob, into queue: WorkQueue<PoolJob>) {
        limitWatch?.add(job)
        queue.put(job)
    }

    private static func translatingErrors(_ body: () throws -> Void) throws {
        do { try body() } catch { throw translated(error) }
    }

    private static func translated(_ error: any Error) -> any Error {
        switch error {
        case is WorkQueue<PoolJob>.Closed: ConnectionPoolError.closed
        case is WorkQueue<PoolJob>.NoThread: ConnectionPoolError.noThread
        default: error
        }
    }
}

extension Connection {
    /// Runs a closure that reads, for a time at most if there is a limit.
    fileprivate func read<Value>(
        inTransaction: Bool,
        limit: Duration?,
        _ body: () throws -> Value
    ) throws -> Value {
        if let limit, let timeLimit = handle.timeLimit {
            return try timeLimit.run(for: limit, on: interruptHandle) {
                try read(inTransaction: inTransaction, limit: nil, body)
            }
        }
        return inTransaction ? try transaction(.deferred, body) : try body()
    }
}
