import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountStorage

@Suite("An export of many accounts")
struct ExporterTests {
    private let folder: StoreFolder
    private let target: ExportTarget

    init() throws {
        folder = try StoreFolder()
        target = try ExportTarget()
    }

    /// What an export has told of, without its progress.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func take(_ event: ExportEvent) {
            let line: String? =
                switch event {
                case .exported(let uid, _): "exported \(uid)"
                case .unchanged(let uid, _): "unchanged \(uid)"
                case .refused(let failure): "\(failure.code) \(failure.uid)"
                case .progress: nil
                }
            if let line { lines.withLock { $0.append(line) } }
        }
    }

    @Test(
        "gives the files that an export of each by itself gives, however many threads write",
        arguments: Effort.isBrief ? [7] : [1, 2, 7]
    )
    func equalsSingleExports(jobs: Int) async throws {
        let store = try await folder.open()
        try await store.fillWithForms()
        let expected = try await store.expectedFiles()
        try #require(expected.count > 500)
        let report = try await Exporter(from: store, options: ExportOptions(jobs: jobs)).writeAll(to: target.path)
        #expect(report.exported == expected.count && report.accounts == expected.count)
        #expect(try target.files() == expected)
        let one = FilePath(target.directory.path(of: "one"))
        for uid in [-20, 1, 41, 200] as [Int64] {
            #expect(try await Exporter(from: store).write(uid: uid, to: one) == .exported)
            #expect(FileManager.default.contents(atPath: one.description).map { [UInt8]($0) } == target.file(uid))
            try FileManager.default.removeItem(atPath: one.description)
        }
        try await store.close()
    }

    @Test(
        "comes to the same end in small pieces with many syncs, in the order of the uids",
        arguments: Effort.isBrief ? [3] : [1, 3, 64]
    )
    func smallPieces(size: Int) async throws {
        let store = try await folder.open()
        try await store.fillWithForms()
        let log = Log()
        let writer = ExportWriter(
            archives: AccountArchiveWriter(),
            folder: try ExportFolder(target.path, overwrites: false)
        )
        var pipeline = ExportPipeline(
            ExportSource(store, uids: nil, limit: size),
            writer: writer,
            jobs: 3,
            groupSize: size * 20,
            observer: log.take
        )
        try await pipeline.run()
        #expect(try await target.files() == store.expectedFiles())
        let uids = try await store.uids(after: nil, limit: .max)
        #expect(log.all == uids.map { "exported \($0)" })
        #expect(pipeline.report.exported == log.all.count)
        try await store.close()
    }

    @Test("of no accounts makes the folder")
    func noAccounts() async throws {
        let store = try await folder.open()
        #expect(try await Exporter(from: store).writeAll(to: target.path) == ExportReport())
        #expect(try await Exporter(from: store).writeAll(uids: [], to: target.path) == ExportReport())
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path.description) == [])
        try await store.close()
    }

    @Test("takes any uid, and the time of issue for the file's")
    func uidsAndTimes() async throws {
        let store = try await folder.open()
        let times: [Int64: Int64] = [.min: 0, -1: -1, 0: 1, 1: 1_577_836_800, .max: 4_000_000_000]
        try await store.save(times.map { .sample($0, obtainedAt: $1) })
        try await store.save(.sample(7))
        let begin = Date()
        let report = try await Exporter(from: store).writeAll(to: target.path)
        #expect(report.exported == 6)
        for (uid, time) in times { #expect(try target.modifiedAt(uid) == time * 1_000_000_000) }
        #expect(try Double(target.modifiedAt(7)) / 1e9 >= begin.timeIntervalSince1970 - 1)
        #expect(try await target.files() == store.expectedFiles())
        try await store.close()
    }

    @Test("of named accounts writes each once, and tells which are not there")
    func named() async throws {
        let store = try await folder.open()
        try await store.save((1...5).map { .sample($0) })
        let log = Log()
        let report = try await Exporter(from: store).writeAll(uids: [4, 9, 2, 4], to: target.path) { log.take($0) }
        #expect(log.all == ["exported 4", "noAccount 9", "exported 2"])
        #expect(report.exported == 2 && report.rejected == 1)
        #expect(report.failures == [ExportFailure(uid: 9, code: "noAccount", message: "there is no account of uid 9")])
        #expect(try target.files().keys.sorted() == ["2/account.data", "4/account.data"])
        try await store.close()
    }

    @Test("that is repeated leaves the files alone, but for their times")
    func repeated() async throws {
        let store = try await folder.open()
        try await store.save((1...300).map { .sample($0, obtainedAt: 1_000_000) })
        let exporter = Exporter(from: store)
        _ = try await exporter.writeAll(to: target.path)
        let inode = try FileManager.default.attributesOfItem(atPath: target.place(9))[.systemFileNumber] as? Int
        try FileManager.default.removeItem(atPath: target.place(5))
        try await store.save(.sample(9, obtainedAt: 2_000_000))
        let report = try await exporter.writeAll(to: target.path)
        #expect(report.exported == 1 && report.unchanged == 299 && report.rejected == 0)
        #expect(try await target.files() == store.expectedFiles())
        #expect(try target.modifiedAt(9) == 2_000_000 * 1_000_000_000)
        #expect(try FileManager.default.attributesOfItem(atPath: target.place(9))[.systemFileNumber] as? Int == inode)
        try await store.close()
    }

    @Test("leaves files with other content alone unless it is to overwrite them")
    func overwriting() async throws {
        let store = try await folder.open()
        try await store.save((1...4).map { .sample($0, obtainedAt: 1_000_000) })
        let expected = try await store.expectedFiles()
        let same = try #require(expected["3/account.data"])
        try target.write("mine", 1)
        try target.write("", 2)
        try target.directory.write(same, to: "out/3/account.data")
        let log = Log()
        let report = try await Exporter(from: store).writeAll(to: target.path) { log.take($0) }
        #expect(log.all == ["conflict 1", "conflict 2", "unchanged 3", "exported 4"])
        #expect(report.failures.map(\.isConflict) == [true, true])
        #expect(report.failures[0].message == "\(target.place(1)): a file with other content is there already")
        #expect(target.file(1) == Array("mine".utf8) && target.file(2) == [])
        let options = ExportOptions(overwrites: true)
        let forced = try await Exporter(from: store, options: options).writeAll(to: target.path)
        #expect(forced.exported == 2 && forced.unchanged == 2)
        #expect(try target.files() == expected)
        #expect(try target.modifiedAt(1) == 1_000_000 * 1_000_000_000)
        try await store.close()
    }

    @Test("takes away what an interrupted one has left, and nothing else")
    func leftovers() async throws {
        let store = try await folder.open()
        try await store.save((1...3).map { .sample($0) })
        _ = try await Exporter(from: store).writeAll(uids: [1], to: target.path)
        try target.write("half", 1, name: ".account.data.part")
        try target.write("half", 2, name: ".account.data.part")
        try target.write("mine", 3)
        try target.write("half", 3, name: ".account.data.part")
        try target.write("notes", 3, name: "notes.txt")
        let report = try await Exporter(from: store).writeAll(to: target.path)
        #expect(report.exported == 1 && report.unchanged == 1 && report.rejected == 1)
        #expect(
            try target.files().keys.sorted() == [
                "1/account.data", "2/account.data", "3/account.data", "3/notes.txt",
            ]
        )
        try await store.close()
    }

    @Test("writes to a folder that no other export is writing to")
    func oneAtATime() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        do {
            let other = try ExportFolder(target.path, overwrites: false)
            let error = await #expect(throws: FileError.self) {
                try await Exporter(from: store).writeAll(to: target.path)
            }
            #expect(error?.reason.hasPrefix("another export is writing to it") == true)
            withExtendedLifetime(other) {}
        }
        #expect(try await Exporter(from: store).writeAll(to: target.path).exported == 1)
        try await store.close()
    }

    @Test("follows links, and replaces what they lead to only if it is to overwrite")
    func links() async throws {
        let store = try await folder.open()
        try await store.save((1...4).map { .sample($0) })
        try target.directory.write([], to: "elsewhere/old")
        let elsewhere = target.directory.path(of: "elsewhere")
        try target.write("mine", 2, name: "old")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: "\(target.path)/1", withDestinationPath: elsewhere)
        try files.createSymbolicLink(atPath: target.place(2), withDestinationPath: "old")
        try target.write("", 3, name: "unused")
        try files.createSymbolicLink(atPath: target.place(3), withDestinationPath: "nothing")
        try files.createSymbolicLink(atPath: "\(target.path)/4", withDestinationPath: "nothing")
        let report = try await Exporter(from: store).writeAll(to: target.path)
        #expect(report.exported == 1)
        #expect(report.failures.map { "\($0.uid) \($0.code)" } == ["2 conflict", "3 conflict", "4 unreadable"])
        let expected = try await store.expectedFiles()
        #expect(files.contents(atPath: "\(elsewhere)/account.data").map { [UInt8]($0) } == expected["1/account.data"])
        let options = ExportOptions(overwrites: true)
        #expect(try await Exporter(from: store, options: options).writeAll(to: target.path).exported == 2)
        #expect(try files.destinationOfSymbolicLink(atPath: target.place(2)) == "old")
        #expect(target.file(2) == expected["2/account.data"] && target.file(3) == expected["3/account.data"])
        try await store.close()
    }

    @Test("tells of what stands in the place of a folder or a file, and writes the others")
    func obstacles() async throws {
        let store = try await folder.open()
        try await store.save((1...4).map { .sample($0) })
        try target.directory.write([], to: "out/1")
        try target.directory.write([], to: "out/2/account.data/inner")
        #expect(mkdir("\(target.path)/3", 0o700) == 0 && mkfifo(target.place(3), 0o600) == 0)
        let report = try await Exporter(from: store).writeAll(to: target.path)
        #expect(report.exported == 1)
        #expect(report.failures.map(\.uid) == [1, 2, 3])
        #expect(report.failures.allSatisfy { $0.code == "unreadable" })
        try await store.close()
    }

    @Test("does not fetch further ahead than it has to, however many accounts there are")
    func lookAhead() async throws {
        let counts = Mutex((fetched: 0, done: 0, most: 0))
        let repository = EndlessRepository(size: 4_000) { count in
            counts.withLock {
                $0.fetched += count
                $0.most = max($0.most, $0.fetched - $0.done)
            }
        }
        let writer = ExportWriter(
            archives: AccountArchiveWriter(),
            folder: try ExportFolder(target.path, overwrites: false)
        )
        var pipeline = ExportPipeline(
            ExportSource(repository, uids: nil, limit: 16),
            writer: writer,
            jobs: 2,
            groupSize: 64,
            observer: { event in
                if case .exported = event { counts.withLock { $0.done += 1 } }
            }
        )
        try await pipeline.run()
        let (fetched, done, most) = counts.withLock { $0 }
        #expect(fetched == 4_000 && done == 4_000)
        // A group that is put into its place, one that is filled, and chunks for two threads.
        #expect(most <= 64 + 64 + 16 + 4 * 16, "\(most) accounts in memory")
    }

    @Test("that is cancelled has what it has written in place, and goes on from there")
    func cancelled() async throws {
        let repository = EndlessRepository(size: 100_000) { _ in }
        let told = Mutex(0)
        let task = Task {
            var report = ExportReport()
            do {
                try await Exporter(from: repository).writeAll(to: target.path, into: &report) { event in
                    if case .progress = event { told.withLock { $0 += 1 } }
                }
                Issue.record("it was not cancelled")
            } catch {
                #expect(error is CancellationError)
            }
            return report
        }
        while told.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let report = await task.value
        #expect(report.exported > 0 && report.exported < 100_000 && report.rejected == 0)
        let files = try target.files()
        #expect(files.count == report.exported, "each that is written is in its place")
        #expect(files.keys.allSatisfy { $0.hasSuffix("/account.data") })
        let rest = EndlessRepository(size: Int64(report.exported) + 10) { _ in }
        let second = try await Exporter(from: rest).writeAll(to: target.path)
        #expect(second.unchanged == report.exported && second.exported == 10)
    }
}
