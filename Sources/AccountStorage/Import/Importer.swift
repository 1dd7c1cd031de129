internal import Glibc
internal import KeyValueCoding
internal import KeyedArchive

/// Brings archives, and folders of archives, into a repository.
///
/// Files count in the order of the paths given and, in a folder, of the bytes of their names, whatever the order in which they
/// are read. They are saved in batches, each in one transaction with the record of its files, so that an import that
/// was stopped goes on where it was.
public struct Importer: Sendable {
    private let repository: any AccountRepository
    private let options: ImportOptions
    private let reader: ImportFileReader

    /// The most files, and the most bytes, of a batch.
    private static let batchFiles = 512
    private static let batchBytes: Int64 = 32 << 20

    /// Makes an importer.
    public init(into repository: any AccountRepository, options: ImportOptions = ImportOptions()) {
        self.repository = repository
        self.options = options
        reader = ImportFileReader(options: options)
    }

    /// Imports.
    ///
    /// - Parameters:
    ///   - paths: archives, and folders with archives in them or in folders below.
    ///   - progress: called after each batch.
    /// - Returns: what was done, and why files were refused.
    /// - Throws: what the repository throws, an error of the quarantine's folder, and `CancellationError`; what was saved
    ///   before stays, and the same call goes on from there.
    public func run(
        _ paths: [FilePath],
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        var report = ImportReport()
        var source = ImportSource(paths)
        var batch = ImportBatch()
        while let event = source.next() {
            batch.add(event)
            guard batch.events.count >= Self.batchFiles || batch.bytes >= Self.batchBytes else { continue }
            try await finish(&batch, into: &report, progress: progress)
        }
        try await finish(&batch, into: &report, progress: progress)
        return report
    }

    /// Imports an archive that is in no file, such as one that comes in on standard input. It has no time of last change.
    ///
    /// - Parameters:
    ///   - archive: the content.
    ///   - name: what a failure calls it.
    /// - Returns: what was done, and why it was refused if it was.
    /// - Throws: what the repository throws, and an error of the quarantine's folder.
    public func run(archive: [UInt8], name: String) async throws -> ImportReport {
        let path = FilePath(name)
        let identity = FileIdentity(path: path.bytes, size: Int64(archive.count), modifiedAt: 0)
        let candidate = ImportCandidate(path: path, relativePath: path.name, isNamed: true, identity: identity)
        var report = ImportReport()
        let reading = reader.read(archive, modifiedAt: nil, as: candidate)
        try await save([reading], into: &report)
        return report
    }

    // MARK: A batch

    private func finish(
        _ batch: inout ImportBatch,
        into report: inout ImportReport,
        progress: (@Sendable (ImportProgress) -> Void)?
    ) async throws {
        try Task.checkCancellation()
        guard let last = batch.lastPath else { return }
        let readings = try await read(batch)
        try await save(readings, into: &report)
        batch = ImportBatch()
        progress?(ImportProgress(files: report.files, rejected: report.rejected, path: last))
    }

    /// Reads the files of a batch that have to be read.
    private func read(_ batch: ImportBatch) async throws -> [ImportReading] {
        let identities = batch.candidates.map(\.identity)
        let unchanged: Set<FileIdentity> =
            options.readsUnchangedFiles || identities.isEmpty
            ? [] : try await repository.unchangedFiles(among: identities)
        return await parallelMap(batch.events, jobs: options.jobs) { event in
            switch event {
            case .candidate(let candidate) where unchanged.contains(candidate.identity): .skipped
            case .candidate(let candidate): reader.read(candidate)
            case .passedOver: .passedOver
            case .failure(let error): .refused(ImportFailure(error), nil)
            }
        }
    }

    private func save(_ readings: [ImportReading], into report: inout ImportReport) async throws {
        var files: [ImportedFile] = []
        var candidates: [ImportCandidate] = []
        for reading in readings {
            report.files += 1
            switch reading {
            case .skipped: report.skipped += 1
            case .passedOver: report.passedOver += 1
            case .refused(let failure, let file):
                report.failures.append(failure)
                if let quarantine = options.quarantine {
                    try Quarantine(folder: quarantine).add(failure, file: file)
                }
            case .accounts(let file, let candidate):
                files.append(file)
                candidates.append(candidate)
            }
        }
        guard !files.isEmpty else { return }
        let outcomes = try await repository.save(files, onConflict: options.conflictRule)
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .saved(let accounts):
                report.accounts += accounts.count
                for account in accounts { report.outcomes.add(account) }
            case .conflict(let uid):
                try refuse(candidates[index], conflictOver: uid, into: &report)
            }
        }
    }

    private func refuse(
        _ candidate: ImportCandidate,
        conflictOver uid: Int64,
        into report: inout ImportReport
    ) throws {
        let failure = ImportFailure(
            path: candidate.path,
            code: StoreError.Code.conflict.rawValue,
            message: "an account of uid \(uid) is there already, and conflicts are to fail"
        )
        report.failures.append(failure)
        guard let quarantine = options.quarantine else { return }
        let bytes = try? FileContent.read(candidate.path, limit: options.reading.limits.bytes).bytes
        try Quarantine(folder: quarantine).add(
            failure,
            file: RefusedFile(relativePath: candidate.relativePath, bytes: bytes)
        )
    }
}

/// The files of an import that are read and saved together.
private struct ImportBatch {
    var events: [ImportSource.Event] = []
    var candidates: [ImportCandidate] = []
    var bytes: Int64 = 0
    var lastPath: FilePath?

    mutating func add(_ event: ImportSource.Event) {
        events.append(event)
        switch event {
        case .candidate(let candidate):
            candidates.append(candidate)
            bytes = bytes.addingSaturating(candidate.identity.size)
            lastPath = candidate.path
        case .passedOver(let path): lastPath = path
        case .failure(let error): lastPath = error.path
        }
    }
}
