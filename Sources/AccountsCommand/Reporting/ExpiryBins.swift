internal import AccountStorage

/// Months, put together so that a chart of them stays readable.
struct ExpiryBins {
    /// How many months a bin has.
    enum Unit: Int, CaseIterable {
        case month = 1
        case quarter = 3
        case year = 12
        case fiveYears = 60

        /// The unit in words.
        var name: String {
            switch self {
            case .month: "month"
            case .quarter: "quarter"
            case .year: "year"
            case .fiveYears: "five years"
            }
        }
    }

    let unit: Unit
    /// The first bin, counted from the year 0.
    let first: Int
    /// How many accounts each bin has, gaps included.
    let counts: [Int]
    /// The accounts that end before the first bin, and after the last.
    let before: Int
    let after: Int

    /// The most bins that are shown, and the fewest.
    private static let most = 72
    private static let fewest = 6
    /// The part of the accounts that need not be in a bin if the bins are finer without them.
    private static let rest = 100

    /// Puts the months into bins as fine as possible; nil if no account ends in a month that is known.
    init?(_ expiries: ExpiryMonths) {
        let total = expiries.counts.values.reduce(0, +)
        guard total > 0 else { return nil }
        for unit in Unit.allCases {
            var bins: [Int: Int] = [:]
            for (month, count) in expiries.counts { bins[month.index / unit.rawValue, default: 0] += count }
            let window = Self.window(bins)
            guard total - window.count <= total / Self.rest || unit == Unit.allCases.last else { continue }
            self.init(unit, bins, window.range, expiries)
            return
        }
        return nil
    }

    private init(_ unit: Unit, _ bins: [Int: Int], _ range: ClosedRange<Int>, _ expiries: ExpiryMonths) {
        let missing = max(0, Self.fewest - range.count)
        first = range.lowerBound - missing / 2
        let last = range.upperBound + missing - missing / 2
        self.unit = unit
        counts = (first...last).map { bins[$0, default: 0] }
        before = expiries.earlier + bins.lazy.filter { $0.key < range.lowerBound }.map(\.value).reduce(0, +)
        after = expiries.later + bins.lazy.filter { $0.key > range.upperBound }.map(\.value).reduce(0, +)
    }

    /// The window of the most bins that may be shown which has the most accounts, without empty bins at its ends.
    private static func window(_ bins: [Int: Int]) -> (range: ClosedRange<Int>, count: Int) {
        let keys = bins.keys.sorted()
        var best = (range: 0...0, count: 0)
        var (start, count) = (0, 0)
        for key in keys {
            count += bins[key, default: 0]
            while key - keys[start] >= most {
                count -= bins[keys[start], default: 0]
                start += 1
            }
            if count > best.count { best = (keys[start]...key, count) }
        }
        return best
    }

    /// The month with which a bin begins, counted from the year 0.
    func firstMonth(ofBin index: Int) -> Int { (first + index) * unit.rawValue }

    /// The first month of all bins, and the first after them: `2026-03`.
    var start: String { ExpiryMonths.Month(index: firstMonth(ofBin: 0)).text }
    var end: String { ExpiryMonths.Month(index: firstMonth(ofBin: counts.count)).text }

    /// What a bin is called: `2026-03`, `2026-01 to 2026-03`, `2026`, `2025 to 2029`.
    func name(ofBin index: Int) -> String {
        let start = ExpiryMonths.Month(index: firstMonth(ofBin: index))
        let end = ExpiryMonths.Month(index: firstMonth(ofBin: index + 1) - 1)
        return switch unit {
        case .month: start.text
        case .quarter: "\(start.text) to \(end.text)"
        case .year: "\(start.year)"
        case .fiveYears: "\(start.year) to \(end.year)"
        }
    }
}

extension ExpiryMonths.Month {
    /// The months since the beginning of the year 0.
    var index: Int { year * 12 + month - 1 }

    init(index: Int) {
        self.init(year: index / 12, month: index % 12 + 1)
    }

    /// The month as `2026-03`.
    var text: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
}
