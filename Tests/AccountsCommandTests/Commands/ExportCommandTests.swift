import Foundation
import KeyValueCoding
import TestSupport
import Testing

@Suite("accounts export")
struct ExportCommandTests {
    @Test(
        "what Apple's Foundation writes for given values is written byte for byte, and read back",
        arguments: [
            (
                "normal",
                #"{"access_token":"2.00ABCDEFG","expires_in":157679999,"remind_in":157679999,"uid":1404376560}"#
            ),
            ("nil", #"{"access_token":null,"expires_in":157679999,"remind_in":157679999,"uid":1404376560}"#),
            ("cjk", #"{"access_token":"令牌-访问令牌","expires_in":157679999,"remind_in":157679998,"uid":1404376560}"#),
            (
                "minmax",
                #"{"access_token":"tok","expires_in":9223372036854775807,"remind_in":-9223372036854775808,"uid":9223372036854775807}"#
            ),
        ]
    )
    func expected(name: String, json: String) async throws {
        let tool = try Tool()
        #expect(await tool.add(json, "--obtained-at", "none").status == 0)
        let account = try await tool.accounts()[0]
        guard case .integer(let uid) = account["uid"] else { throw Unexpected(what: "\(account)") }
        for (layout, file) in [("ios12", "old"), ("ios13", "new"), ("original", "new")] {
            let bytes = try Fixtures.bytes("expected/\(name).apple64-\(file).data")
            #expect(await tool.archive(of: uid, "--layout", layout) == bytes)
            let other = try Tool()
            let path = Fixtures.path("expected/\(name).apple64-\(file).data")
            #expect(await other("import", path, "--obtained-at", "none").status == 0)
            #expect(try await other.accounts() == [account])
            #expect(await other.archive(of: uid) == bytes)
        }
    }

    private func filled() async throws -> Tool {
        let tool = try Tool()
        let run = await tool.add(
            #"[{"access_token":"tttttttt","expires_in":1,"uid":1},{"access_token":"u","expires_in":2,"uid":2}]"#,
            "--obtained-at",
            "2020-01-01"
        )
        #expect(run.status == 0)
        return tool
    }

    @Test("one account goes to the file that is named, with the time of issue, readable for the owner alone")
    func one() async throws {
        let tool = try await filled()
        let path = tool.folder.path(of: "one.data")
        let run = await tool("export", "--uid", "1", "--output", path)
        #expect(run.status == 0)
        #expect(run.errors == "wrote \(path)\n")
        #expect(try await [UInt8](Data(contentsOf: URL(filePath: path))) == tool.archive(of: 1))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_577_836_800))
        #expect(
            await tool("export", "--uid=1", "-o", path, "--json").text
                == "{\"accounts\":1,\"unchanged\":1,\"rejected\":0,\"failures\":[]}\n"
        )
    }

    @Test(
        "several accounts go to folders of their uids",
        arguments: [["--all"], ["--uid", "1", "2"], ["--uid", "2,1,2"]]
    )
    func several(options: [String]) async throws {
        let tool = try await filled()
        let folder = tool.folder.path(of: "out")
        let run = await tool.run(["export", "-o", folder] + options)
        #expect(run.status == 0)
        #expect(run.errors == "2 accounts written to \(folder)\n")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        #expect(files == ["1", "1/account.data", "2", "2/account.data"])
        let other = try Tool()
        #expect(await other("import", folder).status == 0)
        #expect(try await other.accounts() == tool.accounts())
    }

    @Test("a uid that is not there is told of, and the others are written")
    func missing() async throws {
        let tool = try await filled()
        let path = tool.folder.path(of: "out")
        let one = await tool("export", "--uid", "9", "-o", path)
        #expect(one.status == 1)
        #expect(one.errors == "accounts: there is no account with the uid 9 in \(tool.database)\n")
        #expect(try tool.folder.names() == ["accounts.sqlite"])
        let some = await tool("export", "--uid", "1", "9", "-o", path, "--json")
        #expect(some.status == 2)
        #expect(some.errorLines.count == 1)
        #expect(
            try some.object()["failures"] == [
                ["uid": 9, "code": "noAccount", "message": "there is no account of uid 9"]
            ]
        )
        #expect(await tool("export", "--uid", "8", "9", "-o", path).status == 1)
    }

