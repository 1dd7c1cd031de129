import FoundationEssentials
import KeyValueCoding
import Testing

/// What a cell of the coercion table says.
enum Cell: Equatable, Sendable {
    case gives(Value)
    case fails(MappingError.Code)

    init(_ body: () throws(CoercionError) -> Value) {
        do {
            self = .gives(try body())
        } catch {
            self = .fails(error.code)
        }
    }
}

/// A row of the coercion table: what a value becomes as each type.
struct Row: Sendable, CustomTestStringConvertible {
    var value: Value
    var integer: Cell
    var text: Cell
    var optionalText: Cell
    var date: Cell
    var real: Cell
    var bool: Cell
    var data: Cell

    init(
        _ value: Value,
        integer: Cell = .fails(.typeMismatch),
        text: Cell = .fails(.typeMismatch),
        date: Cell = .fails(.typeMismatch),
        real: Cell = .fails(.typeMismatch),
        bool: Cell = .fails(.typeMismatch),
        data: Cell = .fails(.typeMismatch),
        optionalText: Cell? = nil
    ) {
        self.value = value
        self.integer = integer
        self.text = text
        self.optionalText = optionalText ?? text
        self.date = date
        self.real = real
        self.bool = bool
        self.data = data
    }

    var testDescription: String { "\(value)" }

    func check(_ policy: CoercionPolicy) {
        #expect(
            Cell { () throws(CoercionError) in try Int64(coercing: value, policy: policy).propertyValue } == integer
        )
        #expect(Cell { () throws(CoercionError) in try String(coercing: value, policy: policy).propertyValue } == text)
        #expect(
            Cell { () throws(CoercionError) in try String?(coercing: value, policy: policy).propertyValue }
                == optionalText
        )
        #expect(Cell { () throws(CoercionError) in try Date(coercing: value, policy: policy).propertyValue } == date)
        #expect(Cell { () throws(CoercionError) in try Double(coercing: value, policy: policy).propertyValue } == real)
        #expect(Cell { () throws(CoercionError) in try Bool(coercing: value, policy: policy).propertyValue } == bool)
        #expect(Cell { () throws(CoercionError) in try [UInt8](coercing: value, policy: policy).propertyValue } == data)
    }
}

private let day = Date(timeIntervalSinceReferenceDate: 1.5)
private let containers: [Value] = [
    [1], ["a": 1], .pairs([.init(key: 1, value: 2)]),
    .object(.init(className: "A", classes: ["A"], fields: [:])), .reference(3),
]

