internal import SQLiteBinding

/// Walks and reads the files of an import ahead of what is saved, on several threads, and gives what they hold in the order of the
/// files.
///
/// A bounded number of chunks is read ahead; which of their files need not be read is looked up before.
struct ImportPipeline {
    /// What is read at a time by one thread.
    private struct Chunk: Sendable {
        var events: ArraySlice<ImportSource.Event>
        /// What the files were when they were imported, by the indices of the events; empty if none was.
        var known: [FileIdentity?]
    }

    /// What a thread has read.
    private struct ChunkReading: Sendable {
        var readings: [ImportReading]
        /// What is still to be read, since what was read takes much memory already.
        var rest: Chunk?
    }

    /// How many files a chunk has.
    private static let chunkSize = 512
    /// How many chunks are read ahead.
    private static let chunksAhead = 16
    /// How many bytes of files a chunk keeps in memory before the rest has to wait.
    private static let chunkBytes = 1 << 20

    private let source: Monitor<ImportSource>
    private let reader: ImportFileReader
    private let repository: any AccountRepository
    private let looksUp: Bool
    private let threads: WorkerThreads
    private var listing: WorkerThreads.Begun<[ImportSource.Event]>?
    private var isListed = false
    private var ahead = FIFOQueue<WorkerThreads.Begun<ChunkReading>>()
    private var rest: WorkerThreads.Begun<ChunkReading>?
    /// How many files and paths were found so far.
    private(set) var filesFound = 0

    init(
        _ source: ImportSource,
        reader: ImportFileReader,
        repository: any AccountRepository,
        options: ImportOptions
    ) {
        self.source = Monitor(source)
        self.reader = reader
        self.repository = repository
        looksUp = !options.readsUnchangedFiles
        threads = WorkerThreads(max(options.jobs, 1), name: "import")
    }

    /// What the next files hold; nil after the last.
    mutating func next() async throws -> [ImportReading]? {
        try await readAhead()
        guard let chunk = rest ?? ahead.popFirst() else { return nil }
        let reading = await chunk.value
        rest = try reading.rest.map(begin)
        return reading.readings
    }

    /// Ends the threads, once they have read what was begun.
    func end() async {
        await threads.finish()
    }

    private mutating func readAhead() async throws {
        while !isListed, ahead.count < Self.chunksAhead {
            let events = try await (listing ?? beginListing()).value
            if events.isEmpty {
                isListed = true
                listing = nil
                return
            }
            listing = try beginListing()
            filesFound += events.count
            ahead.append(try begin(Chunk(events: events[...], known: try await known(among: events))))
        }
    }

    private func beginListing() throws -> WorkerThreads.Begun<[ImportSource.Event]> {
        let source = source
        return try threads.begin { source.withLock { $0.next(Self.chunkSize) } }
    }

    /// What the files were when they were imported; empty if none was.
    private func known(among events: [ImportSource.Event]) async throws -> [FileIdentity?] {
        guard looksUp else { return [] }
        let paths = events.map { event in
            if case .candidate(let candidate) = event { candidate.absolutePath } else { [UInt8]() }
        }
        let known = try await repository.importedFiles(at: paths)
        return known.contains { $0 != nil } ? known : []
    }

    private func begin(_ chunk: Chunk) throws -> WorkerThreads.Begun<ChunkReading> {
        let reader = reader
        return try threads.begin { Self.read(chunk, with: reader) }
    }

    private static func read(_ chunk: Chunk, with reader: ImportFileReader) -> ChunkReading {
        var readings: [ImportReading] = []
        readings.reserveCapacity(chunk.events.count)
        var size = 0
        for index in chunk.events.indices {
            let known = chunk.known.isEmpty ? nil : chunk.known[index]
            let reading = read(chunk.events[index], known: known, with: reader)
            size += reading.size
            readings.append(reading)
            let rest = chunk.events[(index + 1)...]
            if size > chunkBytes, !rest.isEmpty {
                return ChunkReading(readings: readings, rest: Chunk(events: rest, known: chunk.known))
            }
        }
        return ChunkReading(readings: readings, rest: nil)
    }

    private static func read(
        _ event: ImportSource.Event,
        known: FileIdentity?,
        with reader: ImportFileReader
    ) -> ImportReading {
        switch event {
        case .candidate(let candidate): reader.read(candidate, known: known)
        case .passedOver(let path):
            .passedOver(
                ImportFailure(path: path, code: StoreError.Code.unreadable.rawValue, message: "no regular file")
            )
        case .failure(let error): .refused(ImportFailure(error), nil)
        }
    }
}
