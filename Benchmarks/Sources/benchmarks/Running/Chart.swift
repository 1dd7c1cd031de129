import Foundation

/// The ratios as a picture: a bar from 1, where ours and the baseline are the same, to the ratio, and a mark at the target.
///
/// The picture stands for itself: it refers to nothing outside, and has colours for light and for dark surroundings.
struct Chart {
    private let groups: [(title: String, results: [Report.Result])]
    private let axis: LogAxis

    private static let width = 880.0
    private static let rowHeight = 22.0
    private static let plot = (left: 210.0, right: 790.0)

    init(_ results: [Report.Result]) {
        let ratios = results.filter { $0.figures.ratio != nil }
        groups = [
            ("Times as fast as the baseline: more is better", ratios.filter { !$0.isCost }),
            ("A row's cost in a large store by that in a small one: less is better", ratios.filter(\.isCost)),
        ].filter { !$0.results.isEmpty }
        axis = LogAxis(of: ratios, from: Self.plot.left, to: Self.plot.right)
    }

    /// The picture as SVG.
    func svg() -> String {
        var y = 30.0
        var rows: [String] = []
        for group in groups {
            rows.append(text(group.title, at: 12, y, class: "title"))
            y += 26
            let bottom = y + Self.rowHeight * Double(group.results.count) - 8
            rows.append(grid(from: y - 14, to: bottom))
            for result in group.results {
                rows.append(row(result, y))
                y += Self.rowHeight
            }
            y = bottom + 44
        }
        let height = y + 10
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(format(Self.width)) \(format(height))" \
            width="\(format(Self.width))" height="\(format(height))" role="img">
            <title>Ratios of the last run, by benchmark</title>
            <style>\(Self.style)</style>
            <rect class="ground" width="100%" height="100%"/>
            \(rows.joined(separator: "\n"))
            \(legend(y - 6))
            </svg>

            """
    }

    private func row(_ result: Report.Result, _ middle: Double) -> String {
        let ratio = result.figures.ratio ?? 1
        let (one, end) = (axis.position(of: 1), axis.position(of: ratio))
        let state = result.isMissed ? "missed" : "reached"
        var parts = [
            text(result.name, at: Self.plot.left - 12, middle + 4, class: "name"),
            rectangle(min(one, end), middle - 5, max(abs(end - one), 1.5), 10, class: state),
            text(label(result, ratio), at: Self.plot.right + 10, middle + 4, class: "value \(state)-text"),
        ]
        if let target = result.target {
            let x = axis.position(of: target.limit)
            parts.append(rectangle(x - 1.5, middle - 9, 3, 18, class: "target"))
        }
        return parts.joined(separator: "\n")
    }

    private func label(_ result: Report.Result, _ ratio: Double) -> String {
        (ratio < 100 ? String(format: "%.2f", ratio) : String(format: "%.0f", ratio)) + (result.isMissed ? " ✗" : "")
    }

    private func grid(from top: Double, to bottom: Double) -> String {
        axis.ticks.map { tick in
            let x = format(axis.position(of: tick))
            let kind = tick == 1 ? "base" : "grid"
            let label = text(String(format: "%g", tick), at: axis.position(of: tick), bottom + 14, class: "tick")
            return "<line class=\"\(kind)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(format(top))\" y2=\"\(format(bottom))\"/>\n"
                + label
        }.joined(separator: "\n")
    }

    private func legend(_ y: Double) -> String {
        let left = Self.plot.left
        return [
            rectangle(left, y - 9, 22, 10, class: "reached"), text("target reached", at: left + 28, y, class: "note"),
            rectangle(left + 140, y - 9, 22, 10, class: "missed"),
            text("target missed (✗)", at: left + 168, y, class: "note"),
            rectangle(left + 300, y - 13, 3, 18, class: "target"), text("target", at: left + 310, y, class: "note"),
        ].joined(separator: "\n")
    }

    private func text(_ text: String, at x: Double, _ y: Double, class kind: String) -> String {
        "<text class=\"\(kind)\" x=\"\(format(x))\" y=\"\(format(y))\">\(text)</text>"
    }

    private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, class kind: String) -> String {
        "<rect class=\"\(kind)\" x=\"\(format(x))\" y=\"\(format(y))\" width=\"\(format(width))\" height=\"\(format(height))\"/>"
    }

    private func format(_ number: Double) -> String { String(format: "%g", (number * 10).rounded() / 10) }

    private static let style = """
        text { font: 12px system-ui, sans-serif; fill: #1f2328 }
        .title { font-weight: 600; font-size: 13px } .name { text-anchor: end } .tick { text-anchor: middle; fill: #59636e }
        .note { fill: #59636e } .ground { fill: #ffffff } .grid { stroke: #d8dee4 } .base { stroke: #59636e }
        .reached { fill: #1a7f5a } .missed { fill: #c2571a } .target { fill: #1f2328 } .missed-text { fill: #a8430b }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .tick, .note { fill: #9198a1 } .ground { fill: #0d1117 } .grid { stroke: #2d333b }
        .base { stroke: #9198a1 } .reached { fill: #3fb98a } .missed { fill: #e8894a } .target { fill: #e6edf3 }
        .missed-text { fill: #f0a36b } }
        """
}

/// An axis on which a factor is the same length everywhere.
private struct LogAxis {
    private let low: Double
    private let high: Double
    private let left: Double
    private let right: Double

    /// An axis with room for ratios and their targets.
    init(of results: [Report.Result], from left: Double, to right: Double) {
        let values = results.flatMap { [$0.figures.ratio, $0.target?.limit] }.compactMap { $0 }.filter { $0 > 0 }
        low = log10(min(0.5, values.min() ?? 1)) - 0.05
        high = log10(max(2, values.max() ?? 1)) + 0.05
        (self.left, self.right) = (left, right)
    }

    func position(of value: Double) -> Double {
        let place = (log10(max(value, .leastNormalMagnitude)) - low) / (high - low)
        return left + (right - left) * min(1, max(0, place))
    }

    /// The numbers along the axis: those that begin with 1, and as long as there is room those with 2 and 5.
    var ticks: [Double] {
        let decades = (Int(low.rounded(.down))...Int(high.rounded(.up))).map { pow(10, Double($0)) }
        let steps = high - low > 3 ? [1.0] : [1, 2, 5]
        return decades.flatMap { decade in steps.map { $0 * decade } }.filter { (low...high).contains(log10($0)) }
    }
}
