/// What is said of work on many files while it goes on.
struct ProgressText {
    var files: Int
    var rejected: Int
    /// How many files there are, if that is known.
    var total: Int?
    var elapsed: Duration

    private static let barWidth = 24

    /// For a terminal: `[=====>    ] 4212 of 10000 files, 8400/s, 0:03 left, 3 refused`.
    var bar: String {
        guard let total, total > 0, files <= total else { return line }
        let done = files * Self.barWidth / total
        let arrow = done == Self.barWidth ? "" : ">"
        let bar = String(repeating: "=", count: done) + arrow
        let rest = String(repeating: " ", count: Self.barWidth - bar.count)
        return "[\(bar)\(rest)] " + line
    }

    /// For a log: `4212 of 10000 files, 8400/s, 0:03 left, 3 refused`.
    var line: String {
        var parts = [count]
        if let rate { parts.append("\(Int(rate.rounded()))/s") }
        if let timeLeft { parts.append("\(timeLeft) left") }
        if rejected > 0 { parts.append("\(rejected) refused") }
        return parts.joined(separator: ", ")
    }

    private var count: String {
        guard let total, files <= total else { return Plural.of(files, "file") }
        return "\(files) of \(Plural.of(total, "file"))"
    }

    private var seconds: Double {
        let parts = elapsed.components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// Files a second; nil at the very beginning.
    private var rate: Double? { seconds >= 0.5 && files > 0 ? Double(files) / seconds : nil }

    private var timeLeft: String? {
        guard let total, let rate, files < total else { return nil }
        let seconds = Int((Double(total - files) / rate).rounded(.up))
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(pad(minutes)):\(pad(seconds % 60))" : "\(minutes):\(pad(seconds % 60))"
    }
}
