import KeyValueCoding
import TestSupport
import Testing

@testable import AccountsCommand

@Suite("accounts inspect")
struct InspectCommandTests {
    @Test("an archive is a JSON document in the documented form")
    func json() async throws {
        let run = try await Tool()(
            "inspect",
            "--json",
            "--reveal",
            Fixtures.path("variants/05_WeiBoOAuth_logState.data")
        )
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(
            run.text.hasPrefix(
                #"{"format":"binary","archiver":"NSKeyedArchiver","version":100000,"objects":6,"top":{"root":{"$class":"#
                    + #""WeiBoOAuth","$classes":["WeiBoOAuth","NSObject"],"access_token":"2.00"#
            )
        )
        let root = try Value(json: run.output, dialect: .plain)["top"]?["root"]
        #expect(root?["expires_time"] == ["$date": "2015-08-23T05:20:00.25Z"])
        #expect(root?["logState"] == .bool(true))
        #expect(root?["uid"] == 1_404_376_560)
    }

    @Test("tokens are cut unless they are asked for, in the tree and in JSON")
    func secrets() async throws {
        let path = Fixtures.path("expected/normal.apple64-old.data")
        let tool = try Tool()
        for arguments in [["inspect", path], ["inspect", "--json", path]] {
            let hidden = await tool.run(arguments)
            #expect(hidden.text.contains("2.00…") && !hidden.text.contains("2.00A"))
            let shown = await tool.run(arguments + ["--reveal"])
            #expect(shown.text.contains("2.00ABCDEFG"))
        }
    }

    @Test("a tree for people shows classes, keys, values and kinds")
    func tree() async throws {
        let path = Fixtures.path("variants/05_WeiBoOAuth_logState.data")
        let run = try await Tool()("inspect", path)
        #expect(
            run.text == """
                \(path): binary archive of NSKeyedArchiver, version 100000, 6 objects
                root = WeiBoOAuth : NSObject
                  access_token = "2.00…"  (text)
                  expires_in = 157679999  (integer)
                  expires_time = 2015-08-23T05:20:00.25Z  (date)
                  logState = true  (bool)
                  remind_in = 157679999  (integer)
                  uid = 1404376560  (integer)

                """
        )
    }

    @Test("colours are for terminals, unless NO_COLOR is set")
    func colour() async throws {
        var tool = try Tool()
        let path = Fixtures.path("expected/normal.apple64-old.data")
        #expect(await tool("inspect", path, isTerminal: true).text.contains("\u{1B}[36muid\u{1B}[0m = "))
        #expect(await !tool("inspect", path).text.contains("\u{1B}"))
        tool.environment["NO_COLOR"] = "1"
        #expect(await !tool("inspect", path, isTerminal: true).text.contains("\u{1B}"))
    }

    @Test("standard input is read for '-'")
    func standardInput() async throws {
        let bytes = try Fixtures.bytes("expected/normal.apple64-new.data")
        let run = try await Tool()("inspect", "-", input: bytes)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("standard input: binary archive"))
    }

    @Test("every fixture is shown or refused in one line that names file and code")
    func everything() async throws {
        let tool = try Tool()
        for name in try Fixtures.archives(in: "bad") + Fixtures.archives(in: "variants") {
            let path = Fixtures.path(name)
            for options in [["--json", "--reveal"], []] {
                let run = await tool.run(["inspect", path] + options)
                if run.status == 0 {
                    if !options.isEmpty { #expect(try Value(json: run.output, dialect: .plain)["top"] != nil) }
                } else {
                    #expect(run.status == 1)
                    #expect(run.output.isEmpty)
                    #expect(run.errorLines.count == 1)
                    #expect(run.errors.contains(#/^accounts: .*\.data: [a-zA-Z]+: /#), "\(run.errors)")
                }
            }
        }
    }

    @Test("an archive of another class, with other roots, or with a null root is shown all the same")
    func otherRoots() async throws {
        let tool = try Tool()
        let many = await tool("inspect", "--json", Fixtures.path("bad/root_many.data"))
        guard case .dictionary(let top) = try Value(json: many.output, dialect: .plain)["top"] else {
            throw Unexpected(what: many.text)
        }
        #expect(top.count > 1)
        let unkeyed = await tool("inspect", "--json", Fixtures.path("bad/root_default_dollar0.data"))
        #expect(unkeyed.text.contains("\"top\":{\"$0\":"))
    }

    @Test("gaps between objects are warned of, and do not keep the archive from being shown")
    func gaps() async throws {
        let tool = try Tool()
        let path = try tool.folder.write(try gappedArchive(), to: "gap.data")
        let run = await tool("inspect", path)
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("accounts: warning: \(path): badOffsetTable: "))
        #expect(run.text.contains("uid = 1404376560"))
        #expect(await tool("inspect", path, "--quiet").errors.isEmpty)
    }
}

/// An archive with a byte between its objects and its offset table.
func gappedArchive() throws -> [UInt8] {
    var bytes = try Fixtures.bytes("expected/normal.apple64-old.data")
    let table = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    bytes.insert(0, at: table)
    let start = UInt64(table + 1)
    bytes.replaceSubrange((bytes.count - 8)..., with: (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * $0)) })
    return bytes
}
