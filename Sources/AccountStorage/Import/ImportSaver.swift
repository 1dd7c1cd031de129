internal import SQLiteBinding

/// Saves what the files of an import hold, counts it, and tells of it.
///
/// What is in a transaction is counted by itself, and told of once that is committed.
struct ImportSaver {
    /// How many files are saved at a time.
    struct Sizes {
        /// The most files of a batch.
        var batch = 4_096
        var transaction = ImportHandover.Limits()
    }

    /// The most bytes of files of a batch.
    private static let batchBytes = 16 << 20
    /// How long a batch waits for more files, so that not much is lost when the import is stopped.
    private static let batchTime = Duration.seconds(2)
    /// How many events wait for a transaction's end before it has to come.
    private static let mostEvents = 8_192

    /// What was read of some files.
    private struct Batch {
        var readings: [ImportReading]
        /// Those that have accounts.
        let files: [ImportedFile]

        init(_ readings: [ImportReading]) {
            self.readings = readings
            files = readings.compactMap { if case .accounts(let file, _) = $0 { file } else { nil } }
        }
    }

    /// What is saved for good only with the end of a transaction.
    private struct Uncommitted {
        var report = ImportReport()
        var events: [ImportEvent] = []
    }

    private let repository: any AccountRepository
    private let rule: ConflictRule
    private let sizes: Sizes
    private let quarantine: Quarantine?
    private let observer: (@Sendable (ImportEvent) -> Void)?
    /// Told of each file, that is.
    private let observesFiles: Bool
    private var readings: [ImportReading] = []
    private var bytes = 0
    private var since = MonotonicInstant.now
    private var transaction: (handover: ImportHandover, task: Task<Void, any Error>)?
    /// What has no place in a transaction yet.
    private var waiting: [Batch] = []
    /// What was handed over to the transaction, and is not counted yet.
    private var underway: [Batch] = []
    private var uncommitted = Uncommitted()
    /// What was saved and refused so far.
    private(set) var report = ImportReport()
    private var progress = ImportProgress(files: 0, rejected: 0, path: FilePath(""))

    init(
        _ repository: any AccountRepository,
        options: ImportOptions,
        sizes: Sizes = Sizes(),
        quarantine: Quarantine?,
        observer: (@Sendable (ImportEvent) -> Void)?
    ) {
        self.repository = repository
        self.sizes = sizes
        rule = options.conflictRule
        self.quarantine = quarantine
        self.observer = observer
        observesFiles = observer != nil && options.tellsOfEachFile
        report.failureGroups.accept(namesOf: options.reading)
    }

    /// Takes what some files hold, and saves a batch when there is enough of it.
    mutating func add(_ new: [ImportReading]) async throws {
        readings += new
        for reading in new { bytes += reading.size }
        tellProgress(new)
        if readings.count >= sizes.batch || bytes >= Self.batchBytes
            || MonotonicInstant.now.since(since) >= Self.batchTime
        {
            try await saveBatch()
        }
    }

    private mutating func tellProgress(_ readings: [ImportReading]) {
        guard let observer, let last = readings.last else { return }
        progress.files += readings.count
        progress.rejected += readings.count { if case .refused = $0 { true } else { false } }
        progress.path = last.path
        observer(.progress(progress))
    }

    // MARK: Saving

    /// Saves what waits, even if the task is cancelled.
    mutating func save() async throws {
        if !readings.isEmpty { try await saveBatch() }
        repeat {
            try await handOver()
            try await commit()
        } while !waiting.isEmpty
    }

    private mutating func saveBatch() async throws {
        let batch = Batch(readings)
        readings.removeAll(keepingCapacity: true)
        bytes = 0
        since = .now
        if repository is any ImportTransactionRepository, !batch.files.isEmpty {
            waiting.append(batch)
            try await handOver()
            if uncommitted.events.count >= Self.mostEvents { try await commit() }
        } else {
            try await save()
            try await saveAlone(batch)
        }
    }

    /// Saves a batch in a transaction of its own.
    private mutating func saveAlone(_ batch: Batch) async throws {
        var outcomes: [ImportedFileOutcome] = []
        if !batch.files.isEmpty {
            let (repository, rule) = (repository, rule)
            do {
                // A task of its own is not cancelled.
                outcomes = try await Task { try await repository.save(batch.files, onConflict: rule) }.value
            } catch {
                count(batch.readings, [])
                settle()
                throw error
            }
        }
        count(batch.readings, outcomes)
        settle()
    }

    /// Hands what waits over to the transaction that is open, or to a new one.
    private mutating func handOver() async throws {
        guard let repository = repository as? any ImportTransactionRepository else { return }
        while let batch = waiting.first {
            let transaction = transaction ?? begin(with: repository)
            self.transaction = transaction
            if await transaction.handover.put(batch.files) {
                underway.append(waiting.removeFirst())
            } else {
                try await commit()
            }
        }
        countFinished()
    }

