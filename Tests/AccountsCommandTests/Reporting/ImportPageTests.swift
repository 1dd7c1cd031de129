import ArgumentParsing
import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage
@testable import AccountsCommand

@Suite("accounts import --report")
struct ImportPageTests {
    private static let token = "2.00SECRETtoken4711abcdef"

    /// A tool with a folder of archives: of 3 users, of a user twice, of another class, one damaged, and a file that is none.
    private func prepared() throws -> Tool {
        let tool = try Tool()
        for uid in 1...3 { try write(tool, "\(uid).data", "Account", uid: uid) }
        try write(tool, "3b.data", "Account", uid: 3, life: 1_000)
        try tool.folder.write(
            XMLArchive.bytes("HWAccount", ["access_token": Self.token, "expires_in": 5, "uid": 4]),
            to: "old/4.data"
        )
        try tool.folder.write(Array("bplist00".utf8), to: "old/damaged.data")
        try tool.folder.write(Array("hello".utf8), to: "old/notes <b>&.txt")
        return tool
    }

    private func write(_ tool: Tool, _ name: String, _ className: String, uid: Int, life: Int = 5_000) throws {
        try tool.folder.write(
            XMLArchive.bytes(
                className,
                ["access_token": Self.token, "expires_in": life, "remind_in": life, "uid": uid]
            ),
            to: "old/\(name)"
        )
        try setModificationTime(of: tool.folder.path(of: "old/\(name)"), to: 1_700_000_000)
    }

    /// The page of an import of the folder.
    private func page(_ tool: Tool, _ options: String..., status: Int32 = 2) async throws -> String {
        let path = tool.folder.path(of: "page.html")
        let run = await tool.run(["import", tool.folder.path(of: "old"), "--report", path] + options)
        #expect(run.status == status, "\(run.errors)")
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The text of markup, without tags, and with one space where there is white space.
    private func text(_ markup: String) -> String {
        markup.replacing(#/(?s)<style>.*?</style>/#, with: "").replacing(#/<[^>]*>/#, with: " ")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("the totals are sums that add up")
    func totals() async throws {
        let text = text(try await page(prepared()))
        #expect(
            text.contains(
                "7 files = 4 imported + 0 skipped imported before, unchanged + 1 passed over no archives + 2 refused "
            )
        )
        #expect(
            text.contains(
                "4 accounts = 3 inserted + 0 updated replaced an older one + 0 unchanged were there already "
                    + "+ 1 gave way another of the user stayed"
            )
        )
        #expect(text.contains("Done, but 2 files were refused."))
    }

    @Test("each form has its class, what is particular about it, and what has become of its accounts")
    func forms() async throws {
        let tool = try prepared()
        try tool.folder.write(
            XMLArchive.bytes(
                "Account",
                ["token": Self.token, "expires_in": 5, "uid": "9", "name": "n", "a<b": "x", "city": "y"]
            ),
            to: "old/9.data"
        )
        let text = text(
            try await page(tool, "--class", "HWAccount", "--missing", "remind_in=0", "--key", "token=access_token")
        )
        #expect(text.contains("Account XML the keys and values of the first app 1 4 3 1"))
        #expect(text.contains("HWAccount XML no remind_in, 0 instead 1 1 1 0"))
        #expect(
            text.contains(
                "Account XML access_token is called token; no remind_in, 0 instead; text instead of numbers: uid; "
                    + "more keys: a&lt;b, city, name 1 1 1 0"
            )
        )
        #expect(text.contains("All 6 5 1 "))
    }