@Suite("The coercion table")
struct CoercionTableTests {
    static let strictRows: [Row] =
        [
            Row(0, integer: .gives(0), real: .gives(0.0)),
            Row(.integer(.max), integer: .gives(.integer(.max)), real: .fails(.outOfRange)),
            Row(.integer(.min), integer: .gives(.integer(.min)), real: .gives(-9223372036854775808.0)),
            Row(9_007_199_254_740_993, integer: .gives(9_007_199_254_740_993), real: .fails(.outOfRange)),
            Row(9_223_372_036_854_775_808, integer: .fails(.outOfRange), real: .gives(9223372036854775808.0)),
            Row("42", integer: .gives(42), text: .gives("42"), real: .gives(42.0)),
            Row("+42", integer: .gives(42), text: .gives("+42"), real: .gives(42.0)),
            Row("-0", integer: .gives(0), text: .gives("-0"), real: .gives(-0.0)),
            Row(
                "0000000000000000000000000000000000000000000000007",
                integer: .gives(7),
                text: .gives("0000000000000000000000000000000000000000000000007"),
                real: .gives(7.0)
            ),
            Row(
                "148423162444258920",
                integer: .gives(148_423_162_444_258_920),
                text: .gives("148423162444258920"),
                real: .fails(.outOfRange)
            ),
            Row(
                "348188955398766593",
                integer: .gives(348_188_955_398_766_593),
                text: .gives("348188955398766593"),
                real: .fails(.outOfRange)
            ),
            Row(
                "9223372036854775807",
                integer: .gives(.integer(.max)),
                text: .gives("9223372036854775807"),
                real: .fails(.outOfRange)
            ),
            Row(
                "9223372036854775808",
                integer: .fails(.outOfRange),
                text: .gives("9223372036854775808"),
                real: .gives(9223372036854775808.0)
            ),
            Row(
                "-9223372036854775808",
                integer: .gives(.integer(.min)),
                text: .gives("-9223372036854775808"),
                real: .gives(-9223372036854775808.0)
            ),
            Row(
                "-9223372036854775809",
                integer: .fails(.outOfRange),
                text: .gives("-9223372036854775809"),
                real: .fails(.outOfRange)
            ),
            Row(
                "170141183460469231731687303715884105728",
                integer: .fails(.outOfRange),
                text: .gives("170141183460469231731687303715884105728"),
                real: .fails(.outOfRange)
            ),
            Row("1e3", text: .gives("1e3"), real: .gives(1000.0)),
            Row("1.0", text: .gives("1.0"), real: .gives(1.0)),
            Row("0.1", text: .gives("0.1"), real: .gives(0.1)),
            Row("1e400", text: .gives("1e400"), real: .fails(.outOfRange)),
            Row(" 12 ", text: .gives(" 12 ")),
            Row("12abc", text: .gives("12abc")),
            Row("3600s", text: .gives("3600s")),
            Row("", text: .gives("")),
            Row("-", text: .gives("-")),
            Row("+-1", text: .gives("+-1")),
            Row("١٢", text: .gives("١٢")),
            Row("1\u{0}", text: .gives("1\u{0}")),
            Row("nan", text: .gives("nan")),
            Row("0x10", text: .gives("0x10")),
            Row(1.0, integer: .gives(1), real: .gives(1.0)),
            Row(1.5, integer: .fails(.notIntegral), real: .gives(1.5)),
            Row(-1e18, integer: .gives(-1_000_000_000_000_000_000), real: .gives(-1e18)),
            Row(9223372036854775808.0, integer: .fails(.outOfRange), real: .gives(9223372036854775808.0)),
            Row(-9223372036854775808.0, integer: .gives(.integer(.min)), real: .gives(-9223372036854775808.0)),
            Row(1e300, integer: .fails(.outOfRange), real: .gives(1e300)),
            Row(.real(.infinity), integer: .fails(.notIntegral), real: .gives(.real(.infinity))),
            Row(.real(-.infinity), integer: .fails(.notIntegral), real: .gives(.real(-.infinity))),
            Row(.decimal("9007199254740993.0"), integer: .gives(9_007_199_254_740_993), real: .fails(.outOfRange)),
            Row(.decimal("9223372036854775807.00"), integer: .gives(.integer(.max)), real: .fails(.outOfRange)),
            Row(.decimal("9223372036854775808e0"), integer: .fails(.outOfRange), real: .gives(9223372036854775808.0)),
            Row(.decimal("1e400"), integer: .fails(.outOfRange), real: .fails(.outOfRange)),
            Row(.decimal("1e999999999999999999999"), integer: .fails(.outOfRange), real: .fails(.outOfRange)),
            Row(.decimal("1e-1"), integer: .fails(.notIntegral), real: .gives(0.1)),
            Row(.decimal("1e-999999999999999999999"), integer: .fails(.notIntegral), real: .gives(0.0)),
            Row(.decimal("120e-1"), integer: .gives(12), real: .gives(12.0)),
            Row(.decimal("0e999999999999"), integer: .gives(0), real: .gives(0.0)),
            Row(.decimal("twelve")),
            Row(true, bool: .gives(true)),
            Row(false, bool: .gives(false)),
            Row(.data([1]), data: .gives(.data([1]))),
            Row(.date(day), date: .gives(.date(day))),
            Row(
                nil,
                integer: .fails(.nullValue),
                text: .fails(.nullValue),
                date: .fails(.nullValue),
                real: .fails(.nullValue),
                bool: .fails(.nullValue),
                data: .fails(.nullValue),
                optionalText: .gives(nil)
            ),
        ] + containers.map { Row($0) }

    @Test("holds cell by cell under the strict policy", arguments: strictRows)
    func strict(row: Row) {
        row.check(.strict)
    }

    static let objectiveCRows: [Row] =
        [
            Row(42, integer: .gives(42), text: .gives("42"), real: .gives(42.0), bool: .gives(true)),
            Row(0, integer: .gives(0), text: .gives("0"), real: .gives(0.0), bool: .gives(false)),
            Row(
                18_446_744_073_709_551_615,
                integer: .gives(-1),
                text: .gives("18446744073709551615"),
                real: .gives(18446744073709551616.0),
                bool: .gives(true)
            ),
            Row(" 12 ", integer: .gives(12), text: .gives(" 12 "), real: .gives(12.0), bool: .gives(true)),
            Row("12abc", integer: .gives(12), text: .gives("12abc"), real: .gives(12.0), bool: .gives(true)),
            Row("1e3", integer: .gives(1), text: .gives("1e3"), real: .gives(1000.0), bool: .gives(true)),
            Row("\t-7.9", integer: .gives(-7), text: .gives("\t-7.9"), real: .gives(-7.9), bool: .gives(true)),
            Row("1.e", integer: .gives(1), text: .gives("1.e"), real: .gives(1.0), bool: .gives(true)),
            Row("2e+", integer: .gives(2), text: .gives("2e+"), real: .gives(2.0), bool: .gives(true)),
            Row("abc", integer: .gives(0), text: .gives("abc"), real: .gives(0.0), bool: .gives(false)),
            Row("", integer: .gives(0), text: .gives(""), real: .gives(0.0), bool: .gives(false)),
            Row("true", integer: .gives(0), text: .gives("true"), real: .gives(0.0), bool: .gives(true)),
            Row("No", integer: .gives(0), text: .gives("No"), real: .gives(0.0), bool: .gives(false)),
            Row(" -007", integer: .gives(-7), text: .gives(" -007"), real: .gives(-7.0), bool: .gives(true)),
            Row(
                "9223372036854775808",
                integer: .gives(.integer(.max)),
                text: .gives("9223372036854775808"),
                real: .gives(9223372036854775808.0),
                bool: .gives(true)
            ),
            Row(
                "-99999999999999999999999999999999999999999999x",
                integer: .gives(.integer(.min)),
                text: .gives("-99999999999999999999999999999999999999999999x"),
                real: .gives(-1e44),
                bool: .gives(true)
            ),
            Row(-1.9, integer: .gives(-1), text: .gives("-1.9"), real: .gives(-1.9), bool: .gives(true)),
            Row(1.0, integer: .gives(1), text: .gives("1"), real: .gives(1.0), bool: .gives(true)),
            Row(
                1e300,
                integer: .gives(.integer(.max)),
                text: .gives("1e+300"),
                real: .gives(1e300),
                bool: .gives(true)
            ),
            Row(
                .real(-.infinity),
                integer: .gives(.integer(.min)),
                text: .gives("-inf"),
                real: .gives(.real(-.infinity)),
                bool: .gives(true)
            ),
            Row(
                .decimal("-12.5e0"),
                integer: .gives(-12),
                text: .gives("-12.5e0"),
                real: .gives(-12.5),
                bool: .gives(true)
            ),
            Row(
                .decimal("1e400"),
                integer: .gives(.integer(.max)),
                text: .gives("1e400"),
                real: .gives(.real(.infinity)),
                bool: .gives(true)
            ),
            Row(true, integer: .gives(1), text: .gives("1"), real: .gives(1.0), bool: .gives(true)),
            Row(false, integer: .gives(0), text: .gives("0"), real: .gives(0.0), bool: .gives(false)),
            Row(.data([1]), data: .gives(.data([1]))),
            Row(.date(day), date: .gives(.date(day))),
            Row(
                nil,
                integer: .fails(.nullValue),
                text: .fails(.nullValue),
                date: .fails(.nullValue),
                real: .fails(.nullValue),
                bool: .fails(.nullValue),
                data: .fails(.nullValue),
                optionalText: .gives(nil)
            ),
        ] + containers.map { Row($0) }

