import ArgumentParsing
import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountsCommand

@Suite("accounts import")
struct ImportCommandTests {
    private static let seed = "variants/01_Account_seed.data"

    @Test("the report has the documented keys in their order, and nothing else is on standard output")
    func report() async throws {
        let tool = try Tool()
        let bad = Fixtures.path("bad/version_wrong.data")
        let run = await tool("import", "--json", Fixtures.path(Self.seed), bad)
        #expect(run.status == 2)
        #expect(
            run.text == """
                {"files":2,"imported":1,"accounts":1,"inserted":1,"updated":0,"unchanged":0,"skipped":0,\
                "passed_over":0,"rejected":1,"failures":[{"code":"unsupportedVersion","message":"byte 50: the archive's $version is 99999; expected \
                100000","path":"\(bad)"}]}

                """
        )
        #expect(
            run.errors
                == "accounts: \(bad): unsupportedVersion: byte 50: the archive's $version is 99999; expected 100000\n"
        )
    }

    @Test("the exit status is 0 if all was done, 2 if some was refused, and 1 if nothing was done")
    func status() async throws {
        let tool = try Tool()
        let good = Fixtures.path(Self.seed)
        let bad = Fixtures.path("bad/empty.data")
        #expect(await tool("import", bad).status == 1)
        #expect(await tool("import", bad, good).status == 2)
        #expect(await tool("import", good).status == 0, "it is skipped")
        #expect(await tool("import", good, bad).status == 2, "what is skipped is done")
        #expect(await tool("import", tool.folder.path(of: "missing")).status == 1)
    }

    @Test("a folder is walked, what is no property list is passed over, and a second import skips what has not changed")
    func folder() async throws {
        let tool = try Tool()
        try tool.folder.write(Fixtures.bytes(Self.seed), to: "old/a/account.data")
        try tool.folder.write(Array("notes".utf8), to: "old/a/notes.txt")
        try tool.folder.write(Fixtures.bytes("bad/uid_2byte_high.data"), to: "old/b/account.data")
        let old = tool.folder.path(of: "old")
        let first = await tool("import", "--json", old)
        #expect(first.status == 0)
        #expect(
            first.text.hasPrefix(
                #"{"files":3,"imported":2,"accounts":2,"inserted":2,"updated":0,"unchanged":0,"skipped":0,"passed_over":1,"#
            )
        )
        let second = await tool("import", old)
        #expect(second.status == 0)
        #expect(
            second.errorLines.last == "0 accounts in 0 files, 0 inserted, 0 updated, 0 unchanged, 2 files skipped as "
                + "imported before, 1 file passed over as no archive"
        )
        #expect(second.errorLines.first?.hasPrefix("passed over \(old)/a/notes.txt: ") == true)
        let again = try await tool("import", "--again", "--json", old).object()
        #expect(again["skipped"] == 0)
        #expect(again["unchanged"] == 2)
    }

    @Test("a dry run tells what an import would, and writes nothing", arguments: ["newest", "replace", "keep", "fail"])
    func dryRun(rule: String) async throws {
        let tool = try Tool()
        let options = [
            "import", Fixtures.path("variants"), "--json", "--class", "*", "--missing", "remind_in=0", "--key",
            "expires_date=expires_at", "--on-conflict", rule,
        ]
        let rehearsal = await tool.run(options + ["--dry-run"])
        #expect(try tool.folder.names() == [])
        let real = await tool.run(options)
        #expect(rehearsal.text == real.text)
        #expect(rehearsal.status == real.status)
        let before = try await tool.accounts()
        let second = await tool.run(options + ["--dry-run", "--again"])
        #expect(try await tool.accounts() == before)
        #expect(await tool.run(options + ["--again"]).text == second.text)
    }

    @Test("what is refused goes into the quarantine with the reason")
    func quarantine() async throws {
        let tool = try Tool()
        try tool.folder.write(Fixtures.bytes("bad/self_ref_array.data"), to: "old/x/account.data")
        let run = await tool("import", tool.folder.path(of: "old"), "--quarantine", tool.folder.path(of: "refused"))
        #expect(run.status == 1)
        let copy = try Data(contentsOf: URL(filePath: tool.folder.path(of: "refused/x/account.data")))
        #expect(try [UInt8](copy) == Fixtures.bytes("bad/self_ref_array.data"))
        let reason = try Data(contentsOf: URL(filePath: tool.folder.path(of: "refused/x/account.data.reason.json")))
        #expect(try Value(json: [UInt8](reason), dialect: .plain)["code"] == "cycle")
        let again = await tool("import", tool.folder.path(of: "refused"))
        #expect(again.errors.contains("account.data.reason.json: a quarantine's reason for the file beside it\n"))
        let both = await tool("import", ".", "--quarantine", "q", "--dry-run")
        #expect(both.status == 64)
    }

    @Test("an archive on standard input is imported, and refused under that name")
    func standardInput() async throws {
        let tool = try Tool()
        let seed = try Fixtures.bytes(Self.seed)
        let run = await tool("import", "-", input: seed)
        #expect(run.status == 0)
        #expect(try await tool.accounts()[0]["obtained_at"] == .null)
        #expect(await tool.archive(of: 1_404_376_560) == seed)
        let other = try Fixtures.bytes("variants/07_HWAccount_min.data")
        let refused = await tool("import", Fixtures.path(Self.seed), "-", "--json", input: other)
        #expect(refused.status == 2)
        #expect(refused.errors.hasPrefix("accounts: standard input: wrongClass: "))
        #expect(refused.errors.hasSuffix("; accepted with --class HWAccount --missing remind_in=0\n"))
        #expect(await tool("import", "-", "-", input: seed).status == 64)
    }

    @Test("options for files that are probably damaged are not advised like those for an app")
    func damagedNames() async throws {
        let tool = try Tool()
        let app = try Fixtures.bytes("variants/07_HWAccount_min.data")
        for number in 1...3 { try tool.folder.write(app, to: "old/\(number)") }
        try tool.folder.write(app.replacing("HWAccount".utf8, with: "HWAccounu".utf8), to: "old/4")
        try tool.folder.write(gappedArchive(), to: "old/5")
        // The value is there; a stand-in would be a wrong one.
        try tool.folder.write(app.replacing("expires_in".utf8, with: "expires_kn".utf8), to: "old/6")
        let old = tool.folder.path(of: "old")
        let run = await tool("import", old, "--dry-run")
        #expect(
            run.errorLines.suffix(3) == [
                "3 files: class HWAccount, add --class HWAccount --missing remind_in=0",
                "1 file: class HWAccounu, probably damaged: \"HWAccounu\" is \"HWAccount\" but for one letter; if not, "
                    + "add --class HWAccounu --missing remind_in=0",
                "1 file: badOffsetTable, probably damaged: their parts do not agree, and values may be wrong; if not, add --allow-gaps",
            ]
        )
        // The prefix of another app.
        try tool.folder.write(app.replacing("HWAccount".utf8, with: "IWAccount".utf8), to: "old/7")
        #expect(
            await tool("import", old, "--dry-run").errorLines
                .contains("1 file: class IWAccount, add --class IWAccount --missing remind_in=0")
        )
        let next = await tool("import", old, "--dry-run", "--class", "HWAccount", "--missing", "remind_in=0")
        #expect(next.errorLines.contains { $0.contains("\"HWAccounu\" is \"HWAccount\" but for one letter") })
        #expect(next.errorLines.contains { $0.contains("old/6: missingKey: ") && !$0.contains("accepted with") })
        let page = await tool("import", old, "--dry-run", "--report", "-").text
        #expect(
            page.contains("but probably damaged: &quot;HWAccounu&quot; is &quot;HWAccount&quot; but for one letter")
        )
    }

    @Test("a class is not advised for a file that is not accepted with it")
    func noAccountClass() async throws {
        let tool = try Tool()
        let bytes = try Fixtures.bytes("variants/07_HWAccount_min.data").replacing("uid".utf8, with: "uix".utf8)
        let run = await tool("import", try tool.folder.write(bytes, to: "1.data"))
        #expect(run.errors.contains(": wrongClass: "))
        #expect(!run.errors.contains("add"))
    }

    @Test("bytes between the objects are refused, with the option that accepts them")
    func gaps() async throws {
        let tool = try Tool()
        let bytes = try gappedArchive()
        let path = try tool.folder.write(bytes, to: "gap.data")
        let refused = await tool("import", path)
        #expect(refused.status == 1)
        #expect(refused.errors.contains(": badOffsetTable: "))
        let advice = "; accepted with --allow-gaps, though it is probably damaged, and values may be wrong"
        #expect(refused.errorLines[0].hasSuffix(advice))
        #expect(await tool("import", path, "--allow-gaps").status == 0)
        #expect(await tool.archive(of: 1_404_376_560) == bytes)
    }

    @Test("dates of other names become the properties that they are said to be")
    func dates() async throws {
        let tool = try Tool()
        let path = Fixtures.path("variants/09_WBAccount_name_nil.data")
        let run = await tool(
            "import",
            path,
            "--class",
            "WBAccount",
            "--missing=remind_in=0",
            "--key",
            "created_time=obtained_at"
        )
        #expect(run.status == 0)
        let account = try await tool.accounts()[0]
        #expect(account["obtained_at"] != .null)
        #expect(account["extras"]?["created_time"] == nil)
        #expect(await tool.archive(of: 1_404_376_560) == (try Fixtures.bytes("variants/09_WBAccount_name_nil.data")))
    }

    @Test("keys that an account does not have are kept, dropped or refused")
    func unknownKeys() async throws {
        let path = Fixtures.path("variants/05_WeiBoOAuth_logState.data")
        for (policy, extras, status) in [("keep", 2, 0), ("drop", 0, 0), ("reject", 0, 1)] as [(String, Int, Int32)] {
            let tool = try Tool()
            let run = await tool("import", path, "--class", "*", "--unknown", policy)
            #expect(run.status == status)
            if status == 1 {
                #expect(run.errors.contains(": unknownKey: "))
                #expect(run.errorLines[0].hasSuffix("; accepted with --unknown keep"))
                continue
            }
            guard case .dictionary(let found) = try await tool.accounts()[0]["extras"] else {
                throw Unexpected(what: policy)
            }
            #expect(found.count == extras)
        }
    }

    @Test("without a time of its own an account has that of the file, or none")
    func obtainedAt() async throws {
        let tool = try Tool()
        let path = try tool.folder.write(Fixtures.bytes(Self.seed), to: "account.data")
        try setModificationTime(of: path, to: 1_440_307_200)
        #expect(await tool("import", path).status == 0)
        #expect(try await tool.accounts()[0]["obtained_at"] == "2015-08-23T05:20:00Z")
        let without = try Tool()
        #expect(await without("import", path, "--obtained-at", "none").status == 0)
        #expect(try await without.accounts()[0]["obtained_at"] == .null)
    }

    @Test(
        "options that cannot be are refused before anything is done",
        arguments: [
            (["--key", "a=expire_in"], "did you mean 'expires_in'?"),
            (["--key", "a"], "expected ARCHIVED=PROPERTY"),
            (["--key", "=uid"], "nothing stands before the '='"),
            (["--key", "a=uid", "--key", "a=expires_in"], "as both uid and expires_in"),
            (["--missing", "uid=1"], "there is no stand-in for uid"),
            (["--missing", "remind_in=x"], "not a whole number"),
            (["--missing", "remind=1"], "did you mean 'remind_in'?"),
            (["--missing", "remind_in"], "expected KEY=VALUE"),
            (["--missing", "remind_in=1", "--missing", "remind_in=2"], "two values for remind_in"),
            (["--unknown", "ignore"], "not one of keep, drop, reject"),
            (["--on-conflict", "newer"], "did you mean 'newest'?"),
            (["--jobs", "0"], "out of range"),
            (["--class", ""], "must not be empty"),
        ]
    )
    func usage(options: [String], message: String) async throws {
        let tool = try Tool()
        let run = await tool.run(["import", Fixtures.path(Self.seed)] + options)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasSuffix("See 'accounts help import'.\n"))
        #expect(try tool.folder.names() == [])
    }

    @Test("a file whose name is no text is imported, and shown with its bytes escaped")
    func names() async throws {
        let tool = try Tool()
        let name = Array(tool.folder.path(of: "f").utf8) + [0xE9, 0x0A]
        func write(_ bytes: [UInt8]) throws {
            let file = try #require(
                (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { fopen($0.baseAddress, "w") }
            )
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
            fclose(file)
        }
        try write(Fixtures.bytes(Self.seed))
        #expect(await tool.run(arguments: ["import", RawArgument(bytes: name)]).status == 0)
        try write([])
        let run = await tool.run(arguments: ["import", RawArgument(bytes: name)])
        #expect(run.errors.hasPrefix("accounts: \(tool.folder.path)/f\\xE9\\n: empty: "))
        #expect(run.errorLines.count == 2)
        let json = await tool.run(arguments: ["import", "--json", RawArgument(bytes: name)])
        guard case .array(let failures) = try json.object()["failures"],
            case .text(let encoded) = failures[0]["path_bytes"]
        else { throw Unexpected(what: json.text) }
        #expect(Data(base64Encoded: encoded) == Data(name))
    }

    @Test("a class that was not asked for is named with its chain, and the way to accept it is told once")
    func wrongClass() async throws {
        let tool = try Tool()
        for name in ["HWAccount", "It's: an Account", "A*B"] {
            let archive = try await exported(as: name)
            let path = try tool.folder.write(archive, to: "account.data")
            let run = await tool("import", path)
            #expect(
                run.errorLines.first?.hasSuffix(
                    ": the class is \"\(name)\" (\(name) : NSObject), which is none of: Account; accepted with --class "
                        + Shell.quote(name)
                ) == true,
                "\(run.errors)"
            )
        }
    }

    /// An archive of a class.
    private func exported(as name: String) async throws -> [UInt8] {
        let tool = try Tool()
        await tool.add(#"{"access_token":"tttttttt","expires_in":1,"remind_in":1,"uid":1}"#)
        return await tool.archive(of: 1, "--class", name)
    }

    @Test("progress is for terminals, and leaves no trace")
    func progress() async throws {
        let run = try await Tool()("import", Fixtures.path(Self.seed), isTerminal: true)
        let clear = "\r\u{1B}[K"
        // Whether the files were counted by then is up to the machine.
        let bar = try #require(run.errors.components(separatedBy: clear).dropFirst().first)
        #expect(bar.contains("1 file") || bar.contains("1 of 1 file"))
        #expect(run.errors.contains(clear + "1 account in 1 file"))
        #expect(
            try await !(Tool()("import", Fixtures.path(Self.seed), "--quiet", isTerminal: true)).errors.contains(
                "\u{1B}"
            )
        )
    }
}
