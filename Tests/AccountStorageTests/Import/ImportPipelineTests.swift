import Foundation
import KeyValueCoding
import Synchronization
import TestSupport
import Testing

@testable import AccountStorage

@Suite("An import of many files")
struct ImportPipelineTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(folder.path).appending(name) }

    private func archive(uid: Int64, token: String) throws -> [UInt8] {
        try StoredArchive(account: Account(uid: uid, accessToken: token, expiresIn: 10)).archiveData()
    }

    private func write(_ bytes: [UInt8], to name: String, modified: Int64 = 1_000) throws {
        try FileWriter.makeFolder(path(name).parent)
        try FileWriter.write(bytes, to: path(name), modifiedAt: modified, syncs: false)
    }

    /// Good files, damaged ones, several of one user, and others.
    private func makeFiles(_ count: Int) throws {
        for index in 0..<count {
            let uid = Int64(index % 700)
            var bytes = try archive(uid: uid, token: "2.00\(index)")
            if index % 97 == 0 { bytes.removeLast(30) }
            if index % 89 == 0 { bytes = Array("no archive".utf8) }
            try write(bytes, to: "in/\(index % 13)/\(index).data", modified: Int64(1_000 + index * 31 % 500))
        }
    }

    private func store(_ name: String) async throws -> AccountStore {
        try await AccountStore(path: folder.path(of: name))
    }

    private func contents(_ store: AccountStore) async throws -> [Account] {
        var accounts: [Account] = []
        for try await account in store.accounts() { accounts.append(account) }
        return accounts
    }

    @Test(
        "comes to the same end with one thread and with many, and tells of the files in their order",
        arguments: ConflictRule.allCases
    )
    func threads(rule: ConflictRule) async throws {
        try makeFiles(1_500)
        var ends: [[Account]] = []
        for jobs in [1, 7] {
            let store = try await store("\(jobs).sqlite")
            let told = Mutex<[FilePath]>([])
            let options = ImportOptions(conflictRule: rule, jobs: jobs)
            let report = try await Importer(into: store, options: options).run([path("in")]) { event in
                switch event {
                case .imported(let path, _), .skipped(let path): told.withLock { $0.append(path) }
                case .refused(let failure), .passedOver(let failure): told.withLock { $0.append(failure.path) }
                case .conflict, .progress: break
                }
            }
            #expect(report.isBalanced)
            #expect(report.files == 1_500)
            #expect(report.rejected >= 15)
            let paths = told.withLock { $0.map(\.bytes) }
            #expect(paths.count == 1_500)
            #expect(paths == paths.sorted { $0.lexicographicallyPrecedes($1) })
            ends.append(try await contents(store))
            try await store.close()
        }
        #expect(ends[0] == ends[1])
        #expect(ends[0].count <= 700)
    }

    @Test("tells of each conflict which file won")
    func conflicts() async throws {
        let store = try await store("accounts.sqlite")
        try write(try archive(uid: 1, token: "old"), to: "in/a", modified: 1)
        try write(try archive(uid: 1, token: "new"), to: "in/b", modified: 3)
        try write(try archive(uid: 1, token: "between"), to: "in/c", modified: 2)
        let report = try await Importer(into: store).run([path("in")])
        #expect(report.outcomes.inserted == 1)
        #expect(report.outcomes.updated == 1)
        #expect(report.outcomes.kept == 1)
        #expect(report.conflictCount == 2)
        #expect(
            report.conflicts == [
                ImportConflict(uid: 1, loser: path("in/a"), winner: path("in/b")),
                ImportConflict(uid: 1, loser: path("in/c"), winner: path("in/b")),
            ]
        )
        // What an app has saved came from no file.
        try await store.save(
            Account(uid: 1, accessToken: "app", expiresIn: 1, obtainedAt: Date(timeIntervalSince1970: 9))
        )
        try write(try archive(uid: 1, token: "older"), to: "in/d", modified: 4)
        let again = try await Importer(into: store).run([path("in")])
        #expect(again.skipped == 3)
        #expect(again.conflicts == [ImportConflict(uid: 1, loser: path("in/d"), winner: nil)])
        try await store.close()
    }

    @Test("that is cancelled saves what it has read, and goes on from there")
    func cancellation() async throws {
        try makeFiles(1_500)
        let store = try await store("accounts.sqlite")
        let options = ImportOptions(jobs: 2)
        let paths = [path("in")]
        let task = Task {
            var report = ImportReport()
            do {
                try await Importer(into: store, options: options).run(paths, into: &report) { event in
                    if case .progress = event { withUnsafeCurrentTask { $0?.cancel() } }
                }
            } catch is CancellationError {
                return report
            }
            throw CocoaError(.featureUnsupported)
        }
        let first = try await task.value
        #expect(first.isBalanced)
        #expect(first.files > 0 && first.files < 1_500)
        let second = try await Importer(into: store, options: options).run(paths)
        #expect(second.skipped == first.imported)
        #expect(second.files == 1_500)
        let undisturbed = try await self.store("undisturbed.sqlite")
        _ = try await Importer(into: undisturbed, options: options).run(paths)
        #expect(try await contents(store) == contents(undisturbed))
        try await store.close()
        try await undisturbed.close()
    }

    @Test("keeps few bytes of large files in memory, and has all of them")
    func largeFiles() async throws {
        let store = try await store("accounts.sqlite")
        let count = 24
        for index in 0..<count {
            let account = Account(
                uid: Int64(index),
                accessToken: "t",
                expiresIn: 1,
                extras: ["note": .text(String(repeating: "x", count: 300_000))]
            )
            try write(try StoredArchive(account: account).archiveData(), to: "in/\(100 + index)")
        }
        let report = try await Importer(into: store).run([path("in")])
        #expect(report.imported == count)
        #expect(report.isBalanced)
        #expect(try await store.count() == count)
        try await store.close()
    }

    @Test("counts its files beforehand")
    func counting() async throws {
        try makeFiles(300)
        let importer = Importer(into: MemoryRepository())
        #expect(try await importer.countFiles([path("in"), path("in/1"), path("nowhere")]) == 300 + 23 + 1)
    }

    @Test("groups what was refused by what helps, for the most files first")
    func groups() async throws {
        var options = ArchiveWriteOptions()
        for index in 0..<6 {
            options.className = index < 4 ? "HWAccount" : "Other"
            let stored = StoredArchive(account: Account(uid: Int64(index), accessToken: "t", expiresIn: 1))
            try write(try stored.archiveData(options), to: "in/\(index)")
        }
        try write(Array(try archive(uid: 1, token: "t").dropLast(20)), to: "in/damaged")
        let report = try await Importer(into: MemoryRepository()).run([path("in")])
        let groups = report.failureGroups.mostFrequentFirst
        #expect(groups.map(\.count) == [4, 2, 1])
        #expect(groups.map(\.remedies) == [[.acceptClass("HWAccount")], [.acceptClass("Other")], []])
        #expect(groups[0].examples.map(\.path) == (0..<3).map { path("in/\($0)") })
    }
}
