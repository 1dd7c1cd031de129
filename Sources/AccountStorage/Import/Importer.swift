internal import KeyValueCoding
internal import KeyedArchive
internal import SQLiteBinding

/// Brings archives, and folders of archives, into a repository.
///
/// Files count in the order of the paths given and, in a folder, of the bytes of their paths, whatever the order in which they
/// are read: of several files of one user, the rule meets the accounts in that order. They are saved in transactions of 65,536 files or half a
/// second, about, with the record of the files, so that an import that was stopped goes on where it was, and comes to the same end.
///
/// Folders are walked, and files read, on threads of the importer's own. Memory does not grow with the number of files.
public struct Importer: Sendable {
    private let repository: any AccountRepository
    private let options: ImportOptions
    private let reader: ImportFileReader

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
    ///   - observer: is told what becomes of each file.
    /// - Returns: what was done, and why files were refused.
    /// - Throws: what the repository throws, ``FileError`` if the quarantine's folder cannot be made, and `CancellationError`; what was saved
    ///   before stays, and the same call goes on from there.
    public func run(
        _ paths: [FilePath],
        observer: (@Sendable (ImportEvent) -> Void)? = nil
    ) async throws -> ImportReport {
        var report = ImportReport()
        try await run(paths, into: &report, observer: observer)
        return report
    }

    /// Imports as ``run(_:observer:)`` does, and counts in a report what was done, also where that is not all.
    ///
    /// A task that is cancelled saves what was read, and throws then.
    ///
    /// - Parameters:
    ///   - paths: archives, and folders with archives in them or in folders below.
    ///   - report: what is added to; if the call throws, it has what was saved and refused before.
    ///   - observer: is told what becomes of each file.
    /// - Throws: what ``run(_:observer:)`` throws.
    public func run(
        _ paths: [FilePath],
        into report: inout ImportReport,
        observer: (@Sendable (ImportEvent) -> Void)? = nil
    ) async throws {
        let quarantine = try openQuarantine(importing: paths)
        let source = ImportSource(paths, leavingOut: quarantine)
        var pipeline = ImportPipeline(source, reader: reader, repository: repository, options: options)
        var saver = ImportSaver(repository, options: options, quarantine: quarantine, observer: observer)
        defer { report.add(saver.report) }
        do {
            while let readings = try await pipeline.next() {
                try await saver.add(readings)
                try Task.checkCancellation()
            }
            try await saver.save()
        } catch {
            await pipeline.end()
            // What was handed over is saved, and what was read as well if somebody stops the import.
            if error is CancellationError { try await saver.save() } else { try? await saver.commit() }
            throw error
        }
        await pipeline.end()
        try saver.checkSums(filesFound: pipeline.filesFound)
    }

    /// Counts the files and paths that an import would look at, which takes a walk of its own.
    public func countFiles(_ paths: [FilePath]) async throws -> Int {
        let source = Monitor(ImportSource(paths, leavingOut: try openQuarantine(importing: paths)))
        let threads = WorkerThreads(1, name: "import-count")
        var count = 0
        while !Task.isCancelled {
            let found = try await threads.begin { source.withLock { $0.next(4_096).count } }.value
            if found == 0 { break }
            count += found
        }
        await threads.finish()
        return count
    }

    /// Imports an archive that is in no file, such as one that comes in on standard input. It has no time of last change.
    ///
    /// - Parameters:
    ///   - archive: the content.
    ///   - name: what a failure calls it.
    ///   - observer: is told what becomes of it.
    /// - Returns: what was done, and why it was refused if it was.
    /// - Throws: what the repository throws, and ``FileError`` if the quarantine's folder cannot be made.
    public func run(
        archive: [UInt8],
        name: String,
        observer: (@Sendable (ImportEvent) -> Void)? = nil
    ) async throws -> ImportReport {
        let path = FilePath(name)
        let identity = FileIdentity(path: path.bytes, size: Int64(archive.count), modifiedAt: 0)
        let root = ImportRoot(path, resolvedPath: path, isFile: true)
        let candidate = ImportCandidate(root: root, absolutePath: path.bytes)
        let quarantine = try openQuarantine(importing: [])
        var saver = ImportSaver(repository, options: options, quarantine: quarantine, observer: observer)
        try await saver.add([reader.read(archive, modifiedAt: nil, as: candidate, identity)])
        try await saver.save()
        return saver.report
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
}
