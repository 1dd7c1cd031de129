import Foundation
import SQLiteBinding
import TestSupport
import Testing

@Suite("Backup", .timeLimit(.minutes(10)))
struct BackupTests {
    let folder: TemporaryDirectory
    let source: Connection
    let target: String

    init() throws {
        folder = try TemporaryDirectory()
        source = try Connection(path: folder.path(of: "source.sqlite"))
        target = folder.path(of: "copy.sqlite")
        try source.execute(
            """
            CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t SELECT i, randomblob(1000) FROM n;
            """
        )
    }

    private func rows(of path: String) throws -> [[SQLValue]] {
        var configuration = Configuration()
        configuration.journalMode = nil
        return try Connection(path: path, mode: .readWrite, configuration: configuration).rows("SELECT * FROM t")
    }

    @Test("the copy has what was committed, in one file that only its owner can read")
    func copies() throws {
        var steps: [BackupProgress] = []
        try source.backup(to: target, pagesPerStep: 10) { steps.append($0) }
        #expect(steps.count > 5)
        #expect(steps.last?.remainingPages == 0)
        #expect(try folder.names() == ["copy.sqlite", "source.sqlite", "source.sqlite-shm", "source.sqlite-wal"])
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try rows(of: target) == source.rows("SELECT * FROM t"))
        #expect(try folder.names().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    }

    @Test("a copy made while others write is of one moment")
    func whileWriting() throws {
        let path = source.path
        let stop = Counter()
        let writing = onThread {
            let writer = try Connection(path: path)
            while stop.value == 0 {
                try writer.transaction {
                    try writer.run("INSERT INTO t (b) VALUES (randomblob(500))")
                    try writer.run("INSERT INTO t (b) VALUES (randomblob(500))")
                }
            }
        }
        for _ in 0..<5 {
            try source.backup(to: target, pagesPerStep: 5) { _ in usleep(200) }
            let count = try rows(of: target).count
            #expect(count >= 500 && count.isMultiple(of: 2))
        }
        stop.increment()
        writing.wait()
    }

