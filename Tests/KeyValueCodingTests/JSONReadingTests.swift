import KeyValueCoding
import TestSupport
import Testing

@Suite("JSON that is read")
struct JSONReadingTests {
    @Test(
        "is accepted with exact values",
        arguments: [
            ("null", nil), ("true", true), ("false", false), ("0", 0), ("-1", -1), (" \t\r\n[ ] ", []), ("{ }", [:]),
            ("\u{FEFF}1", 1), ("\"\"", ""), ("[1,[2,{\"a\":[]}],\"x\"]", [1, [2, ["a": []]], "x"]),
            ("{\"\":0,\"a\":{\"b\":null}}", ["": 0, "a": ["b": nil]]),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", 9_223_372_036_854_775_808),
            ("18446744073709551615", 18_446_744_073_709_551_615),
            ("170141183460469231731687303715884105727", Value(.max)),
            ("-170141183460469231731687303715884105728", Value(.min)),
            ("170141183460469231731687303715884105728", .decimal("170141183460469231731687303715884105728")),
            ("-0", -0.0), ("-0.0", -0.0), ("0.0", 0.0), ("0e999999999999999999999", 0.0), ("1.0", 1.0), ("0.1", 0.1),
            ("0.10", 0.1), ("1e2", 100.0), ("1E+2", 100.0), ("100e-2", 1.0), ("1e22", 1e22),
            ("9007199254740993.0", .decimal("9007199254740993.0")), ("9007199254740992.0", 9007199254740992.0),
            ("0.1000000000000000055511151231257827", .decimal("0.1000000000000000055511151231257827")),
            ("0.30000000000000004", 0.30000000000000004), ("1e400", .decimal("1e400")),
            ("-1e-400", .decimal("-1e-400")),
            ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)), ("5e-324", .real(.leastNonzeroMagnitude)),
            ("4e-324", .decimal("4e-324")),
            ("1e99999999999999999999", .decimal("1e99999999999999999999")),
            ("123456789012345678e-3", .decimal("123456789012345678e-3")), ("2.00", 2.0),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0000a\u00e9\uD83D\ude00\u2028""#, "\0a\u{E9}\u{1F600}\u{2028}"),
            ("\"\u{7F}\u{2028}é中\u{1F600}\"", "\u{7F}\u{2028}é中\u{1F600}"),
            (#""abcdefgh\u0041ijklmnopé""#, "abcdefghAijklmnopé"),
            ("{\"$date\":1,\"$\":2}", ["$date": 1, "$": 2]),
        ] as [(String, Value)]
    )
    func accepted(text: String, value: Value) throws {
        let read = try Value(json: text, dialect: .plain)
        #expect(identical(read, value), "\(text)")
        #expect(identical(try Value(json: Array(text.utf8), dialect: .plain), value))
        #expect(identical(try Array(text.utf8).withUnsafeBytes { try Value(json: $0, dialect: .plain) }, value))
    }

    @Test(
        "is refused with the place",
        arguments: [
            ("", .empty, 0), (" \n", .empty, 2), ("\u{FEFF}", .empty, 3), ("nul", .truncated, 3),
            ("nulL", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("1 2", .trailingBytes, 2), ("[1]]", .trailingBytes, 3),
            ("[1", .truncated, 2),
            ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3),
            ("[1}", .unexpectedByte, 2),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5),
            ("{\"a\":1]", .unexpectedByte, 6), ("{1:2}", .unexpectedByte, 1), ("{\"a\":}", .unexpectedByte, 5),
            ("'a'", .unexpectedByte, 0),
            ("{\"a\":1,\"a\":2}", .duplicateKey, 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", .duplicateKey, 8),
            ("01", .badNumber, 0), ("-01", .badNumber, 1), ("-", .truncated, 1), ("+1", .unexpectedByte, 0),
            (".5", .unexpectedByte, 0),
            ("1.", .truncated, 2), ("1.x", .badNumber, 2), ("1e", .truncated, 2), ("1e+", .truncated, 3),
            ("1e+]", .badNumber, 3), ("0x10", .trailingBytes, 1),
            ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0), ("-Infinity", .badNumber, 1),
            ("\"", .truncated, 1), ("\"abc", .truncated, 4), ("\"\\", .truncated, 2), ("\"\\x\"", .badString, 1),
            ("\"a\nb\"", .badString, 2),
            ("\"a\0b\"", .badString, 2), ("\"\\u12\"", .badString, 5), ("\"\\u12", .truncated, 5),
            (#""\uD800""#, .badString, 1),
            (#""\uDC00\uD800""#, .badString, 1), (#""\uD800\u0041""#, .badString, 1), (#""\uD800\n""#, .badString, 1),
            (#""ab\uD83Dx""#, .badString, 3),
            ("/* c */ 1", .unexpectedByte, 0), ("1 // c", .trailingBytes, 2), ("\u{A0}1", .unexpectedByte, 0),
        ] as [(String, JSONError.Code, Int)]
    )
    func refused(text: String, code: JSONError.Code, offset: Int) {
        let error = #expect(throws: JSONError.self) { try Value(json: text, dialect: .plain) }
        #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.byteOffset == offset)
    }

    @Test(
        "is refused if a string is not UTF-8",
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC0, 0x80, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0x80, 0x22], 3), ([0x22, 0xC3, 0x5C, 0x6E, 0x22], 1),
            ([0x22, 0xC3, 0x5C, 0x75, 0x30, 0x30, 0x41, 0x39, 0x22], 1),
        ] as [([UInt8], Int)]
    )
    func notUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try Value(json: bytes, dialect: .plain) }
        #expect(error?.code == .badString)
        #expect(error?.byteOffset == offset)
    }

    @Test("is refused with the line and the column, and nothing of a string is shown")
    func place() {
        let text = "{\n  \"é\": \"SECRET\",\n  \"é\": 2\n}"
        let error = #expect(throws: JSONError.self) { try Value(json: text, dialect: .plain) }
        #expect(error?.line == 3)
        #expect(error?.column == 3)
        #expect(error.map { "\($0)" } == "line 3, column 3 (byte 22): the object has this key already")
        let open = #expect(throws: JSONError.self) { try Value(json: "[\"é\", x]", dialect: .plain) }
        #expect(open.map { "\($0)" } == "line 1, column 7 (byte 7): expected a value, found 'x'")
    }

    @Test("is limited in depth and size")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try Value(json: nested(512), dialect: .plain) }
        #expect(throws: Never.self) { try Value(json: nested(2_048), dialect: .tagged) }
        for text in [
            nested(513), String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 1_000_000),
        ] {
            let error = #expect(throws: JSONError.self) { try Value(json: text, dialect: .plain) }
            #expect(error?.code == .tooDeep)
        }
        #expect(throws: Never.self) { try Value(json: "[[1]]", dialect: .plain, limits: .init(bytes: 5, depth: 2)) }
        for limits in [JSONLimits(bytes: 4), JSONLimits(depth: 1), JSONLimits(depth: 0)] {
            #expect(throws: JSONError.self) { try Value(json: "[[1]]", dialect: .plain, limits: limits) }
        }
    }

    @Test("never traps, whatever is done to it", arguments: 0..<8 as Range<UInt64>)
    func mutations(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let splices = [
            "\"", "\\u", "\\uD800", "{", "}", "[", "]", ",", ":", "-", "1e", "$", "\"$date\":", "9999999999999999999",
            "\u{FF}",
        ]
        for _ in 0..<2_000 {
            var bytes: [UInt8] = []
            generator.value(depth: 3).appendJSON(to: &bytes, dialect: .tagged)
            for _ in 0..<generator.pick([1, 2, 5]) {
                let index = Int.random(in: 0...bytes.count, using: &generator)
                switch generator.next() % 4 {
                case 0: bytes.insert(contentsOf: generator.pick(splices).utf8, at: index)
                case 1: bytes.removeSubrange(index..<min(index + 3, bytes.count))
                case 2: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            for dialect in [JSONDialect.plain, .tagged] {
                guard let value = try? Value(json: bytes, dialect: dialect) else { continue }
                // What was accepted survives being written.
                let again = try? Value(json: value.json(dialect: dialect), dialect: dialect)
                #expect(again.map { identical($0, value) } == true)
            }
        }
    }

    @Test("every truncation of a document is refused")
    func truncations() {
        let text = Array(#"{"a":[1.5,-2,"x\u00e9\n",true,null],"b":{"c":"é"}}"#.utf8)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try Value(json: Array(text[..<length]), dialect: .plain) }
        }
    }
}
