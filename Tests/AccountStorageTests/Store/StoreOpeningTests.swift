import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Opening a store")
struct StoreOpeningTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("a new file is readable for its owner alone, and so are the files beside it")
    func permissions() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        for name in try folder.directory.names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.directory.path(of: name))
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(name)")
        }
        try await store.close()
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }

    @Test("a new file gets the schema and the mark of this library")
    func newFile() async throws {
        let store = try await folder.open()
        let plan = try await store.schemaPlan()
        #expect(plan.isUpToDate)
        #expect(plan.applied.map(\.name).first == "accounts")
        #expect(try folder.sql("SELECT application_id FROM pragma_application_id") == [[0x4143_5354]])
        #expect(try folder.sql("SELECT journal_mode FROM pragma_journal_mode") == [["wal"]])
    }

    @Test("a path that SQLite would take for something else is a path", arguments: [":memory:", "file:x?mode=memory"])
    func specialNames(name: String) async throws {
        let path = folder.directory.path(of: name)
        let store = try await AccountStore(path: path)
        try await store.save(.sample(1))
        try await store.close()
        #expect(try folder.directory.names() == [name])
    }

    @Test("a limit under which nothing could be done is refused", arguments: [Duration.zero, .seconds(-1)])
    func limits(limit: Duration) async throws {
        for (name, path) in [
            ("readTimeLimit", \AccountStoreOptions.readTimeLimit),
            ("waitTimeLimit", \AccountStoreOptions.waitTimeLimit),
        ] as [(String, WritableKeyPath<AccountStoreOptions, Duration?>)] {
            let error = try await storeError { _ = try await folder.open { $0[keyPath: path] = limit } }
            #expect(error.message.contains("\(name) is zero or less"))
        }
        #expect(try folder.directory.names().isEmpty)
    }

    @Test("a store that is closed, and one that is used from inside itself, says which it is")
    func named() async throws {
        let store = try await folder.open()
        let inner = try await storeError {
            try await store.read { _ in try store.readSync { _ in } }
        }
        #expect(inner.code == .reentrant)
        #expect(inner.message.contains("the store \(folder.path) was used from inside"))
        try await store.close()
        for use in [
            { _ = try await store.account(uid: 1) }, { try await store.save(.sample(1)) },
            { try await store.backup(to: folder.directory.path(of: "copy.sqlite")) },
        ] as [() async throws -> Void] {
            let error = try await storeError { try await use() }
            #expect(error.code == .closed)
            #expect(error.message.contains("the store \(folder.path) is closed; make another"))
        }
    }

    @Test("a plan tells what would be applied and writes nothing")
    func plan() async throws {
        let before = try await AccountStore.plan(path: folder.path)
        #expect(before.applied.isEmpty)
        #expect(before.pending.first == SchemaPlan.Step(version: 1, name: "accounts"))
        #expect(try folder.directory.names().isEmpty)
        #expect(try await AccountStore.migrate(path: folder.path) == before.pending)
        #expect(try await AccountStore.migrate(path: folder.path).isEmpty)
        let after = try await AccountStore.plan(path: folder.path)
        #expect(after.applied == before.pending)
        #expect(after.isUpToDate)
    }

    @Test(
        "a file that has to exist and does not is refused",
        arguments: [
            AccountStoreOptions.Mode.existing, .readOnly,
        ]
    )
    func missingFile(mode: AccountStoreOptions.Mode) async throws {
        let error = try await storeError { _ = try await folder.open { $0.mode = mode } }
        #expect(error.code == .unreadable)
        #expect(error.message.contains(folder.path))
        #expect(error.message.contains("there is no such file"))
        #expect(try folder.directory.names().isEmpty)
    }

    @Test("a file in a folder that does not exist is refused")
    func missingFolder() async throws {
        let path = folder.directory.path(of: "none/accounts.sqlite")
        let error = try await storeError { _ = try await AccountStore(path: path) }
        #expect(error.code == .unreadable)
        #expect(error.message.contains("the folder \(folder.directory.path(of: "none")) does not exist"))
    }

    @Test("a folder is refused")
    func isFolder() async throws {
        for read in [
            { _ = try await AccountStore(path: folder.directory.path) },
            { _ = try await AccountStore.plan(path: folder.directory.path) },
        ] as [() async throws -> Void] {
            let error = try await storeError(#_sourceLocation, read)
            #expect(error.code == .unreadable)
            #expect(error.message.contains("it is a folder"))
        }
    }

    @Test("an empty path and one with a NUL are refused", arguments: ["", "a\0b"])
    func badPaths(path: String) async throws {
        #expect(try await storeError { _ = try await AccountStore(path: path) }.code == .unreadable)
    }

    @Test("a file that is no database is refused, and left as it is", arguments: [1, 5, 10_000])
    func notADatabase(repetitions: Int) async throws {
        let bytes = Array(String(repeating: "this is no database. ", count: repetitions).utf8)
        try folder.directory.write(bytes, to: "accounts.sqlite")
        for read in [
            { _ = try await folder.open() }, { _ = try await folder.open { $0.mode = .readOnly } },
            { _ = try await AccountStore.plan(path: folder.path) },
            { _ = try await AccountStore.migrate(path: folder.path) },
        ] as [() async throws -> Void] {
            let error = try await storeError(#_sourceLocation, read)
            #expect(error.code == .notAStore)
            #expect(error.message.contains(folder.path))
        }
        #expect(try folder.bytes() == Data(bytes))
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }

    @Test("a database of another program is refused, and left as it is")
    func foreignDatabase() async throws {
        var configuration = Configuration()
        configuration.journalMode = .delete
        try Connection(path: folder.path, configuration: configuration).execute("CREATE TABLE users (id)")
        let before = try folder.bytes()
        let error = try await storeError { _ = try await folder.open() }
        #expect(error.code == .notAStore)
        #expect(error.message.contains("\"users\""))
        #expect(try folder.bytes() == before)
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }

    @Test("a newer schema is refused by the names of its steps, and nothing is written (A13)")
    func newerSchema() async throws {
        try await folder.open().close()
        try folder.sql("INSERT INTO schema_migrations VALUES (9999, 'later', 'SELECT 1', 0)")
        let before = try folder.bytes()
        for mode in AccountStoreOptions.Mode.allCases {
            let error = try await storeError { _ = try await folder.open { $0.mode = mode } }
            #expect(error.code == .newerSchema)
            #expect(error.message.hasPrefix("\(folder.path) was written by a newer version"))
            #expect(error.message.contains("V9999__later.sql"))
        }
        #expect(try await storeError { _ = try await AccountStore.plan(path: folder.path) }.code == .newerSchema)
        #expect(try folder.bytes() == before)
    }

    @Test("a migration that is not the one that was applied is refused with the difference")
    func changedMigration() async throws {
        try await folder.open().close()
        try folder.sql("UPDATE schema_migrations SET sql = replace(sql, 'access_token TEXT', 'access_token BLOB')")
        let error = try await storeError { _ = try await folder.open() }
        #expect(error.code == .database)
        #expect(error.message.contains("-"))
        #expect(error.message.contains("access_token BLOB, | +"))
    }

    @Test("a database without the schema is not opened where it may not be migrated")
    func olderSchema() async throws {
        let missing = try await storeError { _ = try await folder.open { $0.migrates = false } }
        #expect(missing.code == .olderSchema)
        #expect(missing.message.contains("V0001__accounts.sql"))
        #expect(try folder.directory.names().isEmpty)
        try folder.directory.write([], to: "accounts.sqlite")
        #expect(try await storeError { _ = try await folder.open { $0.mode = .readOnly } }.code == .olderSchema)
        try await folder.open().close()
        try await folder.open { $0.migrates = false }.close()
    }

    @Test("a store that only reads refuses to write, and reads on")
    func readOnly() async throws {
        let writer = try await folder.open()
        try await writer.save(.sample(1))
        let store = try await folder.open { $0.mode = .readOnly }
        for write in [
            { try await store.save(.sample(2)) }, { try await store.save([.sample(2)]) },
            { try await store.remove(uid: 1) }, { _ = try await store.save([.sample("/a")], onConflict: .newest) },
        ] as [() async throws -> Void] {
            #expect(try await storeError(#_sourceLocation, write).code == .unreadable)
        }
        try await writer.save(.sample(3))
        #expect(try await store.accounts().collected().map(\.uid) == [1, 3])
    }

    @Test("a store that was closed says so")
    func closed() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        try await store.close()
        try await store.close()
        for use in [
            { _ = try await store.account(uid: 1) }, { try await store.save(.sample(1)) },
            { _ = try await store.accounts().collected() }, { _ = try await store.check() },
            { try await store.backup(to: folder.directory.path(of: "b")) },
        ] as [() async throws -> Void] {
            #expect(try await storeError(#_sourceLocation, use).code == .closed)
        }
    }

    @Test("a folder or a file that may not be written is refused, and says what is missing")
    func permissionsMissing() async throws {
        try await folder.open().close()
        let path = folder.directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            chmod(path, 0o555)
            chmod(path + "/accounts.sqlite", 0o444)
            // Permissions do not keep root out.
            if getuid() == 0 { try #require(setuid(65_534) == 0) }
            let existing = try await storeError { _ = try await AccountStore(path: path + "/accounts.sqlite") }
            #expect(existing.code == .unreadable)
            #expect(existing.message.contains("its folder cannot be written to"))
            let new = try await storeError { _ = try await AccountStore(path: path + "/new.sqlite") }
            #expect(new.code == .unreadable)
            #expect(new.message.contains("new.sqlite cannot be created: Permission denied"))
        }
        chmod(path, 0o755)
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }
}