    @Test("an older backup is replaced, and keeps its permissions")
    func replaces() throws {
        try source.backup(to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        try source.run("DELETE FROM t WHERE a > 3")
        try source.backup(to: target)
        #expect(try rows(of: target).count == 3)
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    }

    @Test("a symbolic link keeps leading to the backup")
    func symbolicLink() throws {
        try source.backup(to: target)
        let link = folder.path(of: "link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try source.run("DELETE FROM t")
        try source.backup(to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try rows(of: target).isEmpty)
    }

    @Test("a target that is something else is refused and left as it is")
    func foreignTarget() throws {
        let bytes = Array("an important text, and no database".utf8)
        try folder.write(bytes, to: "copy.sqlite")
        let error = try sqliteError { try source.backup(to: target) }
        #expect(error.code == .notADatabase)
        #expect(error.description.contains("cannot be replaced"))
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: target))) == bytes)
        #expect(try sqliteError { try source.backup(to: folder.path) }.code == .cannotOpen)
        #expect(try sqliteError { try source.backup(to: "/dev/null") }.code == .cannotOpen)
        #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") })
    }

    @Test("the database itself is refused, under any name")
    func itself() throws {
        let link = folder.path(of: "link")
        let hard = folder.path(of: "hard")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source.path)
        try FileManager.default.linkItem(atPath: source.path, toPath: hard)
        for path in [source.path, link, hard, folder.path + "/./source.sqlite"] {
            let error = try sqliteError { try source.backup(to: path) }
            #expect(error.description.contains("it is the database itself"))
        }
        #expect(try source.count("t") == 500)
    }

    @Test("a target that somebody has open is refused")
    func targetInUse() throws {
        let other = try Connection(path: target)
        try other.execute("CREATE TABLE x (a)")
        let error = try sqliteError { try source.backup(to: target) }
        #expect(error.code == .busy)
        #expect(error.description.contains("in use"))
        #expect(try other.count("x") == 0)
        other.close()
        try source.backup(to: target)
    }

    @Test("a backup that is broken off leaves what was there")
    func brokenOff() throws {
        try source.backup(to: target)
        try source.run("DELETE FROM t")
        #expect(throws: Stop(number: 2)) {
            try source.backup(to: target, pagesPerStep: 1) { _ in throw Stop(number: 2) }
        }
        #expect(try rows(of: target).count == 500)
        #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") })
    }

    @Test("a backup whose process is killed leaves the older one, and what it had written goes with the next")
    func killed() async throws {
        try source.backup(to: target)
        try source.run("DELETE FROM t WHERE a > 100")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = source.path as String, target = target as String] in
            try Connection(path: path).backup(to: target, pagesPerStep: 1) { progress in
                if progress.remainingPages < progress.totalPages / 2 { kill(getpid(), SIGKILL) }
            }
        }
        let isDraft = { (name: String) in name.hasPrefix(".sqlite-backup-") }
        #expect(try folder.names().contains(where: isDraft))
        #expect(try rows(of: target).count == 500)
        let other = folder.path(of: "other.sqlite")
        var drafts = 0
        try source.backup(to: target, pagesPerStep: 1) { _ in
            // One that goes on is not taken for one that was killed.
            if drafts == 0 { try source.backup(to: other) }
            drafts = try folder.names().count(where: isDraft)
        }
        #expect(drafts == 1)
        #expect(try !folder.names().contains(where: isDraft))
        #expect(try rows(of: target).count == 100)
        #expect(try rows(of: other).count == 100)
    }

    @Test("a damaged database is not copied over a good backup")
    func damagedSource() throws {
        try source.backup(to: target)
        let path = source.path
        try source.execute("CREATE INDEX i ON t (b)")
        try source.checkpoint(.truncate)
        source.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 4_096 * 40)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4_096))
        try file.close()
        let damaged = try Connection(path: path)
        #expect(try !damaged.integrityCheck().isEmpty)
        let error = try sqliteError { try damaged.backup(to: target) }
        #expect(error.code.primary == .corrupt)
        #expect(error.description.contains("damaged"))
        #expect(try rows(of: target).count == 500)
    }

    @Test("a folder that does not exist is named")
    func missingFolder() throws {
        let error = try sqliteError { try source.backup(to: folder.path(of: "no/copy.sqlite")) }
        #expect(error.description.contains("cannot be made in \(folder.path(of: "no"))"))
    }

    @Test("a database in memory and one with a rollback journal are copied too")
    func otherSources() throws {
        let memory = try Connection.inMemory()
        try memory.execute("CREATE TABLE t (a); INSERT INTO t VALUES (9)")
        try memory.backup(to: target)
        #expect(try rows(of: target) == [[9]])
        #expect(try sqliteError { try memory.transaction { try memory.backup(to: target) } }.code == .misuse)

        var configuration = Configuration()
        configuration.journalMode = .delete
        let journal = try Connection(path: folder.path(of: "journal.sqlite"), configuration: configuration)
        try journal.execute("CREATE TABLE t (a); INSERT INTO t VALUES (8)")
        try journal.backup(to: target)
        #expect(try rows(of: target) == [[8]])
    }

    @Test("a pool makes backups, and a cancelled one leaves nothing")
    func pool() async throws {
        let pool = try ConnectionPool(path: source.path)
        try await pool.backup(to: target)
        #expect(try rows(of: target).count == 500)
        let task = Task { [folder] in
            while !Task.isCancelled { await Task.yield() }
            try await pool.backup(to: folder.path(of: "other.sqlite"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await pool.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") || $0.hasPrefix("other") } == [])
    }

    @Test("checkpoints report what they did")
    func checkpoints() throws {
        let passive = try source.checkpoint()
        #expect(passive.isComplete && (passive.logFrames ?? 0) > 0)
        let reader = try Connection(path: source.path)
        let statement = try reader.prepare("SELECT * FROM t")
        #expect(try statement.step())
        try source.run("DELETE FROM t WHERE a = 1")
        #expect(try !source.checkpoint().isComplete)
        statement.reset()
        #expect(try source.checkpoint(.truncate).isComplete)
        let size = try source.databaseSize()
        #expect(size.logBytes == 0 && size.pages > 100 && size.pageSize == 4_096)
        #expect(try Connection.inMemory().checkpoint().logFrames == nil)
    }
}
