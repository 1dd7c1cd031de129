import KeyValueCoding
import TestSupport
import Testing

@Suite("accounts add")
struct AddCommandTests {
    static let reply = """
        {"access_token":"2.00ABCDEFG","remind_in":"157679999","expires_in":157679999,"uid":"1404376560","isRealName":"true"}
        """

    @Test("a token that stands where it does not belong is not repeated in the message")
    func misplacedTokens() async throws {
        let tool = try Tool()
        let token = "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZab"
        let reply = "{\"access_token\":\"\(token)\",\"expires_in\":1,\"uid\":1}"
        let lines: [[String]] = [
            ["add", reply], ["add", " [\(reply)]"], ["import", reply], ["inspect", reply], ["add", "--missing", token],
            ["add", "--key", token], ["add", "--key", "\(token)=\(token)"], ["add", "--missing", "\(token)=1"],
            ["add", "a", reply], ["add", "a", token], [token], [reply], ["help", token], ["show", token],
            ["add", "--\(token)"],
            ["add", "--key", "\(token)=uid", "--key", "\(token)=expires_in"], ["list", "--limit", token],
        ]
        for line in lines {
            let run = await tool.run(line)
            #expect(run.status == 1 || run.status == 64)
            #expect(!run.errors.isEmpty && !run.errors.contains(token.prefix(12)), "\(line): \(run.errors)")
        }
        let unknown = "{\"\(token)\":1,\"expires_in\":1,\"uid\":1}"
        let run = await tool.run(["add", "--unknown", "reject"], input: Array(unknown.utf8))
        #expect(run.status == 1)
        #expect(!run.errors.contains(token.prefix(12)), "\(run.errors)")
    }

