import FoundationEssentials
import KeyValueCoding
import TestSupport
import Testing

@Suite("JSON that is written")
struct JSONWritingTests {
    private static let object = Value.object(
        .init(className: "Account", classes: ["Account", "NSObject"], fields: ["uid": 5, "$class": nil])
    )

    @Test(
        "has one form for each value",
        arguments: [
            (nil, "null"), (true, "true"), (-5, "-5"), (18_446_744_073_709_551_615, "18446744073709551615"),
            (1.0, "1.0"),
            (-0.0, "-0.0"), (1e22, "1e+22"), (.real(.leastNonzeroMagnitude), "5e-324"), (.decimal("1e400"), "1e400"),
            (.real(.nan), #"{"$real":"nan"}"#),
            (.real(Double(bitPattern: 0xFFF8_0000_0000_0001)), #"{"$real":"nan:fff8000000000001"}"#),
            (.real(.infinity), #"{"$real":"inf"}"#), (.real(-.infinity), #"{"$real":"-inf"}"#),
            (.decimal("1.0"), #"{"$decimal":"1.0"}"#),
            ("a\"\\\n\u{0}\u{1F}\u{7F}é\u{2028}", "\"a\\\"\\\\\\n\\u0000\\u001f\u{7F}é\u{2028}\""),
            (["b": 1, "a": [1, []], "$": [:]], #"{"$$":{},"a":[1,[]],"b":1}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 462_000_800.25)), #"{"$date":"2015-08-23T05:33:20.25Z"}"#),
            (.date(Date(timeIntervalSinceReferenceDate: .nan)), #"{"$date":"nan"}"#),
            (.date(Date(timeIntervalSinceReferenceDate: -.infinity)), #"{"$date":"-inf"}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 1e20)), #"{"$date":1e+20}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 252_423_993_600)), #"{"$date":252423993600.0}"#),
            (.data([]), #"{"$data":""}"#), (.data([1]), #"{"$data":"AQ=="}"#), (.data([1, 2]), #"{"$data":"AQI="}"#),
            (.data([1, 2, 255]), #"{"$data":"AQL/"}"#),
            (.pairs([.init(key: 1, value: "x"), .init(key: [], value: nil)]), #"{"$pairs":[[1,"x"],[[],null]]}"#),
            (.pairs([]), #"{"$pairs":[]}"#),
            (object, #"{"$class":"Account","$classes":["Account","NSObject"],"$$class":null,"uid":5}"#),
            (.reference(3), #"{"$ref":3}"#),
        ] as [(Value, String)]
    )
    func forms(value: Value, text: String) throws {
        #expect(value.json(dialect: .tagged) == text)
        #expect(identical(try Value(json: text, dialect: .tagged), value))
    }

    @Test("keeps keys as they are in the plain dialect, and lines apart if asked for")
    func plainAndPretty() throws {
        let value: Value = ["$date": [1, ["x": []]], "a": [:]]
        #expect(value.json(dialect: .plain) == #"{"$date":[1,{"x":[]}],"a":{}}"#)
        #expect(
            value.json(dialect: .plain, pretty: true)
                == """
                {
                  "$date": [
                    1,
                    {
                      "x": []
                    }
                  ],
                  "a": {}
                }
                """
        )
        #expect(try Value(json: value.json(dialect: .plain, pretty: true), dialect: .plain) == value)
        #expect(Value.decimal("1.0").json(dialect: .plain) == "1.0")
        #expect(Value.decimal("NaN, x").json(dialect: .plain) == #"{"$decimal":"NaN, x"}"#)
    }

    @Test("is appended to what is there")
    func append() {
        var bytes = Array("[".utf8)
        Value.integer(1).appendJSON(to: &bytes, dialect: .plain)
        #expect(String(decoding: bytes, as: UTF8.self) == "[1")
    }

    @Test("in its tagged dialect gives every value back", arguments: 0..<16 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let value = generator.value(depth: 4)
            let text = value.json(dialect: .tagged)
            let pretty = value.json(dialect: .tagged, pretty: true)
            #expect(identical(try Value(json: text, dialect: .tagged), value), "\(text)")
            #expect(identical(try Value(json: pretty, dialect: .tagged), value), "\(pretty)")
        }
    }

    @Test("gives values back that are nested as deeply as archives may be")
    func deep() throws {
        var value = Value.null
        for _ in 0..<512 { value = .pairs([.init(key: 1, value: value)]) }
        #expect(try Value(json: value.json(dialect: .tagged), dialect: .tagged) == value)
    }

    @Test("gives each date back to the last bit", arguments: 0..<4 as Range<UInt64>)
    func dates(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let scale = generator.pick([1, 1e3, 1e6, 1e9, 6e10])
            let seconds = Double.random(in: -scale...scale, using: &generator)
            // ISO 8601 has no negative zero: adding zero turns it into the other.
            let exact = generator.pick([seconds, seconds.rounded(), seconds.nextUp]) + 0
            let date = Date(timeIntervalSinceReferenceDate: exact)
            let back = try #require(Timestamp.parse(Timestamp.format(date)))
            #expect(back.timeIntervalSinceReferenceDate.bitPattern == exact.bitPattern)
        }
    }

    @Test(
        "takes tags in any order, and refuses those that stand for nothing",
        arguments: [
            (
                #"{"a":1,"$classes":["A"],"$class":"A"}"#,
                .object(.init(className: "A", classes: ["A"], fields: ["a": 1]))
            ),
            (#"{"$class":"A"}"#, .object(.init(className: "A", classes: [], fields: [:]))),
            (#"{"$$date":1}"#, ["$date": 1]), (#"{"$$$":1}"#, ["$$": 1]),
            (#"{"$date":5}"#, .date(Date(timeIntervalSinceReferenceDate: 5))),
            (#"{"$date":"2015-08-23T13:33:20+08:00"}"#, .date(Date(timeIntervalSinceReferenceDate: 462_000_800))),
            (#"{"$date":true}"#, nil), (#"{"$date":"yesterday"}"#, nil), (#"{"$date":9007199254740993}"#, nil),
            (#"{"$date":"2015-02-29"}"#, nil),
            (#"{"$date":5,"a":1}"#, nil), (#"{"$data":"AQ"}"#, nil), (#"{"$data":"AR=="}"#, nil),
            (#"{"$data":"A==="}"#, nil), (#"{"$data":"AQ==AQ=="}"#, nil),
            (#"{"$data":[1]}"#, nil), (#"{"$pairs":[[1]]}"#, nil), (#"{"$pairs":{}}"#, nil), (#"{"$ref":1.0}"#, nil),
            (#"{"$ref":99999999999999999999}"#, nil),
            (#"{"$real":"NaN"}"#, nil), (#"{"$real":1}"#, nil), (#"{"$decimal":1}"#, nil), (#"{"$class":1}"#, nil),
            (#"{"$class":"A","$classes":"A"}"#, nil),
            (#"{"$class":"A","$classes":[1]}"#, nil), (#"{"$classes":[]}"#, nil), (#"{"$class":"A","$x":1}"#, nil),
            (#"{"$x":1}"#, nil), (#"{"$":1}"#, nil),
        ] as [(String, Value?)]
    )
    func tags(text: String, value: Value?) throws {
        if let value {
            #expect(try Value(json: text, dialect: .tagged) == value)
        } else {
            let error = #expect(throws: JSONError.self) { try Value(json: "[\(text)]", dialect: .tagged) }
            #expect(error?.code == .badTag)
            #expect(error?.byteOffset == 1)
        }
    }
}
