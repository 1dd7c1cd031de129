import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage

/// What other programs see in a store's file.
@Suite("Other tools")
struct OtherToolsTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private static func path(of tool: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func output(of tool: String, _ arguments: String...) async throws -> String {
        var process = ChildProcess(program: try #require(Self.path(of: tool)), arguments: arguments)
        process.output = folder.directory.path(of: "output")
        #expect(try await process.run() == 0)
        return try String(contentsOfFile: process.output, encoding: .utf8)
    }

    private func fill() async throws -> AccountStore {
        let store = try await folder.open()
        try await store.save(.sample(1, token: "a\0é", obtainedAt: 1_440_308_000, extras: ["isRealName": "true"]))
        try await store.save(.sample(2, token: nil))
        return store
    }

    @Test("Python reads the rows while the store is open", .enabled(if: path(of: "python3") != nil))
    func python() async throws {
        let store = try await fill()
        let script = """
            import sqlite3, sys, json
            rows = sqlite3.connect(sys.argv[1]).execute(
                "SELECT uid, access_token, expires_in, remind_in, obtained_at, expires_at, extras FROM accounts ORDER BY uid")
            print(json.dumps(rows.fetchall()))
            """
        let text = try await output(of: "python3", "-c", script, folder.path)
        let rows = try Value(json: text, dialect: .plain)
        #expect(
            rows == [
                [1, "a\0é", 3_600, 0, 1_440_308_000, 1_440_311_600, #"{"isRealName":"true"}"#],
                [2, .null, 3_600, 0, .null, .null, "{}"],
            ]
        )
        try await store.close()
    }

    @Test("the sqlite3 shell finds the file sound, and reads times", .enabled(if: path(of: "sqlite3") != nil))
    func shell() async throws {
        try await fill().close()
        let sql = """
            PRAGMA integrity_check; SELECT datetime(expires_at, 'unixepoch'), extras ->> 'isRealName' FROM accounts;
            """
        #expect(try await output(of: "sqlite3", folder.path, sql) == "ok\n2015-08-23 06:33:20|true\n|\n")
    }
}
