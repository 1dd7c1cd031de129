internal import Glibc
internal import KeyedArchive

/// Writes accounts of a repository as archives.
///
/// Each file is there as a whole or not at all, can be read by its owner alone, and has the time at which the token was
/// issued for its time of last change, so that importing it gives the same account again.
public struct Exporter: Sendable {
    private let repository: any AccountRepository
    private let archives: AccountArchiveWriter

    /// How many uids are fetched at a time.
    private static let pageSize = 1_024

    /// Makes an exporter.
    public init(from repository: any AccountRepository, options: ArchiveWriteOptions = ArchiveWriteOptions()) {
        self.repository = repository
        archives = AccountArchiveWriter(options: options)
    }

    /// The archive of one account; nil if there is no account of the uid.
    ///
    /// - Throws: what the repository throws, and `ArchiveError` for a value that an archive cannot hold.
    public func data(uid: Int64) async throws -> [UInt8]? {
        guard let stored = try await repository.storedArchive(uid: uid) else { return nil }
        return try archives.data(for: stored)
    }

    /// Writes one account to a file, and says whether there is one.
    ///
    /// - Throws: what ``data(uid:)`` throws, and ``FileError``.
    public func write(uid: Int64, to path: FilePath) async throws -> Bool {
        guard let stored = try await repository.storedArchive(uid: uid) else { return false }
        try FileWriter.write(try archives.data(for: stored), to: path, modifiedAt: stored.account.obtainedAtSeconds)
        return true
    }

    /// Writes accounts to files `<uid>/account.data` in a folder, which is made if it is missing.
    ///
    /// - Parameters:
    ///   - uids: whose accounts; nil for all.
    ///   - folder: where to.
    ///   - progress: called after each account, with how many there were.
    /// - Returns: how many were written, and which could not be.
    /// - Throws: what the repository throws, `CancellationError`, and ``FileError`` if the folder cannot be made, nothing can
    ///   be made in it, or the disk is full. An account that cannot be read or written does not keep the rest from it.
    public func writeAll(
        uids: [Int64]? = nil,
        to folder: FilePath,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> ExportReport {
        try FileWriter.makeFolder(folder)
        var report = ExportReport()
        if let uids {
            for uid in uids { try await add(uid, in: folder, to: &report, progress: progress) }
        } else {
            var page = try await repository.uids(after: nil, limit: Self.pageSize)
            while let last = page.last {
                for uid in page { try await add(uid, in: folder, to: &report, progress: progress) }
                page = try await repository.uids(after: last, limit: Self.pageSize)
            }
        }
        return report
    }

    private func add(
        _ uid: Int64,
        in folder: FilePath,
        to report: inout ExportReport,
        progress: (@Sendable (Int) -> Void)?
    ) async throws {
        try Task.checkCancellation()
        do {
            let place = folder.appending(String(uid))
            guard let stored = try await repository.storedArchive(uid: uid) else {
                report.failures.append(ExportFailure(uid: uid, message: "there is no account of uid \(uid)"))
                return
            }
            let data = try archives.data(for: stored)
            try makeFolder(place, in: folder)
            try FileWriter.write(
                data,
                to: place.appending("account.data"),
                modifiedAt: stored.account.obtainedAtSeconds
            )
            report.exported += 1
        } catch let error as StoreError where error.code == .badRow {
            report.failures.append(ExportFailure(uid: uid, message: error.description))
        } catch let error as ArchiveError {
            report.failures.append(ExportFailure(uid: uid, message: error.description))
        } catch let error as FileError where !error.isDiskFull && error.path != folder {
            report.failures.append(ExportFailure(uid: uid, message: error.description))
        }
        progress?(report.exported + report.failures.count)
    }
}

extension Exporter {
    /// Makes the folder of an account.
    ///
    /// - Throws: ``FileError`` about the folder of the export if it can get no folder, be it this one or another.
    private func makeFolder(_ place: FilePath, in folder: FilePath) throws(FileError) {
        do throws(FileError) {
            try FileWriter.makeFolder(place)
        } catch {
            if error.isDiskFull || error.errorNumber == EEXIST || error.errorNumber == ENOTDIR { throw error }
            throw .system("make folders in it", folder, errorNumber: error.errorNumber)
        }
    }
}

/// What an export has done.
public struct ExportReport: Sendable, Hashable {
    /// How many accounts were written.
    public var exported = 0
    /// The accounts that were not.
    public var failures: [ExportFailure] = []

    /// Makes a report, of nothing.
    public init() {}
}

/// Why an account was not exported.
public struct ExportFailure: Sendable, Hashable {
    /// Whose account.
    public var uid: Int64
    /// What happened and what can be done, on one line.
    public var message: String

    /// Makes a failure.
    public init(uid: Int64, message: String) {
        self.uid = uid
        self.message = message
    }
}
