import FoundationEssentials
import KeyValueCoding
import Testing

@Suite("Times of ISO 8601")
struct TimestampTests {
    @Test(
        "are written and read in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (978_307_200, "2001-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (4_107_456_000, "2100-02-28T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "+10000-01-01T00:00:00Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)]
    )
    func known(seconds: Int64, text: String) {
        #expect(Timestamp.format(unixSeconds: seconds) == text)
        let date = Timestamp.date(unixSeconds: seconds)
        #expect(Timestamp.format(date) == text)
        #expect(Timestamp.parse(text) == date)
        #expect(Timestamp.unixSeconds(date) == seconds)
    }

    @Test("each day from 1890 to 2110 follows the day before it")
    func days() {
        var previous = ""
        for day in Int64(-29_200)...51_500 {
            let text = Timestamp.format(unixSeconds: day * 86_400)
            #expect(text > previous)
            #expect(Timestamp.parse(String(text.prefix(10))) == Timestamp.date(unixSeconds: day * 86_400))
            previous = text
        }
    }

    @Test(
        "are accepted in these forms",
        arguments: [
            ("2026-01-02", "2026-01-02T00:00:00Z"), ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02T03:04Z", "2026-01-02T03:04:00Z"), ("2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"),
            ("2026-01-02 03:04:05Z", "2026-01-02T03:04:05Z"), ("2026-01-02T03:04:05+08:00", "2026-01-01T19:04:05Z"),
            ("2026-01-02T03:04:05-0130", "2026-01-02T04:34:05Z"),
            ("2026-01-02T03:04:05.2500Z", "2026-01-02T03:04:05.25Z"),
            ("2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.5Z"), ("2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"), ("+12026-01-02", "+12026-01-02T00:00:00Z"),
        ]
    )
    func accepted(text: String, utc: String) {
        #expect(Timestamp.parse(text).map(Timestamp.format) == utc)
    }

    @Test(
        "are refused when they do not exist or name no point in time",
        arguments: [
            "", "2026", "2026-01", "2026-1-2", "2026-13-01", "2026-00-01", "2026-02-29", "2100-02-29", "2026-04-31",
            "2026-01-00", "20260102",
            "2026-01-02T", "2026-01-02T03", "2026-01-02T03:04:05", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z",
            "2026-01-02T03:04:60Z",
            "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+08:60", "2026-01-02T03:04:05+8",
            "2026-01-02T03:04:05Zx",
            " 2026-01-02", "2026-01-02 ", "12026-01-02", "+123456789012-01-01", "２０２６-01-02", "now", "1767312000",
        ]
    )
    func refused(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test("of any number of seconds are written without a trap", arguments: [Int64.min, .min + 1, .max - 1, .max])
    func extremes(seconds: Int64) {
        #expect(Timestamp.format(unixSeconds: seconds).hasSuffix("Z"))
        #expect(Timestamp.format(Timestamp.date(unixSeconds: seconds)).hasSuffix("since 2001"))
        #expect(Timestamp.unixSeconds(Timestamp.date(unixSeconds: seconds)) != nil)
    }

    @Test("of a date are whole seconds rounded down, saturating")
    func unixSeconds() {
        func seconds(_ interval: Double) -> Int64? {
            Timestamp.unixSeconds(Date(timeIntervalSinceReferenceDate: interval))
        }
        #expect(seconds(0.9) == 978_307_200)
        #expect(seconds(-0.1) == 978_307_199)
        #expect(seconds(.infinity) == .max)
        #expect(seconds(1e300) == .max)
        #expect(seconds(9.2233720368e18) == .max)
        #expect(seconds(-1e300) == .min)
        #expect(seconds(.nan) == nil)
        #expect(Timestamp.format(Date(timeIntervalSinceReferenceDate: .nan)) == "nan seconds since 2001")
    }
}
