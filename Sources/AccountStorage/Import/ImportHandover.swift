internal import SQLiteBinding

/// A repository that saves files in one transaction for as long as more of them come.
protocol ImportTransactionRepository: AccountRepository {
    /// Saves what is handed over, in one transaction, until there is no more.
    ///
    /// - Throws: what ``AccountRepository/save(_:onConflict:)`` throws; nothing was saved then.
    nonisolated(nonsending) func save(_ handover: ImportHandover, onConflict rule: ConflictRule) async throws
}

/// Hands the files of an import to the transaction that saves them, a batch at a time, and takes back what has become of them.
///
/// The one who writes blocks a thread of its own; the one who reads is a task, which waits without one. The transaction ends when the
/// reader says so, when it is long, or when no more files come for a moment: others wait for its lock.
final class ImportHandover: Sendable {
    /// When a transaction ends though there may be more files.
    struct Limits: Sendable {
        /// How many files it takes, about.
        var files = 65_536
        /// How long it goes on, about.
        var time = Duration.milliseconds(500)
        /// How long it is waited for more files.
        var patience = Duration.milliseconds(50)
    }

    private struct State {
        let limits: Limits
        var batch: [ImportedFile]?
        var outcomes: [[ImportedFileOutcome]] = []
        /// When the first batch was taken.
        var begin: MonotonicInstant?
        var files = 0
        /// Nothing more will be handed over.
        var isEnded = false
        /// Nothing more is taken.
        var isClosed = false
        /// Waits for room.
        var reader: CheckedContinuation<Void, Never>?

        func isLong(at now: MonotonicInstant) -> Bool {
            files >= limits.files || begin.map { now.since($0) >= limits.time } ?? false
        }
    }

    private let limits: Limits
    private let state: Monitor<State>

    init(_ limits: Limits = Limits()) {
        self.limits = limits
        state = Monitor(State(limits: limits))
    }

    // MARK: The reader's side

    /// Hands a batch over, once there is room, and says whether that is so: false if nothing more is taken. To be called by one task.
    ///
    /// If the transaction ends at that moment the batch is not taken, and there is no outcome of it.
    func put(_ files: [ImportedFile]) async -> Bool {
        while true {
            let isDone: Bool? = state.withLock { state in
                if state.isClosed { return false }
                guard state.batch == nil else { return nil }
                state.batch = files
                return true
            }
            if let isDone {
                state.wakeAll()
                return isDone
            }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.batch != nil, !state.isClosed else { return false }
                    state.reader = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
    }

    /// Says that nothing more will be handed over.
    func end() {
        state.withLock { $0.isEnded = true }
        state.wakeAll()
    }

    /// Takes what has become of batches since the last time, in their order.
    func takeOutcomes() -> [[ImportedFileOutcome]] {
        state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    // MARK: The writer's side

    /// The next batch; nil if the transaction is to end. Blocks the thread for a moment.
    func next() -> [ImportedFile]? {
        let now = MonotonicInstant.now
        let batch: [ImportedFile]?? = state.wait(until: now + limits.patience) { state in
            if state.isLong(at: now) { return .some(nil) }
            guard let batch = state.batch else { return state.isEnded ? .some(nil) : nil }
            state.batch = nil
            state.begin = state.begin ?? now
            state.files += batch.count
            return .some(batch)
        }
        guard let batch = batch ?? nil else {
            close()
            return nil
        }
        resumeReader()
        return batch
    }

    /// Tells what has become of the batch that was taken last. It holds once the transaction is committed.
    func finish(_ outcomes: [ImportedFileOutcome]) {
        state.withLock { $0.outcomes.append(outcomes) }
    }

    /// Takes nothing more.
    func close() {
        state.withLock { $0.isClosed = true }
        resumeReader()
    }

    private func resumeReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}