    @Test("format and class can be chosen")
    func choices() async throws {
        let tool = try await filled()
        let xml = await tool.archive(of: 1, "--format", "xml", "--class", "HWAccount")
        #expect(String(decoding: xml, as: UTF8.self).hasPrefix("<?xml"))
        let run = await tool("inspect", "-", "--json", input: xml)
        #expect(
            run.text.hasPrefix(
                #"{"format":"xml","archiver":"NSKeyedArchiver","version":100000,"objects":4,"top":{"root":{"$class":"HWAccount","#
            )
        )
    }

    @Test("an account that has changed keeps the form of its archive")
    func changed() async throws {
        let tool = try Tool()
        let path = Fixtures.path("variants/11_YLAccount_integer_uid.data")
        #expect(await tool("import", path, "--class", "YLAccount").status == 0)
        guard case .integer(let uid) = try await tool.accounts()[0]["uid"] else { throw Unexpected(what: path) }
        #expect(
            await tool.add("{\"access_token\":\"changed\",\"expires_in\":5,\"remind_in\":6,\"uid\":\(uid)}").status == 0
        )
        let archive = await tool.archive(of: uid)
        let run = await tool("inspect", "-", "--json", "--reveal", input: archive)
        #expect(
            run.text.contains(
                #""root":{"$class":"YLAccount","$classes":["YLAccount","NSObject"],"access_token":"changed","expires_in":5,"remind_in":6,"#
            )
        )
    }

    @Test(
        "what makes no sense is refused as wrong usage",
        arguments: [
            ["--output", "x"], ["--all", "--uid", "1", "--output", "x"], ["--uid", "1"], ["--all", "--output", "-"],
            ["--uid", "1", "2", "--output", "-"], ["--uid", "1", "--output", "-", "--json"],
            ["--uid", "one", "-o", "x"],
            ["--uid", "1", "-o", "x", "--format", "json"], ["--uid", "1", "-o", "x", "--layout", "ios14"],
        ]
    )
    func usage(options: [String]) async throws {
        let tool = try await filled()
        let run = await tool.run(["export"] + options)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 2)
    }

    @Test("a place that cannot be written to is told of, and nothing is left behind")
    func places() async throws {
        let tool = try await filled()
        let nowhere = tool.folder.path(of: "missing/one.data")
        let run = await tool("export", "--uid", "1", "-o", nowhere)
        #expect(run.status == 1)
        #expect(
            run.errors.hasPrefix("accounts: \(nowhere): unreadable: cannot create a file in its folder: No such file")
        )
        let folder = await tool("export", "--uid", "1", "-o", tool.folder.path)
        #expect(folder.status == 1)
        #expect(folder.errors.contains("is a folder"))
        let file = try tool.folder.write([1], to: "file")
        #expect(await tool("export", "--all", "-o", file).status == 1)
        #expect(try tool.folder.names() == ["accounts.sqlite", "file"])
    }

    @Test("a file with other content stays, and is told of with the option that replaces it")
    func conflicts() async throws {
        let tool = try await filled()
        let path = try tool.folder.write([1], to: "one.data")
        let refused = await tool("export", "--uid", "1", "-o", path)
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.errors == "accounts: \(path): a file with other content is there already; --force replaces it\n"
        )
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
        #expect(await tool("export", "--uid", "1", "-o", path, "--force").errors == "wrote \(path)\n")
        #expect(try await [UInt8](Data(contentsOf: URL(filePath: path))) == tool.archive(of: 1))
        #expect(await tool("export", "--uid", "1", "-o", path).errors == "unchanged \(path)\n")

        let folder = tool.folder.path(of: "out")
        try tool.folder.write([1], to: "out/2/account.data")
        let many = await tool("export", "--all", "-o", folder, "--json")
        #expect(many.status == 2)
        let message = "\(folder)/2/account.data: a file with other content is there already; --force replaces it"
        #expect(many.errors == "accounts: uid 2: \(message)\n")
        #expect(
            try many.object() == [
                "accounts": 1, "unchanged": 0, "rejected": 1,
                "failures": [["uid": 2, "code": "conflict", "message": .text(message)]],
            ]
        )
        let again = await tool("export", "--all", "-o", folder)
        #expect(again.status == 2)
        #expect(again.errorLines.last == "0 accounts written to \(folder), 1 could not be, 1 unchanged")
        #expect(await tool("export", "--uid", "2", "--all", "-o", folder).status == 64)
        #expect(await tool("export", "--all", "-o", folder, "--force", "-j", "3").status == 0)
        #expect(
            await tool("export", "--all", "-o", folder, "--verbose").errors == """
                unchanged \(folder)/1/account.data
                unchanged \(folder)/2/account.data
                0 accounts written to \(folder), 2 unchanged

                """
        )
    }

    @Test("a terminal gets a bar, which goes in the end")
    func bar() async throws {
        let tool = try await filled()
        let folder = tool.folder.path(of: "out")
        let run = await tool("export", "--all", "-o", folder, isTerminal: true)
        #expect(run.errors.contains("] 2 of 2 accounts"))
        #expect(run.errors.hasSuffix("\r\u{1B}[K2 accounts written to \(folder)\n"))
        #expect(await tool("export", "--all", "-o", folder, "--quiet", isTerminal: true).errors.isEmpty)
    }

    @Test("of many failures of a kind the first are told, and how many more there are; JSON has them all")
    func manyFailures() async throws {
        let tool = try Tool()
        let uids: [Int] = Array(1...3000)
        let accounts = uids.map { (uid: Int) -> String in #"{"access_token":"t","expires_in":1,"uid":\#(uid)}"# }
        #expect(await tool.add("[\(accounts.joined(separator: ","))]").status == 0)
        let folder = tool.folder.path(of: "out")
        // Files stand where the folders of accounts are to be.
        for uid in uids where uid > 1 { try tool.folder.write([], to: "out/\(uid)") }
        let run = await tool("export", "--all", "-o", folder)
        #expect(run.status == 2)
        // On a slow machine progress is told, too.
        let lines = run.errorLines.filter { !$0.contains("/s, ") }
        try #require(lines.count == 22)
        #expect(lines[0] == "accounts: uid 2: \(folder)/2: cannot make the folder: File exists")
        #expect(
            lines[20] == "accounts: 2979 more could not be written for such reasons; --json lists them all"
        )
        #expect(lines[21] == "1 account written to \(folder), 2999 could not be")
        let json = await tool("export", "--all", "-o", folder, "--json")
        guard case .array(let failures) = try json.object()["failures"] else { throw Unexpected(what: json.text) }
        #expect(failures.count == 2999)
    }

    @Test("a folder in which nothing can be made ends the export with one line")
    func unwritableFolder() async throws {
        let tool = try await filled()
        // Nothing can be made in /proc, not even by the superuser.
        let run = await tool("export", "--all", "-o", "/proc/self")
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("accounts: /proc/self: unreadable: cannot make folders in it: "))
    }

    @Test("a device gets the archive, and stays what it is")
    func device() async throws {
        let tool = try await filled()
        #expect(await tool("export", "--uid", "1", "-o", "/dev/null").status == 0)
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("a binary archive is not written to a terminal")
    func terminal() async throws {
        let tool = try await filled()
        #expect(await tool("export", "--uid", "1", "-o", "-", isTerminal: true).status == 1)
        #expect(await tool("export", "--uid", "1", "-o", "-", "--format", "xml", isTerminal: true).status == 0)
    }
}
