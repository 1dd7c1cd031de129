import KeyValueCoding
import Testing

@Suite("What is shown of values")
struct RedactionTests {
    static let token = "2.00SECRETSECRETSECRET"

    @Test(
        "a text is shown by its first 4 characters, and a short one by none",
        arguments: [
            ("", "\"\""), ("a", "\"…\""), ("ab", "\"…\""), ("abcdefg", "\"…\""), ("abcdefghi", "\"…\""),
            ("abcdefghij", "\"abcd…\""), (token, "\"2.00…\""),
            ("\n\u{202E}\u{0}bcdefghi", "\"\\u{A}\\u{202E}\\u{0}b…\""),
        ]
    )
    func redact(text: String, shown: String) {
        #expect(Redaction.redact(text) == shown)
    }

    @Test(
        "no description, mirror or dump of a value shows a text whole",
        arguments: [
            .text(token), [.text(token)], ["k": .text(token)], .pairs([.init(key: .text(token), value: .text(token))]),
            .object(.init(className: "A", classes: ["A"], fields: ["t": .text(token)])),
        ] as [Value]
    )
    func noLeak(value: Value) {
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        if case .pairs(let pairs) = value { dump(pairs, to: &dumped) }
        if case .object(let object) = value { dump(object, to: &dumped) }
        for shown in [
            "\(value)", String(reflecting: value), "\([value])", "\(Value?.some(value) as Any)", dumped, value.summary,
        ] {
            #expect(!shown.contains("SECRET"), "\(shown)")
        }
        #expect("\(value)".contains("2.00…") || "\(value)".contains("A{"))
    }

    @Test("a description is short, however large the value")
    func short() {
        let wide = Value.array([Value](repeating: ["a": .text(Self.token)], count: 100_000))
        #expect("\(wide)".utf8.count < 2_000)
        var deep = Value.null
        for _ in 0..<300 { deep = [deep] }
        #expect("\(deep)".utf8.count < 200)
        #expect("\(Value.decimal(String(repeating: "1", count: 100_000)))".utf8.count < 100)
    }

    @Test("an error shows the start of a text, all of a number, and nothing of a secret")
    func errors() {
        var account = Account()
        func message(_ key: String, _ value: Value) -> String {
            failure { () throws(MappingError) in try account.setValue(value, forKey: key) }.map { "\($0)" } ?? "none"
        }
        #expect(
            message("uid", "12345678abc")
                == "uid: wrong type: expected an integer, or text of digits alone, found the text \"1234…\""
        )
        #expect(message("uid", 1.5) == "uid: not an integer: expected an integer, found the real 1.5")
        #expect(
            message("uid", 9_223_372_036_854_775_808)
                == "uid: out of range: expected an integer from -9223372036854775808 to 9223372036854775807, found the integer 9223372036854775808"
        )
        #expect(message("access_token", 42) == "access_token: wrong type: expected text, found an integer")
    }

    @Test("a hint ends the description, and keys cannot break the line")
    func hint() {
        let error = MappingError.unknownKey("a\nb", known: ["uid"]).with(hint: "add --unknown keep")
        #expect("\(error)" == "a\\u{A}b: unknown key: expected one of \"uid\", found \"a\\u{A}b\"; add --unknown keep")
        let long = MappingError.missingKey(String(repeating: "k", count: 1_000), found: (0..<1_000).map { "key\($0)" })
        #expect("\(long)".utf8.count < 500)
        #expect("\(long)".contains("and 984 more"))
    }

    @Test("the codes are the words that scripts know")
    func codes() {
        #expect(
            MappingError.Code.allCases.map(\.rawValue)
                == [
                    "missingKey", "unknownKey", "nullValue", "typeMismatch", "notIntegral", "outOfRange",
                    "duplicateKey",
                ]
        )
    }

    @Test(
        "a name is shown, but not what may be a token in its place",
        arguments: [
            ("access_token", "access_token"), ("_TtC7Weibo7Account", "_TtC7Weibo7Account"), ("0", "0"), ("$0", "$0"),
            ("令牌", "令牌"), (String(repeating: "a", count: 31), String(repeating: "a", count: 31)),
            (String(repeating: "a", count: 32), "aaaaaaaaaaaa…"), ("d41d8cd98f00b204e9800998ecf8427e", "d41d…"),
            ("SECRETTOKENVALUE-1234567890", "SECR…"), ("aBcD1eFgH2iJkL3m", "aBcD…"),
            ("oauth2_token_v2_key", "oauth2_token_v2_key"), ("2.00ABCDEFG", "2.00…"),
            ("1404376560", "1404376560"),
            ("-1.5e300", "-1.5e300"), (String(repeating: "7", count: 65), String(repeating: "7", count: 64) + "…"),
        ]
    )
    func names(name: String, shown: String) {
        #expect(Redaction.name(name) == shown)
        if Int(name.prefix(9)) == nil, name.count < 60 {
            #expect(Redaction.pattern(of: name) == shown.replacing("…", with: "*"))
        }
    }
}
