import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@Suite("accounts migrate, check and backup")
struct MaintenanceTests {
    private func filled() async throws -> Tool {
        let tool = try Tool()
        #expect(await tool.add(#"{"access_token":"tttttttt","expires_in":1,"uid":1}"#).status == 0)
        return tool
    }

    @Test("a dry run of migrate lists what a database lacks, and creates none")
    func migrate() async throws {
        let tool = try Tool()
        let plan = await tool("migrate", "--dry-run")
        #expect(plan.status == 0)
        #expect(plan.text.hasPrefix("would apply V0001 accounts\n"))
        #expect(try tool.folder.names() == [])
        let json = try await tool("migrate", "--json").object()
        #expect(json["dry_run"] == .bool(false))
        #expect(json["present"] == [])
        #expect(json["applied"] != [])
        #expect(try tool.folder.names() == ["accounts.sqlite"])
        let again = await tool("migrate")
        #expect(again.status == 0)
        #expect(again.output.isEmpty)
        #expect(again.errors.contains("is up to date"))
        #expect(try await tool("migrate", "--dry-run", "--json").object()["pending"] == [])
    }

    @Test("a sound store is said to be sound")
    func check() async throws {
        let tool = try await filled()
        #expect(await tool("check").text == "\(tool.database) is sound: 1 account\n")
        let run = await tool("check", "--json")
        #expect(run.status == 0)
        #expect(
            run.text
                == "{\"ok\":true,\"accounts\":1,\"forms\":0,\"unused_forms\":0,\"problem_count\":0,\"problems\":[]}\n"
        )
    }

    @Test("a form that no account has is told, and is no fault")
    func unusedForm() async throws {
        let tool = try Tool()
        #expect(await tool("import", Fixtures.path("variants/01_Account_seed.data")).status == 0)
        #expect(await tool("remove", "1404376560").status == 0)
        let text = await tool("check")
        #expect(text.status == 0)
        #expect(text.text == "\(tool.database) is sound: 0 accounts, 1 form that no account has\n")
        let json = try await tool("check", "--json").object()
        #expect(json["forms"] == 1 && json["unused_forms"] == 1 && json["ok"] == true)
    }

    @Test("rows and references that are wrong are listed by kind, with status 1, as text and as JSON")
    func faults() async throws {
        let tool = try await filled()
        var configuration = Configuration()
        configuration.foreignKeys = false
        try Connection(path: tool.database, configuration: configuration).execute(
            "UPDATE accounts SET form_id = 77, expires_at = 5, access_token = 'tok-SECRET'; DROP INDEX accounts_expires_at"
        )
        let text = await tool("check")
        #expect(text.status == 1)
        for kind in ["foreignKey: ", "schema: ", "row: "] { #expect(text.text.contains(kind), "\(text.text)") }
        #expect(text.errors.hasSuffix("has 3 problems\n"), "\(text.errors)")
        let json = await tool("check", "--json")
        #expect(json.status == 1)
        let report = try json.object()
        #expect(report["ok"] == false && report["problem_count"] == 3)
        #expect(!"\(text.text)\(text.errors)\(json.text)\(json.errors)".contains("SECRET"))
    }

    @Test("a damaged store is told of with status 1")
    func damaged() async throws {
        let tool = try Tool()
        let objects = (1...500).map { "{\"access_token\":\"tok-SECRET-\($0)\",\"expires_in\":\($0),\"uid\":\($0)}" }
        #expect(await tool.add("[" + objects.joined(separator: ",") + "]").status == 0)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: tool.database)))
        let page = 4096
        for number in 4..<(bytes.count / page) {
            bytes.replaceSubrange((number * page)..<(number * page + 64), with: [UInt8](repeating: 0xFF, count: 64))
        }
        try tool.folder.write(bytes, to: "accounts.sqlite")
        let run = await tool("check")
        #expect(run.status == 1)
        #expect(!run.errors.isEmpty)
        #expect(!run.text.contains("SECRET") && !run.errors.contains("SECRET"))
        let list = await tool("list")
        #expect(list.status == 1)
        #expect(list.errorLines.count == 1)
        #expect(!list.errors.contains("SECRET"))
    }

    @Test("a backup is a store with the same accounts")
    func backup() async throws {
        var tool = try await filled()
        let copy = tool.folder.path(of: "copy.sqlite")
        let run = await tool("backup", copy)
        #expect(run.status == 0)
        #expect(run.errors == "\(copy) is a copy of \(tool.database)\n")
        let accounts = try await tool.accounts()
        #expect(await tool("backup", copy, "--json").text.contains("\"backup\":\""))
        tool.environment["ACCOUNTS_DATABASE"] = copy
        #expect(try await tool.accounts() == accounts)
        #expect(await tool("check").status == 0)
    }

    @Test("a backup does not take the place of what is no database")
    func backupOverOther() async throws {
        let tool = try await filled()
        let path = try tool.folder.write(
            Array("my thesis, which is longer than a header of a database is".utf8),
            to: "thesis"
        )
        let run = await tool("backup", path)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("my thesis"))
        #expect(await tool("backup", tool.folder.path(of: "no/where")).status == 1)
        #expect(await tool("backup", "-").status == 64)
    }

    @Test(
        "commands that only look make no database",
        arguments: [
            ["list"], ["show", "1"], ["remove", "1"], ["check"], ["backup", "b"], ["export", "--all", "-o", "x"],
            ["list", "--json"],
        ]
    )
    func noDatabase(command: [String]) async throws {
        let tool = try Tool()
        let run = await tool.run(command)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == "accounts: \(tool.database): no such database; import or add accounts first, or name it with "
                + "--database\n"
        )
        #expect(try tool.folder.names() == [])
    }

    @Test(
        "a file that is no store is left as it is",
        arguments: [
            ["list"], ["show", "1"], ["remove", "1"], ["check"], ["migrate"], ["migrate", "--dry-run"],
            ["export", "--all", "-o", "x"], ["import", Fixtures.path("variants")],
            ["import", "--dry-run", Fixtures.path("variants")],
        ]
    )
    func noStore(command: [String]) async throws {
        let tool = try Tool()
        let content = Array("this is no database, though it is as long as the header of one would be, and longer".utf8)
        try tool.folder.write(content, to: "accounts.sqlite")
        let run = await tool.run(command)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("accounts: notAStore: "))
        #expect(run.errorLines.count == 1)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: tool.database))) == content)
    }

    @Test("a database that cannot be created is told of in one line", arguments: ["missing/a.sqlite", "."])
    func unreachable(name: String) async throws {
        let tool = try Tool()
        let path = tool.folder.path(of: name)
        let run = await tool("import", Fixtures.path("variants"), "--database", path)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains(path))
    }

    @Test("what is no file is no database, and is not waited for")
    func pipe() async throws {
        let tool = try Tool()
        #expect(mkfifo(tool.database, 0o600) == 0)
        for command in [["list"], ["import", Fixtures.path("variants")], ["check"]] {
            let run = await tool.run(command)
            #expect(run.status == 1)
            #expect(run.errors == "accounts: \(tool.database): is a device, a pipe or a socket; a database is a file\n")
        }
    }

    @Test("a name that SQLite would take for something else is a file")
    func specialNames() async throws {
        let tool = try Tool()
        let run = await tool("list", "--database", ":memory:")
        #expect(run.errors.hasPrefix("accounts: ./:memory:: no such database"))
        #expect(await tool("list", "--database", "").status == 64)
        #expect(await tool("list", "--database", "-").status == 64)
    }
}
