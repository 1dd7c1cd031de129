import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A store whose files go, or are replaced")
struct MissingFileTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func remove(_ suffix: String) throws {
        try FileManager.default.removeItem(atPath: folder.path + suffix)
    }

    private func expectRefusal(of store: AccountStore, naming file: String) async throws {
        for save in [
            { try await store.save(.sample(2)) }, { try await store.save((10..<40).map { .sample($0) }) },
            { try await store.remove(uid: 1) },
        ] as [() async throws -> Any] {
            let error = try await storeError { _ = try await save() }
            #expect(error.code == .unreadable)
            #expect(error.message.contains("\(file) was removed or replaced while the database was open"))
            #expect(error.message.contains("in every process that uses it") && error.message.contains("opened again"))
        }
    }

    @Test("while it is in use refuses to save into a file that nobody would find")
    func removed() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        try remove("")
        try await expectRefusal(of: store, naming: folder.path)
        let error = try await storeError { _ = try await store.account(uid: 1) }
        #expect(error.message.contains("was removed or replaced"))
        try await store.close()
        let fresh = try await folder.open()
        #expect(try await fresh.count() == 0)
        try await fresh.save(.sample(5))
        #expect(try await fresh.check().isHealthy)
    }

    @Test("while it is in use does not touch the store that came in its place", arguments: [1, 4])
    func replaced(readers: Int) async throws {
        let other = try StoreFolder()
        let replacement = try await other.open()
        try await replacement.save([.sample(70), .sample(71)])
        try await replacement.close()
        let store = try await folder.open { $0.readers = readers }
        try await store.save(.sample(1))
        #expect(rename(other.path, folder.path) == 0)
        try await expectRefusal(of: store, naming: folder.path)
        // Each reader has the old store, or says that it is not there any more; none has the other.
        for _ in 0..<20 {
            async let first = outcome { try await store.accounts().collected() }
            async let second = outcome { try await store.accounts().collected() }
            for outcome in await [first, second] {
                switch outcome {
                case .success(let accounts): #expect(accounts == [.sample(1)])
                case .failure(let error): #expect("\(error)".contains("was removed or replaced"), "\(error)")
                }
            }
        }
        try await store.close()
        let fresh = try await folder.open()
        #expect(try await fresh.accounts().collected() == [.sample(70), .sample(71)])
        #expect(try await fresh.check().isHealthy)
    }

    @Test("while it is in use has all that was saved when it was closed, wherever it is then")
    func moved() async throws {
        let store = try await folder.open()
        try await store.save((0..<50).map { .sample($0) })
        let elsewhere = try StoreFolder()
        #expect(rename(folder.path, elsewhere.path) == 0)
        try await expectRefusal(of: store, naming: folder.path)
        try await store.close()
        let found = try await elsewhere.open()
        #expect(try await found.accounts().collected() == (0..<50).map { .sample($0) })
        #expect(try await found.check().isHealthy)
    }

    @Test("beside it refuses to save, and has all that was saved when it was closed", arguments: ["-wal", "-shm"])
    func logRemoved(suffix: String) async throws {
        let store = try await folder.open()
        try await store.save((0..<50).map { .sample($0) })
        try remove(suffix)
        try await expectRefusal(of: store, naming: folder.path + suffix)
        try await store.close()
        let again = try await folder.open()
        #expect(try await again.accounts().collected() == (0..<50).map { .sample($0) })
        try await again.save(.sample(2))
        #expect(try await again.check().isHealthy)
    }

    @Test("beside it says the same to those who read, and makes no backup", arguments: ["-wal", "-shm"])
    func readAfterRemoval(suffix: String) async throws {
        let store = try await folder.open { $0.readers = 2 }
        try await store.save((0..<50).map { .sample($0) })
        try remove(suffix)
        // The first read opens its connection only now.
        switch await outcome({ try await store.accounts().collected() }) {
        case .success(let accounts): #expect(accounts == (0..<50).map { .sample($0) })
        case .failure(let error): #expect("\(error)".contains("was removed or replaced"), "\(error)")
        }
        let target = folder.directory.path(of: "copy.sqlite")
        let error = try await storeError { try await store.backup(to: target) }
        #expect(error.code == .unreadable)
        #expect(error.message.contains("\(suffix) was removed or replaced"), "\(error)")
        #expect(try !folder.directory.names().contains("copy.sqlite"))
        try await store.close()
    }

    /// Copies what a process leaves that was killed.
    private func killed() async throws -> StoreFolder {
        let store = try await folder.open()
        try await store.save((0..<50).map { .sample($0) })
        _ = try await store.pool.checkpoint(.truncate)
        // As long as it is read as it is now, nothing of the log is brought into the file.
        let reader = try Connection(path: folder.path, mode: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM accounts")
        try await store.save((50..<100).map { .sample($0) })
        try await store.save((100..<150).map { .sample($0) })
        let copy = try StoreFolder()
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: folder.path + suffix, toPath: copy.path + suffix)
        }
        reader.close()
        try await store.close()
        return copy
    }

    @Test("after a kill has what is left of it, whole saves only", arguments: [("-wal", 50), ("-shm", 150), ("", 0)])
    func leftovers(suffix: String, count: Int64) async throws {
        let copy = try await killed()
        try FileManager.default.removeItem(atPath: copy.path + suffix)
        let store = try await copy.open()
        #expect(try await store.accounts().collected() == (0..<count).map { .sample($0) })
        try await store.save(.sample(500))
        #expect(try await store.check().isHealthy)
        try await store.close()
        #expect(try copy.directory.names() == ["accounts.sqlite"])
    }

    @Test("with a damaged log has the saves before the damage, whole", arguments: [0, 10, 40, 4_000, 8_400, 20_000])
    func damagedLog(offset: Int) async throws {
        let copy = try await killed()
        var log = try [UInt8](Data(contentsOf: URL(filePath: copy.path + "-wal")))
        let place = min(offset, log.count - 1)
        log[place] ^= 0xFF
        try copy.directory.write(log, to: "accounts.sqlite-wal")
        let store = try await copy.open()
        let count = try await store.count()
        #expect([50, 100, 150].contains(count))
        #expect(try await store.accounts().collected() == (0..<Int64(count)).map { .sample($0) })
        try await store.save(.sample(500))
        #expect(try await store.check().isHealthy)
        try await store.close()
    }

    private func outcome<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Result<Value, any Error>
    {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
