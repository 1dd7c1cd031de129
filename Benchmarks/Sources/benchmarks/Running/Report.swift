import Foundation
import KeyValueCoding

/// The results, for people or for programs.
struct Report {
    private(set) var results: [(name: String, figures: Figures)] = []

    mutating func add(_ figures: Figures, for name: String) { results.append((name, figures)) }

    /// A table with a line for each result.
    static let header = row("benchmark", "ours", "baseline", "unit", "ratio", "against")

    static func line(_ name: String, _ figures: Figures) -> String {
        row(
            name,
            number(figures.ours),
            figures.ratio == nil ? "–" : number(figures.baseline),
            figures.unit,
            figures.ratio.map { String(format: "%.2f", $0) } ?? "–",
            figures.baselineName
        )
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        let name = name.padding(toLength: 28, withPad: " ", startingAt: 0)
        let unit = columns[2].padding(toLength: 12, withPad: " ", startingAt: 0)
        return
            "\(name) \(right(columns[0], 12)) \(right(columns[1], 12)) \(unit) \(right(columns[3], 8))  \(columns[4])"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func number(_ value: Double) -> String {
        var digits = String(Int64(value.rounded()))
        var groups: [String] = []
        while digits.drop(while: { $0 == "-" }).count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// One JSON document; a result without a baseline has a ratio of null.
    func json() -> String {
        let results = results.map { name, figures in
            """
            {"name":\(quoted(name)),"unit":\(quoted(figures.unit)),"ours":\(figures.ours),"baseline":\(figures.baseline),\
            "baseline_name":\(quoted(figures.baselineName)),"ratio":\(figures.ratio.map { "\($0)" } ?? "null")}
            """
        }
        return "{\"results\":[\(results.joined(separator: ","))]}"
    }

    private func quoted(_ text: String) -> String { Value.text(text).json(dialect: .plain) }
}
