import FoundationEssentials
import KeyValueCoding
import TestSupport
import Testing

@Suite("Archives of ten apps")
struct VariantTests {
    /// What is in the files, as another reader of property lists gives it. A missing period is worked out or asked for.
    static let variants: [(file: String, uid: Int64, expiresIn: Int64?, remindIn: Int64, extras: [String: Value])] = [
        ("01_Account_seed", 1_404_376_560, 157_679_999, 157_679_999, [:]),
        ("03_WBAccount_expiresTime", 1_404_376_560, 157_679_999, 157_679_999, ["expiresTime": date]),
        (
            "05_WeiBoOAuth_logState", 1_404_376_560, 157_679_999, 157_679_999,
            ["expires_time": date, "logState": .bool(true)]
        ),
        ("07_HWAccount_min", 1_404_376_560, 157_679_999, 0, [:]),
        ("09_WBAccount_name_nil", 1_404_376_560, 157_679_999, 0, ["created_time": date, "name": .null]),
        ("11_YLAccount_integer_uid", 5_719_317_084, 157_679_999, 157_679_999, [:]),
        ("13_Swift_WDK", 1_404_376_560, nil, 0, ["screen_name": .null, "avatar_large": .null]),
        ("15_HCAccount_decodebug", 1_404_376_560, 157_679_999, 0, [:]),
        ("17_LXAccount", 1_404_376_560, 157_679_999, 157_679_999, ["expiresDate": date]),
    ]
    private static let date = Value.date(.init(timeIntervalSinceReferenceDate: 462_000_000.25))
    private static let token: Value = "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12"

    @Test("the table has every file")
    func complete() throws {
        #expect(try Fixtures.archives(in: "variants") == Self.variants.map { "variants/\($0.file).data" })
    }

    @Test(
        "each is accepted with the options that its refusal names, has the right values, and gives its bytes again",
        arguments: Self.variants.indices
    )
    func suggestions(index: Int) async throws {
        let variant = Self.variants[index]
        let tool = try Tool()
        let bytes = try Fixtures.bytes("variants/\(variant.file).data")
        let path = try tool.folder.write(bytes, to: "account.data")
        try setModificationTime(of: path, to: 1_430_000_000)
        let options = try await acceptedOptions(for: path, tool)
        #expect(options.isEmpty == (variant.file == "01_Account_seed"))

        let accounts = try await tool.accounts()
        #expect(accounts.count == 1)
        let account = try #require(accounts.first)
        #expect(account["uid"] == .integer(variant.uid))
        #expect(account["access_token"] == Self.token)
        #expect(account["remind_in"] == .integer(variant.remindIn))
        #expect(account["obtained_at"] == "2015-04-25T22:13:20Z")
        #expect(account["extras"] == .dictionary(variant.extras))
        if let expiresIn = variant.expiresIn {
            #expect(account["expires_in"] == .integer(expiresIn))
        } else {
            #expect(account["expires_at"] == "2015-08-23T05:20:00Z")
        }
        #expect(await tool.archive(of: variant.uid) == bytes)

        let folder = tool.folder.path(of: "out")
        #expect(await tool("export", "--all", "--output", folder).status == 0)
        let other = try Tool()
        #expect(await other.run(["import", folder] + options).status == 0)
        #expect(try await other.accounts() == accounts)
    }

    /// Imports with what each refusal suggests until the file is accepted, and gives the options.
    private func acceptedOptions(for path: String, _ tool: Tool) async throws -> [String] {
        var options: [String] = []
        for _ in 0..<4 {
            let run = await tool.run(["import", path] + options)
            if run.status == 0 { return options }
            #expect(run.status == 1)
            let parts = try #require(run.errorLines.first).split(separator: "; accepted with ")
            try #require(parts.count == 2, "\(run.errors)")
            options += parts[1].split(separator: " ").map(String.init)
        }
        throw Unexpected(what: "\(path) is still refused with \(options)")
    }

    private static let allOptions = ["--class", "*", "--missing", "remind_in=0", "--key", "expires_date=expires_at"]

    @Test("all at once end in the newest account, in whatever order they are named")
    func newest() async throws {
        let tool = try Tool()
        var paths: [String] = []
        for (index, variant) in Self.variants.enumerated() {
            let path = try tool.folder.write(
                Fixtures.bytes("variants/\(variant.file).data"),
                to: "old/\(variant.file).data"
            )
            // Two of them are equally new, so that the time alone does not decide.
            try setModificationTime(of: path, to: 1_430_000_000 + Int64(min(index, 7)) * 60)
            paths.append(path)
        }
        let reference = try await outcome(of: [tool.folder.path(of: "old")], rule: "newest")
        var generator = SystemRandomNumberGenerator()
        for jobs in 1...8 {
            let order = paths.shuffled(using: &generator)
            #expect(try await outcome(of: order + ["--jobs", "\(jobs)"], rule: "newest") == reference, "\(order)")
        }
        #expect(reference.contains { $0["uid"] == 1_404_376_560 && $0["obtained_at"] == "2015-04-25T22:20:20Z" })
    }

    @Test(
        "all at once end in the first or the last account, as the rule says, however many are read at a time",
        arguments: [("keep", "first"), ("replace", "last"), ("fail", "first")]
    )
    func otherRules(rule: String, survivor: String) async throws {
        var paths = Self.variants.filter { $0.uid == 1_404_376_560 }.map { Fixtures.path("variants/\($0.file).data") }
        for jobs in [1, 2, 8] {
            paths.shuffle()
            let alone = try #require(survivor == "first" ? paths.first : paths.last)
            let expected = try await outcome(of: [alone], rule: rule)
            let found = try await outcome(
                of: paths + ["--jobs", "\(jobs)"],
                rule: rule,
                status: rule == "fail" ? 2 : 0
            )
            #expect(found == expected, "\(paths)")
        }
    }

    private func outcome(of arguments: [String], rule: String, status: Int32 = 0) async throws -> [Value] {
        let tool = try Tool()
        let run = await tool.run(["import", "--on-conflict", rule] + Self.allOptions + arguments)
        #expect(run.status == status, "\(run.errors)")
        if rule == "fail", status == 2 { #expect(run.errors.contains(": conflict: ")) }
        return try await tool.accounts()
    }
}
