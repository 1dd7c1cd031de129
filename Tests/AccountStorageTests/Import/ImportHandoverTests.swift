import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("The handover of an import")
struct ImportHandoverTests {
    private static func handover(files: Int = .max, patience: Duration = .seconds(600)) -> ImportHandover {
        ImportHandover(ImportHandover.Limits(files: files, time: .seconds(600), patience: patience))
    }

    private static func files(_ count: Int) -> [ImportedFile] {
        (0..<count).map {
            ImportedFile(identity: FileIdentity(path: [UInt8($0)], size: 1, modifiedAt: 1), accounts: [])
        }
    }

    /// Takes batches on a thread of its own until there are no more, and gives how many files they had.
    private static func take(_ handover: ImportHandover) throws -> WorkerThreads.Begun<[Int]> {
        try WorkerThreads(1, name: "handover").begin {
            var counts: [Int] = []
            while let files = handover.next() {
                counts.append(files.count)
                handover.finish(files.map { _ in .conflict(uid: 1) })
            }
            return counts
        }
    }

    @Test("gives each batch once, in their order, and an outcome of each")
    func order() async throws {
        let handover = Self.handover()
        let taken = try Self.take(handover)
        for count in 1...50 { #expect(await handover.put(Self.files(count))) }
        handover.end()
        #expect(await taken.value == Array(1...50))
        #expect(handover.takeOutcomes().map(\.count) == Array(1...50))
        #expect(handover.takeOutcomes().isEmpty)
        #expect(await !handover.put(Self.files(1)))
    }

    @Test("ends when it has had its files, and has no outcome of a batch that was not taken")
    func long() async throws {
        let handover = Self.handover(files: 10)
        let taken = try Self.take(handover)
        var put = 0
        while await handover.put(Self.files(4)) { put += 1 }
        #expect(await taken.value == [4, 4, 4])
        #expect(put == 3 || put == 4)
        #expect(handover.takeOutcomes().count == 3)
    }

    @Test("ends when nothing comes for a moment")
    func slow() async throws {
        let handover = Self.handover(patience: .milliseconds(5))
        #expect(await handover.put(Self.files(1)))
        #expect(await (try Self.take(handover)).value == [1])
        #expect(await !handover.put(Self.files(1)))
    }

    @Test("a reader that waits for room goes on when the writer has failed")
    func failure() async throws {
        let handover = Self.handover()
        #expect(await handover.put(Self.files(1)))
        let waiting = Task { await handover.put(Self.files(1)) }
        try await Task.sleep(for: .milliseconds(5))
        handover.close()
        #expect(await !waiting.value)
    }
}

@Suite("Saving what an import has read")
struct ImportSaverTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Readings as a folder gives them: accounts of few users, and in between what is refused, skipped and passed over.
    private static func readings(_ count: Int) -> [ImportReading] {
        let root = ImportRoot(FilePath("in"), resolvedPath: FilePath("/in"), isFile: false)
        let archive = try? ArchivedAccount.accounts(
            in: ArchiveFixtures.bytes(ArchiveFixtures.archives(in: "expected")[0]),
            options: ArchiveReadOptions(classes: ["*"])
        )
        return (0..<count).map { number in
            let path = Array("/in/\(String(number + 100_000))".utf8)
            let candidate = ImportCandidate(root: root, absolutePath: path)
            let failure = ImportFailure(path: candidate.path, code: "badRoot", message: "\(number)")
            switch number % 10 {
            case 3: return .refused(failure, nil)
            case 6: return .skipped(candidate)
            case 8: return .passedOver(failure)
            default:
                guard var account = archive?.first else { return .refused(failure, nil) }
                account.account.uid = Int64(number * number % 97)
                account.account.expiresIn = Int64(number % 7)
                let identity = FileIdentity(path: path, size: 1, modifiedAt: Int64(number))
                return .accounts(ImportedFile(identity: identity, accounts: [account]), candidate)
            }
        }
    }

    private static func description(of event: ImportEvent) -> String? {
        switch event {
        case .imported(let path, let outcomes): "\(path) \(outcomes)"
        case .skipped(let path): "\(path) skipped"
        case .passedOver(let failure), .refused(let failure): "\(failure.path) \(failure.message)"
        case .conflict(let conflict): "\(conflict)"
        case .progress: nil
        }
    }

    @Test("comes to the same end, and tells the same, whatever is in one transaction", arguments: ConflictRule.allCases)
    func sizes(rule: ConflictRule) async throws {
        var ends: [(events: [String], accounts: [Account], report: ImportReport)] = []
        for (batch, files) in [(4_096, 65_536), (7, 20), (1, 1), (50, 1_000)] {
            let store = try await AccountStore(path: folder.directory.path(of: "\(batch).sqlite"))
            let events = Monitor<[String]>([])
            var saver = ImportSaver(
                store,
                options: ImportOptions(conflictRule: rule),
                sizes: ImportSaver.Sizes(batch: batch, transaction: ImportHandover.Limits(files: files)),
                quarantine: nil
            ) { event in
                if let line = Self.description(of: event) { events.withLock { $0.append(line) } }
            }
            let readings = Self.readings(600)
            for start in stride(from: 0, to: readings.count, by: 40) {
                try await saver.add(Array(readings[start..<min(start + 40, readings.count)]))
            }
            try await saver.save()
            try saver.checkSums(filesFound: readings.count)
            ends.append((events.withLock { $0 }, try await store.accounts().collected(), saver.report))
            try await store.close()
        }
        let first = ends[0]
        #expect(first.report.rejected >= 60 && first.report.skipped == 60 && first.report.passedOver == 60)
        #expect(first.report.conflictCount > 0 || rule == .fail)
        for end in ends.dropFirst() {
            #expect(end.events == first.events)
            #expect(end.accounts == first.accounts)
            #expect(end.report.outcomes == first.report.outcomes)
            #expect(end.report.conflicts == first.report.conflicts)
            #expect(end.report.failures.map(\.message) == first.report.failures.map(\.message))
        }
    }

    @Test("of a transaction that fails nothing counts as imported, and what was refused is told of all the same")
    func failure() async throws {
        let store = try await folder.open()
        try folder.sql(
            "CREATE TRIGGER stop BEFORE INSERT ON accounts WHEN new.uid = 96 BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        let told = Monitor<[String]>([])
        var saver = ImportSaver(
            store,
            options: ImportOptions(conflictRule: .keep),
            sizes: ImportSaver.Sizes(
                batch: 10,
                transaction: ImportHandover.Limits(files: .max, time: .seconds(600), patience: .seconds(600))
            ),
            quarantine: nil
        ) { event in
            if let line = Self.description(of: event) { told.withLock { $0.append(line) } }
        }
        let readings = Self.readings(200)
        await #expect(throws: StoreError.self) {
            for reading in readings { try await saver.add([reading]) }
            try await saver.save()
        }
        #expect(saver.report.isBalanced)
        #expect(saver.report.imported == 0 && saver.report.accounts == 0 && saver.report.conflictCount == 0)
        #expect(saver.report.rejected > 0)
        #expect(told.withLock { $0 }.allSatisfy { !$0.contains("Outcome") && !$0.contains("winner") })
        #expect(try await store.count() == 0)
        // It can go on.
        try folder.sql("DROP TRIGGER stop")
        try await saver.add(readings)
        try await saver.save()
        #expect(try await store.count() > 0)
        try await store.close()
    }
}
