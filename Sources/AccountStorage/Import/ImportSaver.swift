internal import SQLiteBinding

/// Saves what the files of an import hold, a batch at a time, counts it, and tells of it.
struct ImportSaver {
    /// The most files, and the most bytes of files, of a batch.
    private static let batchFiles = 8_192
    private static let batchBytes = 16 << 20
    /// How long a batch waits for more files, so that not much is lost when the import is stopped.
    private static let batchTime = Duration.seconds(2)

    private let repository: any AccountRepository
    private let rule: ConflictRule
    private let quarantine: Quarantine?
    private let observer: (@Sendable (ImportEvent) -> Void)?
    private var batch: [ImportReading] = []
    private var bytes = 0
    private var since = MonotonicInstant.now
    /// What was saved and refused so far.
    private(set) var report = ImportReport()
    private var progress = ImportProgress(files: 0, rejected: 0, path: FilePath(""))

    init(
        _ repository: any AccountRepository,
        options: ImportOptions,
        quarantine: Quarantine?,
        observer: (@Sendable (ImportEvent) -> Void)?
    ) {
        self.repository = repository
        rule = options.conflictRule
        self.quarantine = quarantine
        self.observer = observer
    }

    /// Takes what some files hold, and saves a batch when there is enough of it.
    mutating func add(_ readings: [ImportReading]) async throws {
        batch += readings
        for reading in readings { bytes += reading.size }
        tellProgress(readings)
        if batch.count >= Self.batchFiles || bytes >= Self.batchBytes
            || MonotonicInstant.now.since(since) >= Self.batchTime
        {
            try await save()
        }
    }

    private mutating func tellProgress(_ readings: [ImportReading]) {
        guard let observer, let last = readings.last else { return }
        progress.files += readings.count
        progress.rejected += readings.count { if case .refused = $0 { true } else { false } }
        progress.path = last.path
        observer(.progress(progress))
    }

    /// Saves what waits, even if the task is cancelled.
    mutating func save() async throws {
        let readings = batch
        batch.removeAll(keepingCapacity: true)
        bytes = 0
        since = .now
        let files = readings.compactMap { if case .accounts(let file, _) = $0 { file } else { nil } }
        var outcomes: [ImportedFileOutcome] = []
        var failure: (any Error)?
        do {
            if !files.isEmpty {
                let (repository, rule) = (repository, rule)
                // A task of its own is not cancelled.
                outcomes = try await Task { try await repository.save(files, onConflict: rule) }.value
            }
        } catch {
            failure = error
        }
        count(readings, outcomes)
        if let failure { throw failure }
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
                report.files += 1
                report.skipped += 1
                if let observer { observer(.skipped(candidate.path)) }
            case .passedOver(let file):
                report.files += 1
                report.passOver(file)
                observer?(.passedOver(file))
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
        report.files += 1
        report.imported += 1
        for (archived, outcome) in zip(file.accounts, outcomes) {
            report.add(outcome.outcome, of: archived)
            guard outcome.outcome == .updated || outcome.outcome == .kept else { continue }
            let other = outcome.otherFile.map { FilePath(withoutNUL: $0) }
            let own = FilePath(withoutNUL: file.identity.path)
            let conflict =
                outcome.outcome == .kept
                ? ImportConflict(uid: archived.account.uid, loser: own, winner: other)
                : ImportConflict(uid: archived.account.uid, loser: other, winner: own)
            report.add(conflict)
            observer?(.conflict(conflict))
        }
        observer?(.imported(candidate.path, outcomes.map(\.outcome)))
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
        report.files += 1
        report.refuse(failure)
        observer?(.refused(failure))
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
