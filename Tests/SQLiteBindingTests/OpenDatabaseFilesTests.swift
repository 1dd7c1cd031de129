import Foundation
import TestSupport
import Testing

@testable import SQLiteBinding

@Suite("Files of databases that are open")
struct OpenDatabaseFilesTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "open.sqlite")
    }

    private func opened(_ path: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
        return connection
    }

    private func role(_ path: String) throws -> OpenDatabaseFiles.Role? {
        OpenDatabaseFiles.role(of: try #require(FileKey(path: path)))
    }

    @Test(
        "keep their locks when somebody else closes them, and are closed with the last connection",
        arguments: ["", "-shm"]
    )
    func parked(suffix: String) throws {
        let first = try opened(path)
        let second = try opened(path)
        let file = path + suffix
        #expect(RecordLocks.isHeld(on: file))
        let key = try #require(FileKey(path: file))
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        OpenDatabaseFiles.close(descriptor)
        #expect(RecordLocks.isHeld(on: file))
        #expect(OpenDatabaseFiles.hasParked)
        #expect(FileKey(descriptor: descriptor) == key)
        first.close()
        #expect(FileKey(descriptor: descriptor) == key)
        #expect(RecordLocks.isHeld(on: file))
        second.close()
        #expect(FileKey(descriptor: descriptor) != key)
    }

    @Test("are known under any name, and no longer once they are closed")
    func roles() throws {
        let link = folder.path(of: "link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let connection = try opened(link)
        try FileManager.default.linkItem(atPath: path + "-shm", toPath: folder.path(of: "hard"))
        let real = try #require(realpath(path, nil))
        let owner = String(cString: real)
        free(real)
        #expect(try role(path) == .database)
        #expect(try role(link) == .database)
        #expect(try role(path + "-wal") == .companion(of: owner))
        #expect(try role(folder.path(of: "hard")) == .companion(of: owner))
        #expect(try role(folder.path) == nil)
        connection.close()
        #expect(try role(path) == nil)
        #expect(try role(folder.path(of: "hard")) == nil)
    }

    @Test("are known as long as a statement keeps them open")
    func statement() throws {
        var connection: Connection? = try opened(path)
        var statement = try connection?.prepare("SELECT a FROM t")
        connection = nil
        #expect(statement != nil)
        #expect(try role(path) == .database)
        statement = nil
        #expect(try role(path) == nil)
    }

    @Test("are known before the log is there, too")
    func laterLog() throws {
        var settings = Configuration()
        settings.journalMode = .delete
        let connection = try Connection(path: path, configuration: settings)
        #expect(try role(path) == .database)
        _ = try connection.value("PRAGMA journal_mode = wal")
        try connection.execute("CREATE TABLE t (a)")
        #expect(try role(path + "-shm") != nil)
    }

    @Test("beside a database are not opened as one", arguments: ["-wal", "-shm"])
    func companion(suffix: String) throws {
        let connection = try opened(path)
        let error = try sqliteError { _ = try Connection(path: path + suffix, mode: .readOnly) }
        #expect(error.code == .cannotOpen)
        #expect(error.description.contains("belongs to a database that is open"))
        #expect(error.hint?.hasSuffix("/open.sqlite instead") == true)
        #expect(RecordLocks.isHeld(on: path + "-shm"))
        #expect(try connection.count("t") == 1)
    }

    @Test(
        "are not taken for a backup's target, before anything is opened",
        arguments: ["", "-wal", "-shm", "-journal"]
    )
    func backup(suffix: String) throws {
        let source = try opened(path)
        let hard = folder.path(of: "hard")
        if suffix != "-journal" { try FileManager.default.linkItem(atPath: path + suffix, toPath: hard) }
        for target in [path + suffix, hard] where suffix != "-journal" || target != hard {
            let error = try sqliteError { try source.backup(to: target) }
            #expect(error.code == .misuse)
            #expect(error.description.contains("cannot be replaced"))
        }
        #expect(["", "-shm"].allSatisfy { RecordLocks.isHeld(on: path + $0) })
        #expect(try folder.names().contains("open.sqlite-journal") == false)
    }

    @Test("of another database are not replaced by a backup while this process uses it, though it has no log")
    func idleTarget() throws {
        let other = try opened(folder.path(of: "other.sqlite"))
        try other.checkpoint(.truncate)
        let error = try sqliteError { try opened(path).backup(to: other.path) }
        #expect(error.code == .busy)
        #expect(error.description.contains("in use"))
        #expect(try other.count("t") == 1)
    }

    @Test("stay the same when the process works in another folder later")
    func relativePath() async throws {
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            #expect(chdir(folder) == 0)
            let pool = try ConnectionPool(path: "open.sqlite")
            try await pool.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
            #expect(chdir("/") == 0)
            try await pool.write { _ = try $0.run("INSERT INTO t VALUES (2)") }
            #expect(try await pool.read { try $0.count("t") } == 2)
            #expect(pool.statistics.databaseBytes + pool.statistics.logBytes > 0)
            try await pool.backup(to: folder + "/copy.sqlite")
            await #expect(throws: SQLiteError.self) { try await pool.backup(to: folder + "/open.sqlite") }
            try await pool.close()
            exit(access("open.sqlite", F_OK) == 0 || access(folder + "/open.sqlite", F_OK) != 0 ? 1 : 0)
        }
    }

    @Test("of a pool are as many as its limit allows", arguments: [Int.max, 0, Int.min])
    func readers(number: Int) throws {
        var options = ConnectionPool.Options()
        options.readers = number
        let pool = try ConnectionPool(path: path, options: options)
        #expect(pool.statistics.idleReaders == (number > 0 ? 1_024 : 1))
        try pool.closeSync()
    }
}
