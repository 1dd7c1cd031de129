/// A table of text with aligned columns, whose rows come one after the other.
///
/// The widths are those of the first rows. Later rows that need more push their own line to the right, so that
/// a table of any length takes little memory.
struct TextTable {
    /// How the text of a column stands in it.
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]]
    private var widths: [Int]?
    /// How many rows are looked at before the first is written.
    private static let sample = 1000

    /// Begins with a row of headings.
    init(_ columns: [(heading: String, alignment: Alignment)]) {
        alignments = columns.map(\.alignment)
        rows = [columns.map(\.heading)]
    }

    /// Adds a row, and gives the lines that can be written now.
    mutating func add(_ row: [String]) -> [String] {
        rows.append(row)
        return rows.count > Self.sample || widths != nil ? takeLines() : []
    }

    /// The lines that have not been given yet.
    mutating func takeLines() -> [String] {
        let widths = widths ?? measured
        self.widths = widths
        defer { rows = [] }
        return rows.map { line($0, widths) }
    }

    private var measured: [Int] {
        rows.reduce(into: alignments.map { _ in 0 }) { widths, row in
            for (column, text) in zip(widths.indices, row) {
                widths[column] = max(widths[column], DisplayWidth.of(text))
            }
        }
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, text) in row.enumerated() where column < widths.count {
            let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(text)))
            if column > 0 { line += "  " }
            line += alignments[column] == .right ? padding + text : text + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// How many columns of a terminal text takes.
enum DisplayWidth {
    /// The columns of a line without control characters.
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The blocks of Chinese, Japanese and Korean, full-width forms, and pictures.
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
        ]
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}
