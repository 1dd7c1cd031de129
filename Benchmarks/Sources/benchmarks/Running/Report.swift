import Foundation
import KeyValueCoding

/// The results, for people or for programs.
struct Report {
    /// What one benchmark measured under one name.
    struct Result {
        var name: String
        var target: Target?
        var figures: Figures

        /// Whether there is a target and it is not reached.
        var isMissed: Bool { target.map { !$0.isReached(by: figures) } ?? false }

        /// Whether less is better.
        var isCost: Bool { if case .atMost? = target { true } else { false } }
    }

    private(set) var results: [Result] = []

    mutating func add(_ result: Result) { results.append(result) }

    /// A table with a line for each result.
    static let header = row("benchmark", "ours", "baseline", "unit", "ratio", "target", "", "instructions", "against")

    /// - Parameter judges: whether to mark a target that is missed.
    static func line(_ result: Result, judges: Bool) -> String {
        let figures = result.figures
        return row(
            result.name,
            number(figures.ours),
            figures.ratio == nil ? "–" : number(figures.baseline),
            figures.unit,
            figures.ratio.map { String(format: "%.2f", $0) } ?? "–",
            result.target.map(text) ?? "–",
            judges && result.isMissed ? "missed" : "",
            figures.instructions.map { "\(number($0.ours)) / \(number($0.baseline))" } ?? "–",
            figures.baselineName
        )
    }

    private static func row(_ columns: String...) -> String {
        let widths = [-26, 12, 12, -10, 8, 12, -6, 19, 0]
        return zip(columns, widths).map { column, width in
            let padding = String(repeating: " ", count: max(0, abs(width) - column.count))
            return width < 0 ? column + padding : padding + column
        }.joined(separator: " ")
    }

    private static func text(_ target: Target) -> String {
        switch target {
        case .atLeast(let limit): "≥ " + String(format: "%g", limit)
        case .atMost(let limit): "≤ " + (limit < 1_000 ? String(format: "%g", limit) : number(limit))
        }
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

    /// One JSON document; what a result does not have, such as a ratio without a baseline, is null.
    func json() -> String {
        let results = results.map { result in
            let (figures, instructions) = (result.figures, result.figures.instructions)
            var (least, most): (Double?, Double?)
            switch result.target {
            case .atLeast(let limit)?: least = limit
            case .atMost(let limit)?: most = limit
            case nil: break
            }
            let fields = [
                ("name", quoted(result.name)), ("unit", quoted(figures.unit)), ("ours", "\(figures.ours)"),
                ("baseline", "\(figures.baseline)"), ("baseline_name", quoted(figures.baselineName)),
                ("ratio", number(figures.ratio)), ("at_least", number(least)), ("at_most", number(most)),
                ("reached", result.target == nil ? "null" : "\(!result.isMissed)"),
                ("ours_instructions", number(instructions?.ours)),
                ("baseline_instructions", number(instructions?.baseline)),
            ]
            return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        }
        return "{\"results\":[\(results.joined(separator: ","))]}"
    }

    private func number(_ number: Double?) -> String { number.map { "\($0)" } ?? "null" }

    private func quoted(_ text: String) -> String { Value.text(text).json(dialect: .plain) }
}
