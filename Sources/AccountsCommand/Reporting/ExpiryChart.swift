internal import AccountStorage

/// The chart of when accounts end, as SVG that takes the width that there is without changing the size of its letters.
struct ExpiryChart {
    let bins: ExpiryBins
    /// The time that parts what has ended from what ends later, as months since the year 0, a fraction included.
    let now: Double

    private static let height = 200.0
    private static let top = 24.0
    private static let bottom = 44.0
    private static let axisWidth = 52.0

    private var total: Double { Self.top + Self.height + Self.bottom }

    var html: HTML {
        """
        <div class="chart">
        <svg class="axis" width="\(number: Self.axisWidth)" height="\(number: total)" aria-hidden="true" focusable="false">\
        <text x="0" y="12">accounts</text>\(axisLabels)</svg>
        <svg class="plot" width="100%" height="\(number: total)" role="img" aria-labelledby="chart-title chart-text">
        <title id="chart-title">Accounts by the \(bins.unit.name) in which their token ends</title>
        <desc id="chart-text">\(summary)</desc>
        \(Self.patterns)
        \(gridLines)
        \(bars)
        \(timeLine)
        \(tickLabels)
        <text x="50%" y="\(number: total - 4)" text-anchor="middle">\(bins.unit.name) in which the token ends (UTC)</text>
        </svg>
        </div>
        """
    }

    /// What the chart shows, for who does not see it.
    private var summary: String {
        let largest = bins.counts.indices.max { bins.counts[$0] < bins.counts[$1] } ?? 0
        return "Bars from \(bins.name(ofBin: 0)) to \(bins.name(ofBin: bins.counts.count - 1)); the highest is "
            + "\(bins.name(ofBin: largest)) with \(Plural.accounts(bins.counts[largest])). The table below has all figures."
    }

    // MARK: The vertical axis

    /// What the lines of the grid stand for, from 0 on: a few round numbers.
    static func steps(upTo largest: Int) -> [Int] {
        var step = 1
        // Times 2, 2.5 and 2: 1, 2, 5, 10, 20, …
        var factors = [(2, 1), (5, 2), (2, 1)][...]
        while largest > 5 * step {
            let factor = factors.removeFirst()
            step = step * factor.0 / factor.1
            if factors.isEmpty { factors = [(2, 1), (5, 2), (2, 1)] }
        }
        return Array(stride(from: 0, through: (largest + step - 1) / step * step, by: step))
    }

    private var steps: [Int] { Self.steps(upTo: bins.counts.max() ?? 1) }

    private func y(_ count: Int) -> Double {
        Self.top + Self.height * (1 - Double(count) / Double(max(steps.last ?? 1, 1)))
    }

    private var axisLabels: HTML {
        HTML.joined(
            steps.map {
                "<text x=\"\(number: Self.axisWidth - 6)\" y=\"\(number: y($0) + 4)\" text-anchor=\"end\">\(count: $0)</text>"
            }
        )
    }

    private var gridLines: HTML {
        HTML.joined(
            steps.map {
                "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"\(number: y($0))\" y2=\"\(number: y($0))\"/>"
            }
        )
    }

    // MARK: Bars

    /// The share of the width that a bin takes, in percent.
    private var width: Double { 100 / Double(bins.counts.count) }

    private var bars: HTML {
        HTML.joined(
            bins.counts.enumerated().filter { $0.element > 0 }.map { index, count in
                let hasEnded = Double(bins.firstMonth(ofBin: index + 1)) <= now
                // A single account among a million is seen, too.
                let height = max(Self.top + Self.height - y(count), 2)
                return """
                    <rect class="\(hasEnded ? "ended" : "later")" x="\(number: (Double(index) + 0.1) * width)%" \
                    y="\(number: Self.top + Self.height - height)" width="\(number: 0.8 * width)%" height="\(number: height)">\
                    <title>\(bins.name(ofBin: index)): \(count, "account")</title></rect>

                    """
            }
        )
    }

    /// Bars of what has ended are hatched, so that they are told from the others without colour.
    private static let patterns: HTML = """
        <defs><pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <rect class="hatching-ground" width="6" height="6"/><rect class="hatching-line" width="3" height="6"/></pattern></defs>
        """

    private var timeLine: HTML {
        let place = (now / Double(bins.unit.rawValue) - Double(bins.first)) * width
        guard (0...100).contains(place) else { return "" }
        return """
            <line class="now" x1="\(number: place)%" x2="\(number: place)%" y1="\(number: Self.top - 6)" \
            y2="\(number: Self.top + Self.height)"/>
            <text class="now" x="\(number: place)%" y="12" text-anchor="\(place < 15 ? "start" : place > 85 ? "end" : "middle")">\
            import</text>
            """
    }

    // MARK: The horizontal axis

    /// How many months there are from one label to the next: so many that the labels have room on a telephone.
    private var labelStep: Int {
        let months = bins.counts.count * bins.unit.rawValue
        return [1, 3, 6].first { $0 >= bins.unit.rawValue && months / $0 <= 6 }
            ?? [12, 24, 60, 120, 240, 600].first { $0 >= bins.unit.rawValue && months / $0 <= 8 } ?? 1_200
    }

    private var tickLabels: HTML {
        HTML.joined(
            bins.counts.indices.map { index in
                let month = bins.firstMonth(ofBin: index)
                guard month % labelStep == 0 else { return "" }
                let start = Double(index) * width
                let isCentred = labelStep == bins.unit.rawValue || bins.unit.rawValue >= 12
                let text = labelStep % 12 == 0 ? "\(month / 12)" : ExpiryMonths.Month(index: month).text
                // At the right there is no room for a whole label.
                let label: HTML =
                    !isCentred && start > 90
                    ? ""
                    : """
                    <text x="\(number: isCentred ? start + width / 2 : start)%" y="\(number: Self.top + Self.height + 20)" \
                    text-anchor="\(isCentred ? "middle" : "start")">\(text)</text>
                    """
                return """
                    <line class="tick" x1="\(number: start)%" x2="\(number: start)%" y1="\(number: Self.top + Self.height)" \
                    y2="\(number: Self.top + Self.height + 6)"/>\(label)
                    """
            }
        )
    }
}
