import Foundation
import KeyedArchive
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Files of a store that is open, among those that are read and written")
struct OpenStoreTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private var isLocked: Bool {
        ["", "-shm"].allSatisfy { RecordLocks.isHeld(on: folder.path + $0) }
    }

    private func archive(uid: Int64) throws -> [UInt8] {
        try StoredArchive(account: Account(uid: uid, accessToken: "2.00token", expiresIn: 10)).archiveData()
    }

    @Test("an import of the folder that holds the store passes its files over, and the store keeps its locks")
    func folderOfStore() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        try folder.directory.write(try archive(uid: 2), to: "account.data")
        #expect(isLocked)
        for _ in 0..<5 {
            let report = try await Importer(into: store).run([FilePath(folder.directory.path)])
            #expect(isLocked)
            #expect(report.passedOver == 3)
            #expect(report.rejected == 0)
            #expect(report.imported + report.skipped == 1)
            #expect(report.passedOverFiles.allSatisfy { $0.message.contains("this process has in use") })
        }
        // What had to be kept open is not kept more than once.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target.map { $0.hasPrefix(folder.path) } ?? false
        }
        #expect(descriptors < 40)
        #expect(try await store.count() == 2)
        try await store.close()
        let again = try await folder.open()
        #expect(try await again.check().isHealthy)
    }

    @Test("a file of the store that is named is refused, and says what it is", arguments: ["", "-wal", "-shm"])
    func named(suffix: String) async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        let report = try await Importer(into: store).run([FilePath(folder.path + suffix)])
        #expect(report.failures.map(\.code) == ["unreadable"])
        #expect(report.failures.first?.message.contains("this process has in use") == true)
        #expect(isLocked)
    }

    @Test("a file of the store is not written over", arguments: ["", "-wal", "-shm"])
    func written(suffix: String) async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        #expect(throws: FileError.self) { try FileWriter.write([1], to: FilePath(folder.path + suffix)) }
        #expect(isLocked)
        try await store.save(.sample(2))
        #expect(try await store.count() == 2)
    }

    @Test("a large file that is no archive is passed over in a folder, and one that may be an archive is not")
    func largeFiles() async throws {
        var options = ImportOptions()
        options.reading.limits.bytes = 10_000
        let store = try await folder.open()
        let other = try TemporaryDirectory()
        try other.write([UInt8](repeating: 7, count: 10_001), to: "blob")
        try other.write(Array("SQLite format 3\0".utf8) + [UInt8](repeating: 1, count: 20_000), to: "other.sqlite")
        let importer = Importer(into: store, options: options)
        let report = try await importer.run([FilePath(other.path)])
        #expect(report.passedOver == 2)
        #expect(report.failures.isEmpty)
        #expect(try await importer.run([FilePath(other.path(of: "blob"))]).failures.map(\.code) == ["tooLarge"])
        for beginning in [
            "bplist00", "bplist15", "<?xml version=\"1.0\"?>", "\u{FEFF} <plist>", "\u{4}\u{b}streamtyped",
        ] {
            try other.write(Array(beginning.utf8) + [UInt8](repeating: 32, count: 20_000), to: "archive")
            let report = try await importer.run([FilePath(other.path)])
            #expect(report.failures.map(\.code) == ["tooLarge"], "\(beginning)")
        }
    }

    @Test("a new store behind a symbolic link that leads nowhere is readable for its owner alone")
    func danglingLink() async throws {
        let target = folder.directory.path(of: "real.sqlite")
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: target)
        let store = try await folder.open()
        try await store.save(.sample(1))
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: target + suffix)
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(suffix)")
        }
        // What belongs to it is beside the file, not beside the link.
        try FileManager.default.removeItem(atPath: target + "-wal")
        let error = try await storeError { try await store.save(.sample(2)) }
        #expect(error.message.contains("real.sqlite-wal was removed or replaced"))
    }

    @Test("a store that was opened by a relative path is the same after the process went to another folder")
    func relativePath() async throws {
        await #expect(processExitsWith: .success) { [folder = folder.directory.path as String] in
            #expect(chdir(folder) == 0)
            let store = try await AccountStore(path: "accounts.sqlite")
            #expect(chdir("/") == 0)
            try await store.save(.sample(1))
            #expect(try await store.account(uid: 1) == .sample(1))
            #expect(try await store.check().isHealthy)
            try await store.backup(to: folder + "/copy.sqlite")
            try await store.close()
            exit(access("accounts.sqlite", F_OK) == 0 ? 1 : 0)
        }
    }

    @Test("a backup does not replace another program's database, but an empty one and a store")
    func foreignTarget() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        let target = folder.directory.path(of: "target.sqlite")
        try Connection(path: target).execute("CREATE TABLE photos (a); INSERT INTO photos VALUES (1)")
        let error = try await storeError { try await store.backup(to: target) }
        #expect(error.code == .notAStore)
        #expect(error.message.contains("it has \"photos\"") && error.message.contains("name another file"), "\(error)")
        #expect(try Connection(path: target).value("SELECT a FROM photos") == 1)
        try Connection(path: target).execute("DROP TABLE photos")
        try await store.backup(to: target)
        // A dump that was loaded again has no mark.
        try Connection(path: target).execute("PRAGMA application_id = 0")
        try await store.backup(to: target)
        let copy = try await AccountStore(path: target)
        #expect(try await copy.count() == 1)
    }

    @Test("any number of readers can be asked for", arguments: [Int.max, 100_000_000, 0, -1])
    func readers(number: Int) async throws {
        let store = try await folder.open { $0.readers = number }
        try await store.save(.sample(1))
        #expect(try await store.account(uid: 1) == .sample(1))
        #expect(store.pool.statistics.idleReaders == (number > 0 ? 1_024 : 1))
        try await store.close()
    }

    @Test("a read of a snapshot that begins after the limit is refused at once")
    func lateRead() async throws {
        let store = try await folder.open { $0.readTimeLimit = .milliseconds(100) }
        try await store.save(.sample(1))
        for reading in [
            { _ = try $0.account(uid: 1) }, { _ = try $0.accounts(uids: [1]) }, { _ = try $0.count() },
        ] as [@Sendable (AccountSnapshot) throws -> Void] {
            try await store.read { snapshot in
                usleep(110_000)
                let error = #expect(throws: StoreError.self) { try reading(snapshot) }
                #expect(error?.code == .timedOut)
            }
        }
        #expect(try await store.read { try $0.account(uid: 1) } == .sample(1))
    }
}
