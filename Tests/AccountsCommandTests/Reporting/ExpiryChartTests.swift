import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage
@testable import AccountsCommand

@Suite("The chart of when tokens end")
struct ExpiryChartTests {
    /// So many accounts that end in the middle of months, each named by year and month.
    private func expiries(_ counts: [(Int, Int, Int)], asOf: Int64 = 0) throws -> ExpiryMonths {
        var expiries = ExpiryMonths(asOf: asOf)
        for (year, month, count) in counts {
            let text = "\(year)-\(month < 10 ? "0" : "")\(month)-15"
            let date = try #require(Timestamp.parse(text))
            for _ in 0..<count { expiries.add(Timestamp.unixSeconds(date)) }
        }
        return expiries
    }

    private func seconds(_ text: String) throws -> Int64 {
        let date = try #require(Timestamp.parse(text))
        return try #require(Timestamp.unixSeconds(date))
    }

    @Test("a bin is as fine as leaves the chart readable")
    func units() throws {
        let last = [
            (2026, "month"), (2031, "month"), (2032, "quarter"), (2043, "quarter"), (2044, "year"), (2097, "year"),
        ]
        for (year, unit) in last {
            let bins = try #require(ExpiryBins(try expiries([(2026, 1, 3), (year, 12, 2)])))
            #expect(bins.unit.name == unit, "\(year)")
            #expect(bins.counts.count <= 72)
            #expect(bins.counts.first == 3)
            #expect(bins.counts.last == 2)
        }
        let bins = try #require(ExpiryBins(try expiries([(1970, 1, 1), (2199, 12, 1)])))
        #expect(bins.unit == .fiveYears)
        #expect(bins.counts.count == 46)
        #expect(bins.name(ofBin: 45) == "2195 to 2199")
    }

    @Test("a single month is not a bar as wide as the page")
    func single() throws {
        let bins = try #require(ExpiryBins(try expiries([(2026, 3, 7)])))
        #expect(bins.counts == [0, 0, 7, 0, 0, 0])
        #expect(bins.name(ofBin: 2) == "2026-03")
        #expect(ExpiryBins(try expiries([])) == nil)
    }

    @Test("a few that end far from the others are told of beside the chart")
    func outliers() throws {
        let bins = try #require(ExpiryBins(try expiries([(1980, 1, 1), (2026, 3, 100), (2027, 1, 99), (2190, 5, 1)])))
        #expect(bins.unit == .month)
        #expect(bins.before == 1)
        #expect(bins.after == 1)
        #expect(bins.start == "2026-03")
        #expect(bins.end == "2027-02")
    }

