/// A line on a terminal that is written over and over.
final class ProgressLine: Sendable {
    private let sink: any ByteSink

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    /// Shows a text in the place of the last one, cut to the width of the terminal.
    func show(_ text: String) {
        let limit = max(10, (sink.columns ?? 80) - 1)
        var line = ""
        var width = 0
        for scalar in text.unicodeScalars {
            width += DisplayWidth.of(String(scalar))
            guard width <= limit else { break }
            line.unicodeScalars.append(scalar)
        }
        write("\r\u{1B}[K" + line)
    }

    /// Takes the line away.
    func clear() {
        write("\r\u{1B}[K")
    }

    /// Progress that cannot be shown does not matter.
    private func write(_ text: String) {
        try? sink.write(Array(text.utf8))
    }
}
