internal import SQLiteBinding

/// Fetches accounts ahead of those that are written, writes them on several threads, and puts their files into their places on another,
/// which waits for the disk meanwhile.
///
/// What is fetched ahead and what waits for its place is bounded.
struct ExportPipeline: ~Copyable {
    /// How many accounts are fetched, and written by one thread, at a time.
    static let chunkSize = 256

    /// Accounts of which a sync has made files.
    private struct Publication: Sendable {
        var entries: [ExportEntry]
        var failure: FileError?
    }

    private let writer: ExportWriter
    private let threads: WorkerThreads
    private let publisher = WorkerThreads(1, name: "export sync")
    private let chunksAhead: Int
    private let groupSize: Int
    private let observer: (@Sendable (ExportEvent) -> Void)?
    private var source: ExportSource
    private var isRead = false
    private var ahead = FIFOQueue<WorkerThreads.Begun<ExportWriter.Chunk>>()
    /// The accounts that were written last.
    private var group: [ExportEntry] = []
    /// Those before, which are put into their places meanwhile.
    private var publishing: WorkerThreads.Begun<Publication>?
    private var hasPublished = false
    private var progress = ExportProgress(accounts: 0, rejected: 0)
    /// What was done so far.
    private(set) var report = ExportReport()

    /// - Parameters:
    ///   - source: what is exported.
    ///   - writer: what writes it.
    ///   - jobs: on how many threads.
    ///   - groupSize: how many accounts are put into their places with one sync.
    ///   - observer: is told what becomes of each account.
    init(
        _ source: ExportSource,
        writer: ExportWriter,
        jobs: Int,
        groupSize: Int = 8_192,
        observer: (@Sendable (ExportEvent) -> Void)?
    ) {
        self.source = source
        self.writer = writer
        self.groupSize = groupSize
        self.observer = observer
        let jobs = max(jobs, 1)
        threads = WorkerThreads(jobs, name: "export")
        chunksAhead = jobs * 2
    }

    /// Exports all.
    ///
    /// - Throws: what keeps the rest from being exported, and `CancellationError`. What was written before is in its place then,
    ///   and in ``report``.
    mutating func run() async throws {
        do {
            while let chunk = try await nextChunk() {
                take(chunk)
                if let failure = chunk.failure { throw failure }
                if group.count >= groupSize { try await publish(isLast: false) }
                try Task.checkCancellation()
            }
            try await publish(isLast: true)
        } catch {
            while let chunk = ahead.popFirst() { take(await chunk.value) }
            // What has failed first is what there is to tell.
            try? await publish(isLast: true)
            await finish()
            throw error
        }
        await finish()
    }

    private func finish() async {
        await threads.finish()
        await publisher.finish()
    }

    // MARK: Writing

    /// The next accounts, written; nil after the last.
    private mutating func nextChunk() async throws -> ExportWriter.Chunk? {
        while !isRead, ahead.count < chunksAhead {
            let items = try await source.next()
            if items.isEmpty {
                isRead = true
            } else {
                let writer = writer
                ahead.append(try threads.begin { writer.write(items) })
            }
        }
        return await ahead.popFirst()?.value
    }

    private mutating func take(_ chunk: ExportWriter.Chunk) {
        group += chunk.entries
        progress.accounts += chunk.entries.count
        progress.rejected += chunk.entries.count { if case .refused = $0.outcome { true } else { false } }
        observer?(.progress(progress))
    }

    // MARK: Publishing

    /// Begins to put the group into its place, once that is done with the one before; the last one is waited for.
    private mutating func publish(isLast: Bool) async throws {
        try await awaitPublication()
        let entries = group
        group = []
        let (folder, isFirst) = (writer.folder, !hasPublished)
        hasPublished = true
        publishing = try publisher.begin {
            var publication = Publication(entries: entries)
            do throws(FileError) {
                try folder.publish(&publication.entries, isFirst: isFirst, isLast: isLast)
            } catch {
                publication.failure = error
            }
            return publication
        }
        if isLast { try await awaitPublication() }
    }

    private mutating func awaitPublication() async throws {
        guard let publication = await publishing?.value else { return }
        publishing = nil
        for entry in publication.entries { tell(entry) }
        if let failure = publication.failure { throw failure }
    }

    /// Counts an account, and tells of it. One that is still staged has gone with a failure.
    private mutating func tell(_ entry: ExportEntry) {
        switch entry.outcome {
        case .staged: break
        case .written:
            report.exported += 1
            observer?(.exported(uid: entry.uid, writer.folder.place(of: entry.uid)))
        case .unchanged:
            report.unchanged += 1
            observer?(.unchanged(uid: entry.uid, writer.folder.place(of: entry.uid)))
        case .refused(let failure):
            report.refuse(failure)
            observer?(.refused(failure))
        }
    }
}
