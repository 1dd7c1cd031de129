import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@Suite("accounts list, show and remove")
struct ListCommandTests {
    private func filled() async throws -> Tool {
        let tool = try Tool()
        await tool.add(
            #"{"access_token":"2.00ABCDEFG","expires_in":60,"uid":-5,"refresh_token":"rrrrrrrrrr","nested":{"password":"pppppppppp","n":1}}"#,
            "--obtained-at",
            "2020-01-01"
        )
        await tool.add(
            #"{"access_token":null,"expires_in":9223372036854775807,"uid":7}"#,
            "--obtained-at",
            "2021-01-01"
        )
        await tool.add(#"{"access_token":"","expires_in":3,"uid":12345678901}"#, "--obtained-at", "none")
        return tool
    }

    @Test("the table is aligned, cuts tokens, and ends with a count on standard error")
    func table() async throws {
        let tool = try await filled()
        let run = await tool("list")
        #expect(run.status == 0)
        #expect(
            run.text == """
                        UID  TOKEN             EXPIRES IN  OBTAINED AT           EXPIRES AT                     EXTRAS
                         -5  "2.00…"                   60  2020-01-01T00:00:00Z  2020-01-01T00:01:00Z           nested, refresh_token
                          7  none     9223372036854775807  2021-01-01T00:00:00Z  +292277026596-12-04T15:30:07Z
                12345678901  ""                         3  -                     -

                """
        )
        #expect(run.errors == "3 accounts in \(tool.database)\n")
    }

