import Foundation
import SQLiteBinding
import TestSupport
import Testing

/// Each test gives up the superuser's rights, which no permission would hold back, and so runs in a process of its own.
@Suite("Permissions")
struct PermissionTests {
    /// Makes a database in a folder where neither it nor anything else can be written.
    private func makeReadOnly(_ journalMode: Configuration.JournalMode) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.journalMode = journalMode
        try Connection(path: folder.path(of: "a.sqlite"), configuration: configuration)
            .execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        for (path, mode) in [(folder.path(of: "a.sqlite"), 0o444), (folder.path, 0o555)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return folder
    }

    private static func dropRights() {
        if getuid() == 0 { precondition(setgid(65_534) == 0 && setuid(65_534) == 0) }
    }

    @Test("a file that cannot be written is read, and refused for writing")
    func readOnlyFile() async throws {
        let folder = try makeReadOnly(.delete)
        await #expect(processExitsWith: .success) { [path = folder.path(of: "a.sqlite") as String] in
            Self.dropRights()
            #expect(try Connection(path: path, mode: .readOnly).count("t") == 1)
            for mode in [OpenMode.readWrite, .readWriteCreate] {
                let error = try sqliteError { _ = try Connection(path: path, mode: mode) }
                #expect(error.code.primary == .readOnly)
                #expect(error.description.contains("permits reading only"))
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    @Test("a database whose write-ahead log was brought into it is read in a folder that cannot be written")
    func readOnlyFolder() async throws {
        let folder = try makeReadOnly(.wal)
        let other = folder.path(of: "a ?#%41é.sqlite")
        try FileManager.default.copyItem(atPath: folder.path(of: "a.sqlite"), toPath: other)
        await #expect(processExitsWith: .success) {
            [path = folder.path(of: "a.sqlite") as String, other = other as String] in
            Self.dropRights()
            for path in [path, other, "/" + path] {
                let count = try Connection(path: path, mode: .readOnly).count("t")
                #expect(count == 1)
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    @Test("one whose log still holds something says what it needs")
    func readOnlyFolderWithLog() async throws {
        let folder = try makeReadOnly(.wal)
        try Data(count: 100).write(to: URL(filePath: folder.path(of: "a.sqlite-wal")))
        await #expect(processExitsWith: .success) { [path = folder.path(of: "a.sqlite") as String] in
            Self.dropRights()
            let error = try sqliteError { _ = try Connection(path: path, mode: .readOnly) }
            #expect(error.description.contains("a.sqlite-wal holds has to be brought into it first"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    @Test("a new database in a folder that cannot be written names the reason")
    func newInReadOnlyFolder() async throws {
        let folder = try makeReadOnly(.delete)
        await #expect(processExitsWith: .success) {
            [path = folder.path(of: "new.sqlite") as String, old = folder.path(of: "a.sqlite") as String] in
            Self.dropRights()
            let error = try sqliteError { _ = try Connection(path: path) }
            #expect(error.code.primary == .cannotOpen)
            #expect(error.description.contains("Permission denied"))
            let source = try Connection(path: old, mode: .readOnly)
            let backup = try sqliteError { try source.backup(to: path) }
            #expect(backup.description.contains("Permission denied"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }
}