    private func begin(
        with repository: any ImportTransactionRepository
    ) -> (handover: ImportHandover, task: Task<Void, any Error>) {
        let (handover, rule) = (ImportHandover(sizes.transaction), rule)
        // A task of its own is not cancelled.
        let task = Task {
            defer { handover.close() }
            try await repository.save(handover, onConflict: rule)
        }
        return (handover, task)
    }

    /// Ends the transaction, if one is open. What it has not taken waits for the next.
    mutating func commit() async throws {
        guard let transaction else { return }
        transaction.handover.end()
        let result = await transaction.task.result
        countFinished()
        self.transaction = nil
        do {
            try result.get()
            waiting = underway + waiting
            underway = []
            settle()
        } catch {
            // None of it was saved. What was refused is told of all the same.
            for batch in underway + waiting { count(batch.readings, []) }
            (underway, waiting) = ([], [])
            uncommitted.report.forgetImported()
            uncommitted.events.removeAll {
                if case .imported = $0 { true } else if case .conflict = $0 { true } else { false }
            }
            settle()
            throw error
        }
    }

    /// Counts the batches that the transaction has written.
    private mutating func countFinished() {
        for outcomes in transaction?.handover.takeOutcomes() ?? [] {
            count(underway.removeFirst().readings, outcomes)
        }
    }

    /// Adds what was counted to the report, and tells of it.
    private mutating func settle() {
        report.add(uncommitted.report)
        if let observer { for event in uncommitted.events { observer(event) } }
        uncommitted = Uncommitted()
    }

    /// Throws if a file was counted in no way, or in two.
    func checkSums(filesFound: Int) throws(ImportSumError) {
        guard report.files == filesFound, report.isBalanced else {
            throw ImportSumError(filesFound: filesFound, report: report)
        }
    }

    // MARK: Counting

    /// Counts a batch. Without outcomes its accounts were not saved; what was refused is told of all the same.
    private mutating func count(_ readings: [ImportReading], _ outcomes: [ImportedFileOutcome]) {
        var outcomes = outcomes.makeIterator()
        for reading in readings {
            switch reading {
            case .skipped(let candidate):
                uncommitted.report.files += 1
                uncommitted.report.skipped += 1
                if observesFiles { uncommitted.events.append(.skipped(candidate.path)) }
            case .passedOver(let file):
                uncommitted.report.files += 1
                uncommitted.report.passOver(file)
                if observesFiles { uncommitted.events.append(.passedOver(file)) }
            case .refused(let failure, let file): refuse(failure, file)
            case .accounts(let file, let candidate):
                switch outcomes.next() {
                case .saved(let accounts): count(file, candidate, accounts)
                case .conflict(let uid): refuse(candidate, conflictOver: uid)
                // It was not imported, and will be looked at again.
                case nil: break
                }
            }
        }
    }

    private mutating func count(
        _ file: ImportedFile,
        _ candidate: ImportCandidate,
        _ outcomes: [ImportedAccountOutcome]
    ) {
        uncommitted.report.files += 1
        uncommitted.report.imported += 1
        for (archived, outcome) in zip(file.accounts, outcomes) {
            uncommitted.report.add(outcome.outcome, of: archived)
            guard outcome.outcome == .updated || outcome.outcome == .kept else { continue }
            let other = outcome.otherFile.map { FilePath(withoutNUL: $0) }
            let own = FilePath(withoutNUL: file.identity.path)
            let conflict =
                outcome.outcome == .kept
                ? ImportConflict(uid: archived.account.uid, loser: own, winner: other)
                : ImportConflict(uid: archived.account.uid, loser: other, winner: own)
            uncommitted.report.add(conflict)
            if observesFiles { uncommitted.events.append(.conflict(conflict)) }
        }
        if observesFiles { uncommitted.events.append(.imported(candidate.path, outcomes.map(\.outcome))) }
    }

    private mutating func refuse(_ candidate: ImportCandidate, conflictOver uid: Int64) {
        let failure = ImportFailure(
            path: candidate.path,
            code: StoreError.Code.conflict.rawValue,
            message: "an account of uid \(uid) is there already, and conflicts are to fail"
        )
        refuse(failure, RefusedFile(candidate: candidate, bytes: nil))
    }

    private mutating func refuse(_ failure: ImportFailure, _ file: RefusedFile?) {
        let failure = keep(failure, file)
        uncommitted.report.files += 1
        uncommitted.report.refuse(failure)
        if observer != nil { uncommitted.events.append(.refused(failure)) }
    }

    /// Puts a refused file into the quarantine. If it cannot be put there, the failure says so, and the import goes on.
    private func keep(_ failure: ImportFailure, _ file: RefusedFile?) -> ImportFailure {
        guard let quarantine else { return failure }
        var failure = failure
        do throws(FileError) {
            try quarantine.add(failure, file: file)
        } catch {
            failure.message += "; no copy of it is in the quarantine: \(error)"
        }
        return failure
    }
}

extension ImportReading {
    /// The path of the file.
    fileprivate var path: FilePath {
        switch self {
        case .accounts(_, let candidate), .skipped(let candidate): candidate.path
        case .passedOver(let failure), .refused(let failure, _): failure.path
        }
    }
}