    @Test("JSON has the documented keys, and secrets only with --reveal")
    func json() async throws {
        let tool = try await filled()
        let hidden = await tool("list", "--json")
        #expect(hidden.errors.isEmpty)
        #expect(
            hidden.text.hasPrefix(
                #"""
                [
                {"uid":-5,"access_token":"2.00…","expires_in":60,"remind_in":0,"obtained_at":"2020-01-01T00:00:00Z","expires_at":"2020-01-01T00:01:00Z","extras":{"nested":{"n":1,"password":"pppp…"},"refresh_token":"rrrr…"}},
                {"uid":7,"access_token":null,"expires_in":9223372036854775807,"remind_in":0,"obtained_at":"2021-01-01T00:00:00Z","expires_at":"+292277026596-12-04T15:30:07Z","extras":{}},
                """#
            )
        )
        let shown = try await tool.accounts()
        #expect(shown.map { $0["access_token"] } == ["2.00ABCDEFG", .null, ""])
        #expect(shown[0]["extras"] == ["nested": ["n": 1, "password": "pppppppppp"], "refresh_token": "rrrrrrrrrr"])
    }

    @Test("accounts can be limited to those that end before a time, and in number")
    func conditions() async throws {
        let tool = try await filled()
        func uids(_ options: String...) async throws -> [Value?] {
            try await tool.run(["list", "--json"] + options).array().map { $0["uid"] }
        }
        #expect(try await uids("--expiring-before", "2020-01-01T00:01:00Z") == [])
        #expect(try await uids("--expiring-before", "2020-01-01T00:01:01Z") == [-5])
        #expect(try await uids("--expiring-before", "2020-01-01T08:01:01+08:00") == [-5])
        #expect(try await uids("--limit", "2") == [-5, 7])
        #expect(try await uids("--limit", "0") == [])
        let none = await tool("list", "--expiring-before", "2019-01-01")
        #expect(none.output.isEmpty)
        #expect(none.errors.contains("meets the conditions"))
        #expect(await tool("list", "--expiring-before", "soon").status == 64)
        #expect(await tool("list", "--limit=-1").status == 64)
    }

    @Test("an empty store is an empty array, and a hint for people")
    func empty() async throws {
        let tool = try Tool()
        #expect(await tool("migrate").status == 0)
        #expect(await tool("list", "--json").text == "[]\n")
        let run = await tool("list")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("'accounts import' or 'accounts add' brings some in"))
    }

    @Test("more accounts than a page, and than the table looks at, are all there")
    func many() async throws {
        let tool = try Tool()
        let objects = (1...2500).map { "{\"access_token\":\"token-\($0)\",\"expires_in\":\($0),\"uid\":\($0)}" }
        #expect(await tool.add("[" + objects.joined(separator: ",") + "]").status == 0)
        #expect(try await tool.accounts().map { $0["uid"] } == (1...2500).map { .integer($0) })
        let lines = await tool("list").text.split(separator: "\n")
        #expect(lines.count == 2501)
        #expect(lines.last?.contains("2500") == true)
    }

    @Test("a row that cannot be read hides no other, and is told of in one line")
    func badRow() async throws {
        let tool = try await filled()
        try setExtras("x", of: 7, in: tool.database)
        let line = "accounts: badRow: row 7 of accounts, column extras: "
        let table = await tool("list")
        #expect(table.status == 2)
        #expect(table.text.contains("-5") && table.text.contains("12345678901"))
        #expect(table.errorLines.count == 2)
        #expect(table.errorLines.first?.hasPrefix(line) == true)
        #expect(table.errorLines.last?.contains("2 accounts in") == true)
        let run = await tool("list", "--json")
        #expect(run.status == 2)
        #expect(try run.array().map { $0["uid"] } == [-5, 12_345_678_901])
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix(line))
        let export = await tool("export", "--all", "--output", tool.folder.path(of: "out"), "--json")
        #expect(export.status == 2)
        #expect(try export.object()["accounts"] == 2)
        #expect(export.errors.hasPrefix("accounts: uid 7: row 7 of accounts, column extras: "))
        #expect(await tool("show", "7").status == 1)
        // What cannot be read is replaced by an import, and so by a rehearsal.
        let archive = tool.folder.path(of: "account.data")
        try Data(await tool.archive(of: -5)).write(to: URL(filePath: archive))
        try setExtras("x", of: -5, in: tool.database)
        for options in [["--dry-run"], []] {
            let run = await tool.run(["import", archive, "--json", "--on-conflict", "replace"] + options)
            #expect(run.status == 0)
            #expect(try run.object()["updated"] == 1)
        }
    }

    @Test("a list of nothing but bad rows is empty and has failed")
    func onlyBadRows() async throws {
        let tool = try Tool()
        await tool.add(#"{"access_token":"t","expires_in":3,"uid":1}"#)
        try setExtras("[]", of: 1, in: tool.database)
        let run = await tool("list", "--json")
        #expect(run.status == 1)
        #expect(run.text == "[]\n")
    }

    /// Writes into a row as another program would.
    private func setExtras(_ text: String, of uid: Int64, in database: String) throws {
        let connection = try Connection(path: database, mode: .readWrite)
        try connection.run("UPDATE accounts SET extras = ?1 WHERE uid = ?2", [.text(text), .integer(uid)])
        connection.close()
    }

    @Test("one account is shown for people and for scripts")
    func show() async throws {
        let tool = try await filled()
        let run = await tool("show", "-5")
        #expect(
            run.text == """
                uid           -5
                access_token  "2.00…"
                expires_in    60 seconds
                remind_in     0 seconds
                obtained_at   2020-01-01T00:00:00Z
                expires_at    2020-01-01T00:01:00Z
                came from     no archive
                extras = dictionary of 2 entries
                  nested = dictionary of 2 entries
                    n = 1  (integer)
                    password = "pppp…"  (text)
                  refresh_token = "rrrr…"  (text)

                """
        )
        #expect(await tool("show", "-5", "--reveal").text.contains("access_token  \"2.00ABCDEFG\""))
        let first = try await tool.accounts()[0]
        #expect(try await tool("show", "-5", "--json", "--reveal").json() == first)
        #expect(await !tool("show", "-5", "--json").text.contains("2.00A"))
    }

    @Test("what is not there cannot be shown or removed", arguments: ["show", "remove"])
    func absent(command: String) async throws {
        let tool = try await filled()
        let run = await tool(command, "99", "--json")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors == "accounts: there is no account with the uid 99 in \(tool.database)\n")
        #expect(await tool(command, "x").status == 64)
        #expect(await tool(command, "9223372036854775808").status == 64)
    }

    @Test("an account that is removed is gone")
    func remove() async throws {
        let tool = try await filled()
        let run = await tool("remove", "7", "--json")
        #expect(run.text == "{\"uid\":7,\"removed\":true}\n")
        #expect(try await tool.accounts().map { $0["uid"] } == [-5, 12_345_678_901])
        #expect(await tool("remove", "-5").errors == "removed the account with the uid -5 from \(tool.database)\n")
    }

    @Test("text that would steer a terminal is escaped")
    func escapes() async throws {
        let tool = try Tool()
        await tool.add(#"{"access_token":"\u001b[31mred\u0000\n","expires_in":1,"uid":1,"a\u001bb":"x\u202ey"}"#)
        for command in [["list", "--reveal"], ["show", "1", "--reveal"], ["list"], ["show", "1"]] {
            let run = await tool.run(command)
            #expect(run.status == 0)
            #expect(!run.text.contains("\u{1B}") && !run.text.contains("\u{202E}") && !run.text.contains("\0"))
        }
        #expect(await tool("show", "1", "--reveal").text.contains(#"\u{1B}[31mred\u{0}\n"#))
        #expect(try await tool.accounts()[0]["access_token"] == "\u{1B}[31mred\0\n")
    }
}
