import AccountStorage
import Foundation
import KeyValueCoding
import KeyedArchive
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

    @Test(
        "a store that is open in the same process is not even opened to look into it",
        arguments: ["", "-wal", "-shm"]
    )
    func openStore(suffix: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "accounts.sqlite")
        let store = try await AccountStore(path: path)
        try await store.save(Account(uid: 1, accessToken: "2.00token", expiresIn: 10))
        for command in ["inspect", "add"] {
            let run = try await Tool()(command, path + suffix)
            #expect(run.status == 1)
            #expect(run.errors.contains("which is in use here") || run.errors.contains("that is in use here"))
        }
        #expect(["", "-shm"].allSatisfy { RecordLocks.isHeld(on: path + $0) })
        try await store.close()
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
                root = WeiBoOAuth : NSObject  #1
                  access_token = "2.00…"  (NSString)
                  expires_in = 157679999  (integer)
                  expires_time = 2015-08-23T05:20:00.25Z  (NSDate)
                  logState = true  (bool)
                  remind_in = 157679999  (integer)
                  uid = 1404376560  (integer)

                """
        )
    }

    /// A session whose user has it as a friend and two of whose devices are one.
    private func session() throws -> [UInt8] {
        var graph = ArchiveGraph()
        let (session, user) = (graph.add(ArchivedClass(name: "Session")), graph.add(ArchivedClass(name: "User")))
        let device = graph.add(
            ArchivedClass(name: "Device"),
            fields: [ArchiveField("pin_code", 123_456, encoding: .inline)]
        )
        try graph.setFields([ArchiveField("session", .reference(session)), ArchiveField("name", nil)], of: user)
        let devices = graph.add(
            ArchivedClass(name: "NSMutableArray"),
            elements: [.reference(device), .reference(device), nil]
        )
        let fields = [
            ArchiveField("id", 7, encoding: .inline), ArchiveField("count", 8), ArchiveField("user", .reference(user)),
            ArchiveField("devices", .reference(devices)), ArchiveField("icon", .data([UInt8](0..<20))),
            ArchiveField("refresh_token", .data([1, 2, 3])),
            ArchiveField("note", .text(String(repeating: "n", count: 300))),
            ArchiveField("names", .pairs([Value.Pair(key: 1, value: "one")])),
        ]
        try graph.setFields(fields, of: session)
        try graph.setTop(.reference(session))
        return try graph.data()
    }

    @Test("shared and cyclic objects, classes of values, sizes and secrets show in the tree")
    func graph() async throws {
        let run = try await Tool()("inspect", "-", input: try session())
        let note = String(repeating: "n", count: 256)
        #expect(
            run.text == """
                standard input: binary archive of NSKeyedArchiver, version 100000, 19 objects
                root = Session : NSObject  #1, shared by 2
                  count = 8  (NSNumber)
                  devices = NSMutableArray of 3 elements  #5
                    [0] = Device : NSObject  #6, shared by 2
                      pin_code = …  (integer)
                    [1] → #6  (Device)
                    [2] = null  (NSNull)
                  icon = 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f …  (NSData, 20 bytes)
                  id = 7  (integer)
                  names = NSDictionary of 1 entry  #14
                    key [0] = 1  (NSNumber)
                    value [0] = "one"  (NSString)
                  note = "\(note)"…  (NSString, 300 characters)
                  refresh_token = …  (NSData, 3 bytes)
                  user = User : NSObject  #3
                    name = nil
                    session → #1  (Session, which this is part of)

                """
        )
        let revealed = try await Tool()("inspect", "--reveal", "-", input: try session())
        #expect(revealed.text.contains("pin_code = 123456  (integer)"))
        #expect(revealed.text.contains("refresh_token = 01 02 03  (NSData, 3 bytes)"))
    }

    @Test("in the JSON each reference leads to the object that it means")
    func references() async throws {
        let run = try await Tool()("inspect", "--json", "-", input: try session())
        let document = try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        let references = try #require(document["references"] as? [String: [Any]])
        #expect(references.mapValues { "\($0)" } == ["1": #"["root"]"#, "6": #"["root", "devices", 0]"#])
        #expect(run.text.contains("{\"$ref\":6}"))
        let plain = try await Tool()("inspect", "--json", Fixtures.path("variants/09_WBAccount_name_nil.data"))
        #expect(!plain.text.contains("references"))
        var graph = ArchiveGraph()
        let inner = graph.add([:])
        let list = graph.add(["a"])
        let fields = [
            ArchiveField("$a", .dictionary(["$b": [.reference(inner), .reference(inner)]])),
            ArchiveField("b", .pairs([.init(key: .reference(list), value: nil)])),
            ArchiveField("c", .reference(graph.add(ArchivedClass(name: "NSOrderedSet"), elements: [.reference(list)]))),
        ]
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "A"), fields: fields)))
        let odd = try await Tool()("inspect", "--json", "-", input: try graph.data())
        #expect(odd.text.contains(#"["root","$$a","$$b",0]"#))
        #expect(odd.text.contains(#"["root","b","$pairs",0,0]"#))
    }

    @Test("a UUID and a URL are shown as people write them, and cut where they are secret")
    func identifiers() async throws {
        let id = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")
        let link = URL(string: "a?b=1", relativeTo: URL(string: "https://example.org/x/"))
        var graph = ArchiveGraph()
        let fields = [
            ArchiveField("id", id.propertyValue), ArchiveField("link", link.propertyValue),
            ArchiveField("session", UUID(uuidString: "12345678-8B86-D011-B42D-00CF4FC964FF").propertyValue),
            ArchiveField("odd", .object(.init(className: "NSUUID", classes: [], fields: ["a": 1]))),
        ]
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "A"), fields: fields)))
        let text = try await Tool()("inspect", "-", input: try graph.data()).text
        #expect(text.contains("  id = \"6F9619FF-8B86-D011-B42D-00CF4FC964FF\"  (NSUUID)\n"))
        #expect(text.contains("  link = \"https://example.org/x/a?b=1\"  (NSURL)\n"))
        #expect(text.contains("  session = \"1234…\"  (NSUUID)\n"))
        #expect(text.contains("  odd = NSUUID"))
    }

    @Test("the README shows what the tool prints")
    func readme() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let file = "Examples/LegacyArchives/wb-weibo/account.archive"
        let parts = readme.components(separatedBy: "$ accounts inspect \(file)\n")
        try #require(parts.count == 2)
        let printed = try await Tool()("inspect", root.appending(path: file).path(percentEncoded: false)).text
        let prefix = root.path(percentEncoded: false)
        #expect(parts[1].hasPrefix(printed.replacingOccurrences(of: prefix, with: "") + "```"))
    }

    @Test("the tree and the JSON of an archive cut the same secrets")
    func sameSecrets() async throws {
        let tool = try Tool()
        for name in try Fixtures.archives(in: "bad") + Fixtures.archives(in: "variants") {
            let json = await tool("inspect", "--json", Fixtures.path(name))
            let tree = await tool("inspect", Fixtures.path(name))
            #expect(json.status == tree.status, "\(name)")
            #expect(
                json.text.components(separatedBy: "2.00…").count == tree.text.components(separatedBy: "2.00…").count
            )
            #expect(!json.text.contains("2.00A") && !tree.text.contains("2.00A"), "\(name)")
        }
    }

    @Test("a text that is secret in one place is so before and after it, under any key")
    func sharedSecret() async throws {
        var graph = ArchiveGraph()
        let token = graph.add("c29tZSBzZWNyZXQ")
        let fields = ["a", "access_token", "z"].map { ArchiveField($0, .reference(token)) }
        let again = ArchiveField("list", ["c29tZSBzZWNyZXQ", "c29tZSBzZWNyZXR", ["k": "c29tZSBzZWNyZXQ"]])
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "Account"), fields: fields + [again])))
        for options in [[], ["--json"]] {
            let run = await (try Tool()).run(["inspect", "-"] + options, input: try graph.data())
            #expect(run.text.components(separatedBy: "\"c29t…\"").count == 6)
            #expect(!run.text.contains("c29tZSBzZWNyZXQ"))
            #expect(run.text.contains("c29tZSBzZWNyZXR"))
        }
    }

    private static let secret = "XYZZYPLUGHVALUE-1234567890"

    /// What is printed of an account whose token is known, and of the fields given.
    private func printed(
        token: Value = .text(secret),
        _ fields: [ArchiveField],
        className: String = "Account"
    ) throws -> [UInt8] {
        var graph = ArchiveGraph()
        let fields = [ArchiveField("access_token", token)] + fields
        try graph.setTop(.reference(graph.add(ArchivedClass(name: className), fields: fields)))
        return try graph.data()
    }

    @Test("a known secret is cut inside other texts, in keys, names of fields and classes, and in numbers")
    func everywhere() async throws {
        let bytes = try printed(
            [
                ArchiveField("a_url", .text("https://api/x?t=\(Self.secret)&n=\(Self.secret)")),
                ArchiveField(Self.secret, "field"),
                ArchiveField("map", [Self.secret: "entry", Self.secret + "!": "other"]),
                ArchiveField("pairs", .pairs([Value.Pair(key: 1, value: .text("x" + Self.secret))])),
            ],
            className: "T" + Self.secret
        )
        for options in [[], ["--json"]] {
            let run = await (try Tool()).run(["inspect", "-"] + options, input: bytes)
            #expect(run.status == 0)
            #expect(!run.text.contains("PLUGH") && !run.text.contains("12345"), "\(run.text)")
            for part in [
                "\"https://api/x?t=XYZZ…&n=XYZZ…\"", "TXYZZ…", "\"field\"", "\"entry\"", "\"other\"", "\"xXYZZ…\"",
            ] {
                #expect(run.text.contains(part), "\(part) in \(run.text)")
            }
        }
        let number = try printed(
            token: "123456789012",
            [ArchiveField("n", 123_456_789_012), ArchiveField("m", 123_456_789)]
        )
        for options in [[], ["--json"]] {
            let run = await (try Tool()).run(["inspect", "-"] + options, input: number)
            #expect(!run.text.contains("123456789012") && run.text.contains("123456789"), "\(run.text)")
        }
    }

    @Test("names that are cut to the same stay apart in JSON, and lead to what is referred to")
    func cutNames() async throws {
        var graph = ArchiveGraph()
        let device = graph.add(ArchivedClass(name: "Device"))
        let map: Value = [Self.secret: "one", Self.secret + Self.secret: .reference(device), "XYZZ…": "two"]
        let fields = [
            ArchiveField("access_token", .text(Self.secret)), ArchiveField("map", map),
            ArchiveField("z", .reference(device)),
        ]
        let other = ArchiveField("token", .text(Self.secret + Self.secret))
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "Account"), fields: fields + [other])))
        let run = try await Tool()("inspect", "--json", "-", input: try graph.data())
        let document = try Value(json: run.output, dialect: .plain)
        #expect(document["top"]?["root"]?["map"]?["XYZZ…"] == "one")
        #expect(document["top"]?["root"]?["map"]?["XYZZ… (2)"]?["$class"] == "Device")
        #expect(document["top"]?["root"]?["map"]?["XYZZ… (3)"] == "two")
        guard case .dictionary(let references) = document["references"] else { throw Unexpected(what: run.text) }
        #expect(Array(references.values) == [["root", "map", "XYZZ… (2)"]])
    }

    @Test("data with a known secret or an archive in it is left out, of other data nothing is")
    func secretData() async throws {
        let secret = Self.secret
        let nested = try Fixtures.bytes("expected/normal.apple64-old.data")
        let hidden = [
            Array("x\(secret)y".utf8), secret.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit), 0] },
            secret.utf16.flatMap { (unit: UInt16) -> [UInt8] in [0, UInt8(unit)] },
            nested, Array("{\"password\":\"x12345\"}".utf8),
        ]
        let fields = hidden.enumerated().map { ArchiveField("d\($0.offset)", .data($0.element)) }
        let bytes = try printed(fields + [ArchiveField("icon", .data([1, 2, 255]))])
        let json = try await Tool()("inspect", "--json", "-", input: bytes)
        let root = try Value(json: json.output, dialect: .plain)["top"]?["root"]
        for index in hidden.indices { #expect(root?["d\(index)"] == ["$data": "4oCm"], "\(index)") }
        #expect(root?["icon"] == ["$data": "AQL/"])
        let tree = try await Tool()("inspect", "-", input: bytes)
        for (index, data) in hidden.enumerated() {
            #expect(tree.text.contains("d\(index) = …  (NSData, \(data.count) bytes)"), "\(tree.text)")
        }
        #expect(tree.text.contains("icon = 01 02 ff  (NSData, 3 bytes)"))
        let revealed = try await Tool()("inspect", "--json", "--reveal", "-", input: bytes)
        #expect(!revealed.text.contains("4oCm"))
    }

    @Test(
        "a secret in the place of a class or a field is not whole in what import and inspect say of it",
        arguments: [
            secret, "d41d8cd98f00b204e9800998ecf8427e", "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZab",
            "abcdefghijklmnopqrstuvwxyzabcdef",
        ]
    )
    func failures(token: String) async throws {
        let fields = [ArchiveField(token, 1), ArchiveField("uid", 7)]
        let wrongClass = try printed(token: .text(token), fields, className: token)
        let unknownKey = try printed(token: .text(token), fields, className: "Account")
        for (bytes, code) in [(wrongClass, "wrongClass"), (unknownKey, "unknownKey")] {
            let tool = try Tool()
            let path = try tool.folder.write(bytes, to: "a.data")
            let run = await tool(
                "import",
                "--json",
                "--class",
                "Account",
                "--unknown",
                "reject",
                "--missing",
                "expires_in=0",
                "--missing",
                "remind_in=0",
                path
            )
            #expect(run.text.contains(code), "\(run.text)")
            for text in [run.text, run.errors] { #expect(!text.contains(token), "\(text)") }
            for options in [[], ["--json"]] {
                let shown = await tool.run(["inspect", path] + options)
                #expect(!shown.text.contains(token) && !shown.errors.contains(token))
            }
        }
    }

    @Test("an archive that is wide, and one in which everything refers to everything, are a line for each reference")
    func wide() async throws {
        var graph = ArchiveGraph()
        let elements = (0..<2_000).map { _ in graph.add(ArchivedClass(name: "E")) }
        for element in elements { try graph.setFields([ArchiveField("next", .reference(elements[0]))], of: element) }
        try graph.setTop(.array((0..<20).flatMap { _ in elements.map(Value.reference) }))
        let run = try await Tool()("inspect", "-", input: try graph.data())
        #expect(run.status == 0)
        #expect(run.text.split(separator: "\n").count == 2 + 40_000 + 2_000)
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