    @Test("holds cell by cell under the policy of Objective-C", arguments: objectiveCRows)
    func objectiveC(row: Row) {
        row.check(.objectiveC)
    }

    @Test("nan is no integer, and 0 in Objective-C")
    func nan() throws {
        let nan = Value.real(.nan)
        #expect(
            Cell { () throws(CoercionError) in try Int64(coercing: nan, policy: .strict).propertyValue }
                == .fails(.notIntegral)
        )
        #expect(try Int64(coercing: nan, policy: .objectiveC) == 0)
        #expect(try Double(coercing: nan, policy: .strict).isNaN)
    }

    @Test(
        "an integer of another width is exact or out of range",
        arguments: [
            (Value.integer(127), Int8?.some(127)), (128, nil), (-128, -128), (-129, nil), ("128", nil), ("-128", -128),
            (127.0, 127), (128.0, nil), (.decimal("127.000"), 127), (.decimal("1.28e2"), nil),
        ] as [(Value, Int8?)]
    )
    func narrow(value: Value, expected: Int8?) {
        #expect((try? Int8(coercing: value, policy: .strict)) == expected)
        if expected == nil {
            #expect(throws: CoercionError(.outOfRange, expected: "an integer from -128 to 127")) {
                try Int8(coercing: value, policy: .strict)
            }
        }
    }

    @Test("an unsigned integer above Int64.max stays exact and never traps")
    func unsigned() throws {
        for text in ["9223372036854775807", "9223372036854775808", "18446744073709551615"] {
            let value = try UInt64(coercing: .text(text), policy: .strict)
            #expect(String(value) == text)
            #expect(try UInt64(coercing: value.propertyValue, policy: .strict) == value)
            #expect((try? Int64(coercing: value.propertyValue, policy: .strict)) == Int64(text))
        }
        #expect(UInt64.max.propertyValue == .wideInteger(18_446_744_073_709_551_615))
        #expect(throws: CoercionError.self) { try UInt64(coercing: "18446744073709551616", policy: .strict) }
        #expect(throws: CoercionError.self) { try UInt64(coercing: -1, policy: .strict) }
    }

    @Test("text can be coerced from its bytes, without a string")
    func bytes() throws {
        let digits = Array("-148423162444258920".utf8)
        #expect(try Coercion.integer(fromText: digits.span, as: Int64.self) == -148_423_162_444_258_920)
        #expect(try Coercion.integer(fromText: Array(" 7x".utf8).span, as: Int32.self, policy: .objectiveC) == 7)
        #expect(throws: CoercionError.self) { try Coercion.integer(fromText: Array("7x".utf8).span, as: Int32.self) }
    }

    @Test("a text that is very long is read in linear time")
    func long() {
        let digits = String(repeating: "1", count: 1_000_000)
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            for value in [
                .text(digits), .text(digits + ".1.1"), .decimal(digits + "e-999999"), .decimal("1e" + digits),
            ] as [Value] {
                for policy in [CoercionPolicy.strict, .objectiveC] {
                    _ = try? Int64(coercing: value, policy: policy)
                    _ = try? Double(coercing: value, policy: policy)
                }
            }
        }
        #expect(elapsed < .seconds(20))
    }
}
