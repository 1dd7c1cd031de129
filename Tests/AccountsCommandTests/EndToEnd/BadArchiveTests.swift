import KeyValueCoding
import TestSupport
import Testing

@Suite("Damaged and unusual archives through accounts import")
struct BadArchiveTests {
    /// What a row of `EXPECT.tsv` allows.
    struct Expectation {
        var codes: Set<String> = []
        var values: [String: Value]?

        init(_ text: String) throws {
            for choice in text.split(separator: "|") {
                if choice.hasPrefix("error:") {
                    let words = choice.dropFirst(6).prefix { $0 != "(" }
                    codes.formUnion(words.split(whereSeparator: { $0 == "/" || $0 == " " }).map(Self.code))
                } else if choice.hasPrefix("value:") {
                    values = try Self.values(String(choice.dropFirst(6)))
                }
            }
            guard !codes.isEmpty || values != nil else { throw Unexpected(what: text) }
        }

        /// The table's words for what has other words here.
        private static func code(_ word: Substring) -> String {
            switch word {
            case "notAPlist": "notAPropertyList"
            case "oldNSArchiver": "oldArchiver"
            default: String(word)
            }
        }

        private static func values(_ text: String) throws -> [String: Value] {
            if text.hasPrefix("{") {
                guard case .dictionary(let values) = try Value(json: text, dialect: .plain) else { return [:] }
                return values
            }
            if text.contains("U+0000") { return ["access_token": "2.00\0ABC"] }
            let parts = text.split(separator: "=", maxSplits: 1)
            return [String(parts[0]): try Value(json: String(parts[1]), dialect: .plain)]
        }
    }

    @Test("each comes out as expected, when all are imported at once")
    func together() async throws {
        let tool = try Tool()
        let rows = try Fixtures.expectations()
        #expect(rows.count > 80)
        let run = await tool.run(["import", "--json"] + rows.map { Fixtures.path("bad/\($0.file)") })
        #expect(run.status == 2)
        guard case .array(let failures) = try run.object()["failures"] else { throw Unexpected(what: run.text) }
        var codes: [String: String] = [:]
        for failure in failures {
            if case .text(let path) = failure["path"], case .text(let code) = failure["code"] { codes[path] = code }
        }
        #expect(codes.count == failures.count)
        for (file, text) in rows {
            let expectation = try Expectation(text)
            if let code = codes[Fixtures.path("bad/\(file)")] {
                #expect(expectation.codes.contains(code), "\(file): \(text)")
            } else {
                #expect(expectation.values != nil, "\(file): \(text)")
            }
        }
    }

    @Test("each that is valid gives the right values, and its own bytes again")
    func values() async throws {
        for (file, text) in try Fixtures.expectations() {
            guard let values = try Expectation(text).values else { continue }
            let tool = try Tool()
            let path = Fixtures.path("bad/\(file)")
            #expect(await tool("import", path).status == 0, "\(file)")
            let accounts = try await tool.accounts()
            for (key, value) in values { #expect(accounts.first?[key] == value, "\(file): \(key)") }
            guard case .integer(let uid) = accounts.first?["uid"], !file.hasPrefix("root_array"),
                !file.hasPrefix("root_dict")
            else { continue }
            #expect(await tool.archive(of: uid) == (try Fixtures.bytes("bad/\(file)")), "\(file)")
        }
    }

    @Test("an archive cut at any length, or with any byte changed, is refused in one line or imported")
    func mutations() async throws {
        let tool = try Tool()
        let seed = try Fixtures.bytes("variants/05_WeiBoOAuth_logState.data")
        for length in stride(from: 0, to: seed.count, by: 7) {
            try tool.folder.write(Array(seed.prefix(length)), to: "old/cut-\(length).data")
        }
        for place in seed.indices {
            var bytes = seed
            bytes[place] ^= 0xA5
            try tool.folder.write(bytes, to: "old/flip-\(place).data")
        }
        let run = await tool("import", tool.folder.path(of: "old"), "--class", "*", "--json")
        let report = try run.object()
        guard case .integer(let rejected) = report["rejected"], case .integer(let accounts) = report["accounts"],
            case .integer(let passedOver) = report["passed_over"]
        else { throw Unexpected(what: run.text) }
        #expect(rejected > 100)
        #expect(Int(rejected + accounts + passedOver) == seed.count + (seed.count + 6) / 7)
        #expect(run.errorLines.count == Int(rejected))
        #expect(!run.errors.contains("2.00ABCDEFG") && !run.text.contains("2.00ABCDEFG"))
    }
}
