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
    /// - Throws: what the repository throws, ``FileError`` if the quarantine's folder cannot be made, and `CancellationError`; what was saved
    ///   before stays, and the same call goes on from there.
    public func run(
        _ paths: [FilePath],
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        var report = ImportReport()
        try await run(paths, into: &report, progress: progress)
        return report
    }

    /// Imports as ``run(_:progress:)`` does, and counts in a report what was done, also where that is not all.
    ///
    /// - Parameters:
    ///   - paths: archives, and folders with archives in them or in folders below.
    ///   - report: what is added to; if the call throws, it has what was saved and refused before.
    ///   - progress: called after each batch.
    /// - Throws: what ``run(_:progress:)`` throws.
    public func run(
        _ paths: [FilePath],
        into report: inout ImportReport,
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws {
        let quarantine = try openQuarantine(importing: paths)
        var source = ImportSource(paths, leavingOut: quarantine)
        var batch = ImportBatch()
        while let event = source.next() {
            batch.add(event)
            guard batch.events.count >= Self.batchFiles || batch.bytes >= Self.batchBytes else { continue }
            try await finish(&batch, into: &report, quarantine, progress: progress)
        }
        try await finish(&batch, into: &report, quarantine, progress: progress)
    }

    /// Imports an archive that is in no file, such as one that comes in on standard input. It has no time of last change.
    ///
    /// - Parameters:
    ///   - archive: the content.
    ///   - name: what a failure calls it.
    /// - Returns: what was done, and why it was refused if it was.
    /// - Throws: what the repository throws, and ``FileError`` if the quarantine's folder cannot be made.
    public func run(archive: [UInt8], name: String) async throws -> ImportReport {
        let path = FilePath(name)
        let identity = FileIdentity(path: path.bytes, size: Int64(archive.count), modifiedAt: 0)
        let candidate = ImportCandidate(path: path, relativePath: path.name, isNamed: true, identity: identity)
        let quarantine = try openQuarantine(importing: [])
        var report = ImportReport()
        let reading = reader.read(archive, modifiedAt: nil, as: candidate)
        try await save([reading], into: &report, quarantine)
        return report
    }

    /// Makes the quarantine before anything is imported.
    private func openQuarantine(importing paths: [FilePath]) throws(FileError) -> Quarantine? {
        guard let folder = options.quarantine else { return nil }
        let quarantine = try Quarantine(folder)
        // It would be filled from itself.
        if let path = paths.first(where: { $0.resolved() == quarantine.folder }) {
            throw FileError(path, "cannot import: it is the quarantine, too; name another folder for that")
        }
        return quarantine
    }

    // MARK: A batch

    private func finish(
        _ batch: inout ImportBatch,
        into report: inout ImportReport,
        _ quarantine: Quarantine?,
        progress: (@Sendable (ImportProgress) -> Void)?
    ) async throws {
        try Task.checkCancellation()
        guard let last = batch.lastPath else { return }
        let readings = try await read(batch)
        try await save(readings, into: &report, quarantine)
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
            case .passedOver(let path):
                .passedOver(
                    ImportFailure(path: path, code: StoreError.Code.unreadable.rawValue, message: "no regular file")
                )
            case .failure(let error): .refused(ImportFailure(error), nil)
            }
        }
    }

    private func save(
        _ readings: [ImportReading],
        into report: inout ImportReport,
        _ quarantine: Quarantine?
    ) async throws {
        var files: [ImportedFile] = []
        var candidates: [ImportCandidate] = []
        var refusals: [(failure: ImportFailure, file: RefusedFile?)] = []
        for reading in readings {
            report.files += 1
            switch reading {
            case .skipped: report.skipped += 1
            case .passedOver(let file): report.passOver(file)
            case .refused(let failure, let file): refusals.append((failure, file))
            case .accounts(let file, let candidate):
                files.append(file)
                candidates.append(candidate)
            }
        }
        // Accounts are saved before copies are made, which may take long or fail.
        var outcomes: [ImportedFileOutcome] = []
        do {
            if !files.isEmpty { outcomes = try await repository.save(files, onConflict: options.conflictRule) }
        } catch {
            // What was refused is told of all the same. The others were not imported, and will be looked at again.
            report.files -= files.count
            report.failures += refusals.map(\.failure)
            throw error
        }
        for (candidate, outcome) in zip(candidates, outcomes) {
            switch outcome {
            case .saved(let accounts):
                report.accounts += accounts.count
                for account in accounts { report.outcomes.add(account) }
            case .conflict(let uid):
                refusals.append(refusal(of: candidate, conflictOver: uid, isKept: quarantine != nil))
            }
        }
        report.failures += refusals.map { keep($0.failure, $0.file, in: quarantine) }
    }

    private func refusal(
        of candidate: ImportCandidate,
        conflictOver uid: Int64,
        isKept: Bool
    ) -> (failure: ImportFailure, file: RefusedFile?) {
        let failure = ImportFailure(
            path: candidate.path,
            code: StoreError.Code.conflict.rawValue,
            message: "an account of uid \(uid) is there already, and conflicts are to fail"
        )
        let limit = options.reading.limits.bytes
        let bytes = isKept ? try? FileContent.read(candidate.path, limit: limit).bytes : nil
        return (failure, RefusedFile(relativePath: candidate.relativePath, bytes: bytes))
    }

    /// Puts a refused file into the quarantine. If it cannot be put there, the failure says so, and the import goes on.
    private func keep(_ failure: ImportFailure, _ file: RefusedFile?, in quarantine: Quarantine?) -> ImportFailure {
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
