/// What is said of work on many things, such as files, while it goes on.
struct ProgressText {
    /// What one of them is called.
    var unit: String
    /// How many are done.
    var count: Int
    var rejected: Int
    /// How many there are, if that is known.
    var total: Int?
    var elapsed: Duration

    private static let barWidth = 24

    /// For a terminal: `[=====>    ] 4212 of 10000 files, 8400/s, 0:03 left, 3 refused`.
    var bar: String {
        guard let total, total > 0, count <= total else { return line }
        let done = count * Self.barWidth / total
        let arrow = done == Self.barWidth ? "" : ">"
        let bar = String(repeating: "=", count: done) + arrow
        let rest = String(repeating: " ", count: Self.barWidth - bar.count)
        return "[\(bar)\(rest)] " + line
    }

    /// For a log: `4212 of 10000 files, 8400/s, 0:03 left, 3 refused`.
    var line: String {
        var parts = [amount]
        if let rate { parts.append("\(Int(rate.rounded()))/s") }
        if let timeLeft { parts.append("\(timeLeft) left") }
        if rejected > 0 { parts.append("\(rejected) refused") }
        return parts.joined(separator: ", ")
    }

    private var amount: String {
        guard let total, count <= total else { return Plural.of(count, unit) }
        return "\(count) of \(Plural.of(total, unit))"
    }

    private var seconds: Double {
        let parts = elapsed.components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// How many a second; nil at the very beginning.
    private var rate: Double? { seconds >= 0.5 && count > 0 ? Double(count) / seconds : nil }

    private var timeLeft: String? {
        guard let total, let rate, count < total else { return nil }
        let seconds = Int((Double(total - count) / rate).rounded(.up))
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(pad(minutes)):\(pad(seconds % 60))" : "\(minutes):\(pad(seconds % 60))"
    }
}
