internal import KeyedArchive

/// Writes accounts of a repository as archives.
///
/// Each file is there as a whole or not at all, also after a power cut, can be read by its owner alone, and has the time at which the
/// token was issued for its time of last change, so that importing it gives the same account again. What a call has written is on disk
/// when it returns, as far as the file system keeps what a sync promises.
///
/// A file that is there already with the same bytes is left alone, and one with others is replaced only if ``ExportOptions/overwrites``
/// says so.
public struct Exporter: Sendable {
    private let repository: any AccountRepository
    private let options: ExportOptions
    private let archives: AccountArchiveWriter

    /// Makes an exporter.
    public init(from repository: any AccountRepository, options: ExportOptions = ExportOptions()) {
        self.repository = repository
        self.options = options
        archives = AccountArchiveWriter(options: options.writing)
    }

    /// The archive of one account; nil if there is no account of the uid.
    ///
    /// - Throws: what the repository throws, and `ArchiveError` for a value that an archive cannot hold.
    public func data(uid: Int64) async throws -> [UInt8]? {
        guard let stored = try await repository.storedArchive(uid: uid) else { return nil }
        return try archives.data(for: stored)
    }

    /// Writes one account to a file, and says what was done; nil if there is no account of the uid.
    ///
    /// - Throws: what ``data(uid:)`` throws, ``FileError``, and ``ExportFailure`` for a file with other content that is there already.
    public func write(uid: Int64, to path: FilePath) async throws -> ExportOutcome? {
        guard let stored = try await repository.storedArchive(uid: uid) else { return nil }
        let placement = try FileWriter.put(
            try archives.data(for: stored),
            at: path,
            modifiedAt: stored.account.obtainedAtSeconds,
            overwrites: options.overwrites
        )
        switch placement {
        case .written: return .exported
        case .unchanged: return .unchanged
        case .refused: throw ExportFailure.conflict(uid, at: path)
        }
    }

    /// Writes accounts to files `<uid>/account.data` in a folder, which is made if it is missing.
    ///
    /// - Parameters:
    ///   - uids: whose accounts, each of which is written once; nil for all.
    ///   - folder: where to. One export at a time writes to it.
    ///   - observer: is told what becomes of each account.
    /// - Returns: how many were written, and which could not be.
    /// - Throws: what the repository throws, `CancellationError`, and ``FileError`` if the folder cannot be made, nothing can
    ///   be made in it, or the disk is full. An account that cannot be read or written does not keep the rest from it. What was
    ///   written before stays, and the same call goes on from there.
    public func writeAll(
        uids: [Int64]? = nil,
        to folder: FilePath,
        observer: (@Sendable (ExportEvent) -> Void)? = nil
    ) async throws -> ExportReport {
        var report = ExportReport()
        try await writeAll(uids: uids, to: folder, into: &report, observer: observer)
        return report
    }

    /// Writes accounts as ``writeAll(uids:to:observer:)`` does, and says in a report what was done, also where that is not all.
    ///
    /// They are read a part at a time, each part as it is at one moment, and written on threads of the exporter's own. Memory does
    /// not grow with their number. A task that is cancelled finishes what it is at, and throws then.
    ///
    /// - Parameters:
    ///   - uids: whose accounts, each of which is written once; nil for all.
    ///   - folder: where to. One export at a time writes to it.
    ///   - report: if the call throws, it has what was done before.
    ///   - observer: is told what becomes of each account.
    /// - Throws: what ``writeAll(uids:to:observer:)`` throws.
    public func writeAll(
        uids: [Int64]? = nil,
        to folder: FilePath,
        into report: inout ExportReport,
        observer: (@Sendable (ExportEvent) -> Void)? = nil
    ) async throws {
        let target = try ExportFolder(folder, overwrites: options.overwrites)
        var pipeline = ExportPipeline(
            ExportSource(repository, uids: uids, limit: ExportPipeline.chunkSize),
            writer: ExportWriter(archives: archives, folder: target),
            jobs: options.jobs,
            observer: observer
        )
        defer { report = pipeline.report }
        try await pipeline.run()
    }
}