    @Test("the API's reply becomes an account, and what the model lacks goes to the extras")
    func reply() async throws {
        let tool = try Tool()
        let run = await tool.add(Self.reply, "--obtained-at", "2015-08-23T05:20:00Z")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.last == "1 account inserted")
        #expect(
            await tool("list", "--json", "--reveal").text == """
                [
                {"uid":1404376560,"access_token":"2.00ABCDEFG","expires_in":157679999,"remind_in":157679999,\
                "obtained_at":"2015-08-23T05:20:00Z","expires_at":"2020-08-21T05:19:59Z","extras":{"isRealName":"true"}}
                ]

                """
        )
    }

    @Test("a new token takes nothing away that the account had beside it")
    func extrasStay() async throws {
        let tool = try Tool()
        _ = await tool.add(#"{"access_token":"old","expires_in":1,"uid":7,"refresh_token":"r","name":"n"}"#)
        _ = await tool.add(#"{"access_token":"new","expires_in":2,"uid":7,"name":"other"}"#)
        let account = try #require(try await tool.accounts().first)
        #expect(account["access_token"] == "new")
        #expect(account["extras"] == ["refresh_token": "r", "name": "other"])
    }

    @Test(
        "digits beyond those of a double stay exact",
        arguments: ["148423162444258920", "9007199254740993", "-0", "007"]
    )
    func digits(text: String) async throws {
        let tool = try Tool()
        #expect(await tool.add("{\"access_token\":\"t\",\"expires_in\":1,\"uid\":\"\(text)\"}").status == 0)
        #expect(try await tool.accounts().first?["uid"] == .integer(try #require(Int64(text))))
    }

    @Test(
        "what does not fit is refused with the key, and nothing is saved",
        arguments: [
            (#"{"access_token":"t","expires_in":1,"uid":"9223372036854775808"}"#, "outOfRange: uid"),
            (#"{"access_token":"t","expires_in":1,"uid":"1e3"}"#, "typeMismatch: uid"),
            (#"{"access_token":"t","expires_in":1,"uid":" 12 "}"#, "typeMismatch: uid"),
            (#"{"access_token":"t","expires_in":1,"uid":true}"#, "typeMismatch: uid"),
            (#"{"access_token":"t","expires_in":1,"uid":1.5}"#, "notIntegral: uid"),
            (#"{"access_token":"t","expires_in":1,"uid":null}"#, "nullValue: uid"),
            (#"{"access_token":42,"expires_in":1,"uid":1}"#, "typeMismatch: access_token"),
            (#"{"access_token":"t","expires_in":"3600s","uid":1}"#, "typeMismatch: expires_in"),
            (#"{"access_token":"t","expires_in":1}"#, "missingKey: uid"),
            (#"{"access_token":"t","uid":1}"#, "missingKey: expires_in"),
            (
                #"[{"access_token":"t","expires_in":1,"uid":1},{"access_token":"t","uid":2}]"#,
                "missingKey: [1].expires_in"
            ),
            ("[7]", "[0] is an integer"),
            ("[]", "the array is empty"),
            ("\"2.00SECRET\"", "the reply is text"),
            ("", "empty: line 1"),
            ("{\"access_token\":\"2.00SECRET", "truncated: line 1"),
            ("{\"uid\":1,\n \"uid\":2}", "duplicateKey: line 2, column"),
            ("not json", "unexpectedByte: line 1, column 2"),
        ]
    )
    func refused(json: String, message: String) async throws {
        let tool = try Tool()
        let run = await tool.add(json)
        #expect(run.status == 1)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("accounts: standard input: \(message)"), "\(run.errors)")
        #expect(!run.errors.contains("SECRET"))
        #expect(await tool("list").status == 1, "no database is made for it")
    }

    @Test("a file counts as issued when it was changed last, and standard input now")
    func timeOfIssue() async throws {
        let tool = try Tool()
        let file = try tool.folder.write(Array(Self.reply.utf8), to: "reply.json")
        try setModificationTime(of: file, to: 1_440_307_200)
        #expect(await tool("add", file).status == 0)
        #expect(try await tool.accounts().first?["obtained_at"] == "2015-08-23T05:20:00Z")
        #expect(await tool("add", file, "--obtained-at", "none").status == 0)
        #expect(try await tool.accounts().first?["obtained_at"] == .null)
        #expect(await tool.add(Self.reply).status == 0)
        let now = try #require(await tool.accounts().first?["obtained_at"])
        #expect("\(now)" != "null")
        #expect(await tool.add(Self.reply, "--obtained-at", "mtime").status == 64)
    }

    @Test("other keys, missing keys and unknown keys are dealt with as the options say")
    func options() async throws {
        let tool = try Tool()
        let run = await tool.add(
            #"{"token":"t1","user":"5","more":1}"#,
            "--key",
            "token=access_token",
            "--key=user=uid",
            "--missing",
            "expires_in=60",
            "--unknown",
            "drop"
        )
        #expect(run.status == 0)
        let account = try #require(await tool.accounts().first)
        #expect(account["access_token"] == "t1")
        #expect(account["uid"] == 5)
        #expect(account["expires_in"] == 60)
        #expect(account["remind_in"] == 0)
        #expect(account["extras"] == [:])
        let rejected = await tool.add(#"{"access_token":"t","uid":1,"expires_in":1,"more":1}"#, "--unknown", "reject")
        #expect(rejected.status == 1)
        #expect(rejected.errors.contains("unknownKey: more"))
    }

    @Test("where there is an account already, the rule decides, and by default the new one stays")
    func conflicts() async throws {
        let tool = try Tool()
        func json(_ token: String) -> String { "{\"access_token\":\"\(token)\",\"expires_in\":1,\"uid\":1}" }
        #expect(await tool.add(json("first"), "--obtained-at", "2020-01-02").errorLines.last == "1 account inserted")
        #expect(await tool.add(json("first"), "--obtained-at", "2020-01-02").errorLines.last == "1 account unchanged")
        #expect(await tool.add(json("older"), "--obtained-at", "2020-01-01").errorLines.last == "1 account updated")
        #expect(try await tool.accounts().first?["access_token"] == "older")
        let kept = await tool.add(json("other"), "--obtained-at", "2019-01-01", "--on-conflict", "newest", "--json")
        #expect(try kept.json() == ["accounts": 1, "inserted": 0, "updated": 0, "unchanged": 1, "uids": [1]])
        #expect(await tool.add(json("other"), "--on-conflict", "keep").status == 0)
        #expect(try await tool.accounts().first?["access_token"] == "older")
        let failed = await tool.add(json("other"), "--on-conflict", "fail")
        #expect(failed.status == 1)
        #expect(failed.errors.hasPrefix("accounts: conflict: "))
        #expect(try await tool.accounts().first?["access_token"] == "older")
    }

    @Test("an array is added as a whole, or not at all")
    func array() async throws {
        let tool = try Tool()
        let both = #"[{"access_token":"a","expires_in":1,"uid":1},{"access_token":"b","expires_in":1,"uid":2}]"#
        let run = await tool.add(both, "--json")
        #expect(run.text == "{\"accounts\":2,\"inserted\":2,\"updated\":0,\"unchanged\":0,\"uids\":[1,2]}\n")
        #expect(run.errors.isEmpty)
        let more = #"[{"access_token":"c","expires_in":1,"uid":3},{"access_token":"d","expires_in":1,"uid":2}]"#
        #expect(await tool.add(more, "--on-conflict", "fail").status == 1)
        #expect(try await tool.accounts().count == 2)
    }

    @Test("a token is never shown whole, whatever happens")
    func secrecy() async throws {
        let tool = try Tool()
        let run = await tool.add(Self.reply)
        #expect(run.errors.contains("token \"2.00…\""))
        #expect(!run.errors.contains("2.00A"))
    }

    @Test("an archive is sent to the command that it is for")
    func archive() async throws {
        let run = try await Tool()("add", Fixtures.path("variants/01_Account_seed.data"))
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix(": this is not JSON; 'accounts import' brings archives in\n"))
    }

    @Test("a person at a terminal is told what is waited for")
    func terminal() async throws {
        let tool = try Tool()
        let run = await tool("add", input: Array(Self.reply.utf8), isTerminal: true)
        #expect(run.errorLines.first == "reading the reply from the terminal; Control-D ends it")
    }

    @Test("a file that cannot be read is told of", arguments: ["missing.json", "."])
    func unreadable(name: String) async throws {
        let tool = try Tool()
        let path = tool.folder.path(of: name)
        let run = await tool("add", path)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("accounts: \(path): unreadable: cannot "))
    }
}
