import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@Suite("accounts import, where the store is in the way")
struct ImportFailureTests {
    /// A tool with archives of the users 1 and 2 in its folder, and a file that is none.
    private func prepared() async throws -> Tool {
        let tool = try Tool()
        for uid in 1...2 as ClosedRange<Int64> {
            await tool.add("{\"access_token\":\"t\",\"expires_in\":1,\"uid\":\(uid)}")
            try write(await tool.archive(of: uid), to: tool.folder.path(of: "\(uid).data"))
        }
        try write(Array("bplist00".utf8), to: tool.folder.path(of: "bad.data"))
        return tool
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    private func sql(_ script: String, _ path: String) throws {
        let connection = try Connection(path: path)
        try connection.execute(script)
        connection.close()
    }

    @Test("an import that fails midway tells what was done and refused before")
    func midway() async throws {
        let tool = try await prepared()
        try sql(
            """
            DELETE FROM accounts;
            CREATE TRIGGER t BEFORE INSERT ON accounts WHEN NEW.uid = 2 BEGIN SELECT RAISE(ABORT, 'no room'); END
            """,
            tool.database
        )
        let paths = ["1.data", "bad.data", "2.data"].map { tool.folder.path(of: $0) }
        let first = try Array(Data(contentsOf: URL(filePath: paths[0])))
        let run = await tool.run(["import", "-", paths[1], paths[2], "--json"], input: first)
        #expect(run.status == 1)
        let report = try run.object()
        #expect(report["inserted"] == 1)
        #expect(report["files"] == 2)
        #expect(report["rejected"] == 1)
        #expect(run.errorLines.count == 2)
        #expect(run.errorLines.first?.contains("bad.data: ") == true)
        #expect(run.errorLines.last?.contains("no room") == true)
    }

    @Test("a rehearsal over an empty file finds what the import does, and leaves it empty")
    func emptyDatabase() async throws {
        let tool = try await prepared()
        let database = tool.folder.path(of: "empty.sqlite")
        try write([], to: database)
        let words = ["import", tool.folder.path(of: "1.data"), "--json", "--database", database]
        let rehearsal = await tool.run(words + ["--dry-run"])
        #expect(rehearsal.status == 0)
        #expect(try Data(contentsOf: URL(filePath: database)).isEmpty)
        #expect(await tool.run(words).output == rehearsal.output)
    }

    @Test("a rehearsal leaves the log of a program that has died as it is")
    func leftoverLog() async throws {
        let tool = try await prepared()
        let copy = tool.folder.path(of: "copy.sqlite")
        let connection = try Connection(path: tool.database)
        try connection.execute("UPDATE accounts SET expires_in = 77 WHERE uid = 1")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: tool.database + suffix, toPath: copy + suffix)
        }
        connection.close()
        func files() throws -> [Data] { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: copy + $0)) } }
        let before = try files()
        #expect(!before[1].isEmpty)
        let path = tool.folder.path(of: "1.data")
        let words = ["import", path, "--on-conflict", "replace", "--json", "--database", copy]
        let rehearsal = await tool.run(words + ["--dry-run"])
        #expect(try rehearsal.object()["updated"] == 1, "what is in the log counts")
        #expect(try files() == before)
        #expect(await tool.run(words).output == rehearsal.output)
    }
}