    @Test("each account is in a bin, before them or after them", arguments: 0..<60)
    func sums(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var expiries = ExpiryMonths(asOf: 1_700_000_000)
        let spread = Int64.random(in: 1...8_000_000_000, using: &random)
        let accounts = Int.random(in: 1...400, using: &random)
        for _ in 0..<accounts { expiries.add(1_700_000_000 + Int64.random(in: -spread...spread, using: &random)) }
        let inMonths = expiries.counts.values.reduce(0, +)
        #expect(inMonths + expiries.earlier + expiries.later == accounts)
        guard let bins = ExpiryBins(expiries) else { return #expect(inMonths == 0) }
        #expect(bins.counts.reduce(0, +) + bins.before + bins.after == accounts)
        #expect(bins.before - expiries.earlier + bins.after - expiries.later <= inMonths / 100)
        for index in bins.counts.indices.dropFirst() {
            #expect(bins.firstMonth(ofBin: index) == bins.firstMonth(ofBin: index - 1) + bins.unit.rawValue)
        }
    }

    @Test("the lines of the grid stand for a few round numbers, of which the last is not below the highest bar")
    func steps() {
        #expect(ExpiryChart.steps(upTo: 1) == [0, 1])
        #expect(ExpiryChart.steps(upTo: 5) == [0, 1, 2, 3, 4, 5])
        #expect(ExpiryChart.steps(upTo: 6) == [0, 2, 4, 6])
        #expect(ExpiryChart.steps(upTo: 23) == [0, 5, 10, 15, 20, 25])
        #expect(ExpiryChart.steps(upTo: 987_654) == [0, 200_000, 400_000, 600_000, 800_000, 1_000_000])
        for largest in 1...3_000 {
            let steps = ExpiryChart.steps(upTo: largest)
            #expect((steps.last ?? 0) >= largest && (2...6).contains(steps.count), "\(largest)")
        }
    }

    @Test("bars are hatched before the import, and each says what it is")
    func bars() throws {
        let months = try expiries([(2026, 1, 5), (2026, 2, 1_234), (2026, 3, 1)], asOf: try seconds("2026-02-10"))
        #expect(months.ended == 5)
        let html = ExpirySection(expiries: months).html.markup
        #expect(html.contains("<title>2026-02: 1,234 accounts</title>"))
        #expect(html.ranges(of: "<rect class=\"ended\"").count == 1)
        #expect(html.ranges(of: "<rect class=\"later\"").count == 2)
        #expect(html.ranges(of: "<line class=\"now\"").count == 1)
        #expect(html.contains("role=\"img\" aria-labelledby=\"chart-title chart-text\""))
        #expect(html.contains("the highest is 2026-02 with 1234 accounts"))
        #expect(html.contains("month in which the token ends (UTC)</text>"))
        #expect(html.contains(">2026-02</th><td class=\"number\" data-heading=\"Accounts\">1,234</td>"))
        #expect(html.contains("Of the tokens of 1,240 accounts in the imported files, <b>5</b> had ended already"))
        #expect(html.contains("<b>1,235</b> end later"))
    }

    @Test("a bar stands where its month does, as high as its number")
    func geometry() throws {
        let months = try expiries([(2026, 1, 50), (2026, 8, 100)])
        let bins = try #require(ExpiryBins(months))
        let html = ExpiryChart(bins: bins, now: 0).html.markup
        #expect(bins.counts.count == 8)
        // An eighth of the width each, of which a tenth stays free at either side; the axis is 200 high, and reaches to 100.
        #expect(html.contains(#"x="1.25%" y="124.0" width="10.0%" height="100.0"><title>2026-01: 50 accounts"#))
        #expect(html.contains(#"x="88.75%" y="24.0" width="10.0%" height="200.0"><title>2026-08: 100 accounts"#))
        #expect(!html.contains("class=\"now\""), "the time is not in the chart")
    }

    @Test("a bar of one account among a million is seen")
    func lowBar() throws {
        var months = ExpiryMonths(asOf: 0)
        let (first, second) = (try seconds("2026-01-01"), try seconds("2026-02-01"))
        months.add(first)
        for _ in 0..<100_000 { months.add(second) }
        let bins = try #require(ExpiryBins(months))
        #expect(
            ExpiryChart(bins: bins, now: 0).html.markup.contains(#"height="2.0"><title>2026-01: 1 account</title>"#)
        )
    }

    @Test(
        "there are few labels below the bars, and none is beyond the right end",
        arguments: [
            (2026, 3), (2026, 12), (2027, 6), (2028, 1), (2031, 12), (2040, 1), (2060, 1), (2097, 1), (2199, 12),
        ]
    )
    func labels(year: Int, month: Int) throws {
        let bins = try #require(ExpiryBins(try expiries([(2026, 1, 1), (year, month, 1)])))
        let html = ExpiryChart(bins: bins, now: 0).html.markup
        let labels = html.matches(of: #/<text x="([0-9.]+)%" y="244.0" text-anchor="(\w+)">([0-9-]+)</#)
        #expect((1...8).contains(labels.count), "\(labels.map(\.output.3))")
        for label in labels {
            let place = try #require(Double(label.output.1))
            #expect(place <= (label.output.2 == "middle" ? 100 : 90))
        }
    }

    @Test("what is not in the chart, and what is not known, is said in words")
    func words() throws {
        var months = try expiries([(2026, 1, 2)], asOf: 0)
        months.add(nil)
        months.add(Int64.max)
        months.add(-1)
        let html = ExpirySection(expiries: months).html.markup
        #expect(html.contains("Not in the chart: 1 before 2025-11, 1 from 2026-05 on, 1 of which it is not known."))
        for row in ["before 1970", "2026-01", "after 2199", "not known", "All"] {
            #expect(html.contains("<th scope=\"row\">\(row)</th>"))
        }
        #expect(ExpirySection(expiries: ExpiryMonths(asOf: 0)).html.markup.contains("there is nothing to show"))
        var unknown = ExpiryMonths(asOf: 0)
        unknown.add(nil)
        let text = ExpirySection(expiries: unknown).html.markup
        #expect(text.contains("of <b>1</b> it is not known"))
        #expect(!text.contains("<svg"))
    }
}