    @Test("refused files stand below their code, with the options that help and examples")
    func refusals() async throws {
        let tool = try prepared()
        let old = tool.folder.path(of: "old")
        let text = text(try await page(tool))
        #expect(text.contains("2 files were refused, of which 1 is accepted with the options that are named below."))
        #expect(
            text.contains(
                "wrongClass 1 file The object is of a class that was not declared to be an account. 1 file , accepted with "
                    + "--class HWAccount --missing remind_in=0 \(old)/4.data "
            )
        )
        #expect(
            text.contains("truncated 1 file The file ends before its content does: its end is lost. 1 file , no option")
        )
        #expect(text.contains("\(old)/notes &lt;b&gt;&amp;.txt"))
    }

    @Test("a conflict names the file that stayed and the one that gave way")
    func conflicts() async throws {
        let tool = try prepared()
        let page = try await page(tool)
        #expect(text(page).contains("User (uid) Stayed Gave way 3 3.data 3b.data"))
        #expect(page.contains("Paths are below <code>\(tool.folder.path(of: "old"))/</code>"))
        try write(tool, "3.data", "Account", uid: 3, life: 9_000)
        await tool.add(#"{"access_token":"t","expires_in":1,"uid":2}"#)
        let again = text(try await self.page(tool, "--again"))
        #expect(again.contains("what the same file held before"))
        #expect(again.contains("the account in the store"))
    }

    @Test("names that could be tokens are cut, and no token is in the page, whatever is wrong with its file")
    func secrets() async throws {
        let tool = try prepared()
        let secret = Self.token
        let archives: [[UInt8]] = [
            XMLArchive.bytes(secret, ["access_token": secret, "expires_in": 1, "remind_in": 1, "uid": 5]),
            XMLArchive.bytes("Account", [secret: secret, "expires_in": 1, "remind_in": 1, "uid": 6]),
            XMLArchive.bytes(
                "Account",
                ["access_token": secret, "expires_in": 1, "remind_in": 1, "uid": 7, secret: 1]
            ),
            XMLArchive.bytes("Account", ["access_token": secret, "expires_in": secret, "remind_in": 1, "uid": 8]),
            XMLArchive.bytes("Account", ["access_token": secret, "expires_in": 1, "remind_in": 1, "uid": secret]),
            XMLArchive.bytes(
                "HWAccount",
                ["access_token": secret, "expire.\(secret)": Date(timeIntervalSince1970: 0), "uid": 9]
            ),
        ]
        for (index, archive) in archives.enumerated() { try tool.folder.write(archive, to: "old/secret-\(index).data") }
        let options: [[String]] = [
            [], ["--unknown", "reject"], ["--class", "*"], ["--class", secret], ["--key", "\(secret)=access_token"],
            ["--missing", "access_token=\(secret)"], ["--dry-run"],
        ]
        for words in options {
            let path = tool.folder.path(of: "page.html")
            let run = await tool.run(["import", tool.folder.path(of: "old"), "--again", "--report", path] + words)
            #expect(run.status == 2)
            let page = try String(contentsOfFile: path, encoding: .utf8)
            #expect(page.contains("</html>"))
            // What fails here is not to be printed either.
            let isShown = (page: page.contains("SECRET"), errors: run.errors.contains("SECRET"))
            #expect(isShown == (false, false), "\(words.count) options")
        }
    }

    @Test("no token of the fixtures is in the page about them", arguments: ["bad", "variants", "shapes"])
    func fixtures(folder: String) async throws {
        let tool = try Tool()
        let path = tool.folder.path(of: "page.html")
        let words = ["import", Fixtures.path(folder), "--class", "*", "--missing", "remind_in=0", "--report", path]
        let run = await tool.run(words)
        #expect([0, 2].contains(run.status))
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let accounts = try await tool.accounts()
        #expect(!accounts.isEmpty)
        for account in accounts {
            guard case .text(let token) = account["access_token"], token.count > 4 else { continue }
            let isShown = page.contains(token)
            #expect(!isShown)
        }
    }

    @Test("paths that are not text, and names that are markup, come out as text")
    func oddPaths() async throws {
        let tool = try Tool()
        let folder = FilePath(tool.folder.path).appending([0x63, 0xE9, 0x0A, 0x3C, 0x69, 0x3E])
        try FileWriter.makeFolder(folder)
        try FileWriter.write([1, 2], to: folder.appending("<script>alert(1)<!--"))
        try FileWriter.write(Array("bplist00".utf8), to: folder.appending("\u{202E}'\""))
        let path = tool.folder.path(of: "page.html")
        let run = await tool.run(
            arguments: ["import", "--report", RawArgument(path), RawArgument(bytes: folder.bytes)]
        )
        #expect(run.status == 1)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.contains("<dd><code>\(tool.folder.path)/c\\xE9\\n&lt;i&gt;</code></dd>"))
        #expect(page.contains("/c\\xE9\\n&lt;i&gt;/&lt;script&gt;alert(1)&lt;!--</code>"))
        #expect(page.contains("/\\u{202E}&#39;&quot;</code>"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("<i>"))
    }

    @Test("options that were given are on the page as they are typed")
    func options() async throws {
        let tool = try prepared()
        let page = try await page(
            tool,
            "--class",
            "HW*",
            "--missing",
            "remind_in=0",
            "--on-conflict",
            "replace",
            "--jobs",
            "3",
            "--again",
            "--obtained-at",
            "none",
            "--unknown",
            "drop",
            "--allow-gaps",
            "--key",
            "a b=uid",
            "--dry-run"
        )
        let options = [
            "--class &#39;HW*&#39;", "--key &#39;a b=uid&#39;", "--missing remind_in=0", "--unknown drop",
            "--on-conflict replace", "--obtained-at none", "--allow-gaps", "--dry-run", "--jobs 3", "--again",
        ]
        #expect(
            page.contains(
                "<dd>\(options.map { "<code class=\"option\">\($0)</code>" }.joined(separator: " "))</dd>"
            )
        )
        #expect(page.contains("<b>A dry run.</b> Nothing was written into the store"))
        #expect(text(page).contains("of 5 it is not known"))
    }

    @Test("sections that have nothing to say say so")
    func empty() async throws {
        let tool = try Tool()
        try FileWriter.makeFolder(FilePath(tool.folder.path(of: "old")))
        let text = text(try await page(tool, status: 0))
        for sentence in [
            "Done. No file was refused.", "0 files = 0 imported", "No accounts were imported.", "No file was refused.",
            "there is nothing to show", "No account met another of the same user.",
            "No file was passed over.",
        ] { #expect(text.contains(sentence), "\(sentence)") }
    }

    @Test("the page has one heading of the first rank, and none of the names that its links and labels need twice")
    func structure() async throws {
        let page = try await page(prepared())
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(page.ranges(of: "<h1>").count == 1)
        #expect(page.contains("<meta name=\"viewport\""))
        let ids = page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count)
        #expect(!page.contains(#/https?:/#))
        #expect(!page.contains("<script"))
        #expect(page.ranges(of: "<table").count == page.ranges(of: "<caption>").count)
    }

    // MARK: How it ended

    @Test("an import that fails midway leaves a page about what was done before")
    func midway() async throws {
        let tool = try prepared()
        await tool.add(#"{"access_token":"t","expires_in":1,"uid":1}"#)
        let process = ChildProcess(
            program: "/usr/bin/sqlite3",
            arguments: [
                tool.database,
                "CREATE TRIGGER t BEFORE INSERT ON accounts WHEN NEW.uid = 2 BEGIN SELECT RAISE(ABORT, 'no <room>'); END",
            ]
        )
        #expect(try await process.run() == 0)
        let page = try await page(tool, status: 1)
        #expect(page.contains("<b>Failed:</b> "))
        #expect(page.contains("no &lt;room&gt;"))
        #expect(text(page).contains("= 0 imported + 0 skipped"))
    }

    @Test("an import that was stopped leaves a page about what was done before")
    func interrupted() async throws {
        let tool = try prepared()
        let task = Task {
            await tool("import", tool.folder.path(of: "old"), "--report", tool.folder.path(of: "page.html"))
        }
        task.cancel()
        #expect(await task.value.status == 1)
        let page = try String(contentsOfFile: tool.folder.path(of: "page.html"), encoding: .utf8)
        #expect(page.contains("<b>Interrupted.</b>"))
    }

    // MARK: The file

    @Test("the page is readable by its owner alone, and takes the place of an earlier one")
    func file() async throws {
        let tool = try prepared()
        let path = tool.folder.path(of: "page.html")
        try tool.folder.write([], to: "page.html")
        _ = try await page(tool)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(text(try await page(tool)).contains("4 skipped imported before, unchanged"))
        #expect(try tool.folder.names().filter { $0.hasSuffix(".part") } == [])
    }

    @Test("what is no page is not overwritten, and nothing is imported that could not be told of")
    func otherFile() async throws {
        let tool = try prepared()
        let old = tool.folder.path(of: "old")
        for (target, reason) in [
            ("old/1.data", "is there already and is no HTML page"), ("old", "is a folder"),
            ("missing/page.html", "there is no folder for it"),
        ] {
            let path = tool.folder.path(of: target)
            let run = await tool("import", old, "--report", path)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix("accounts: \(path): \(reason)"))
        }
        #expect(try tool.folder.names() == ["old"])
    }

    @Test("that the page cannot be written is told of when the import is done")
    func unwritable() async throws {
        let tool = try prepared()
        let run = await tool("import", tool.folder.path(of: "old"), "--report", "/proc/page.html")
        #expect(run.status == 1)
        #expect(run.errors.contains("4 accounts in 4 files, 3 inserted"))
        #expect(
            run.errorLines.last?.hasPrefix("accounts: the page about the import was not written: /proc/page.html: ")
                == true
        )
        #expect(try await tool.accounts().count == 3)
    }

    @Test("the page goes to standard output where that is asked for, unless JSON goes there")
    func standardOutput() async throws {
        let tool = try prepared()
        let old = tool.folder.path(of: "old")
        let run = await tool("import", old, "--report", "-")
        #expect(run.status == 2)
        #expect(run.text.hasPrefix("<!DOCTYPE html>"))
        #expect(run.text.hasSuffix("</html>\n"))
        #expect(await tool("import", old, "--report", "-", "--json").status == 64)
    }

    @Test("what each code means is said in a sentence")
    func codes() {
        var codes = ArchiveError.Code.allCases.map(\.rawValue) + MappingError.Code.allCases.map(\.rawValue)
        codes += [StoreError.Code.conflict, .unreadable, .tooLarge].map(\.rawValue)
        for code in codes { #expect(FailureMeaning.of(code).hasSuffix("."), "\(code)") }
    }
}
