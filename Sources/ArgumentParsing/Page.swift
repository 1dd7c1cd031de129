/// Plain text of a given width: headings, paragraphs and tables of two columns.
struct Page {
    private let width: Int
    private var lines: [String] = []

    init(width: Int) {
        self.width = min(max(40, width), 1000)
    }

    /// The lines, each with its line feed.
    var text: String {
        lines.map { $0 + "\n" }.joined()
    }

    mutating func blank() {
        lines.append("")
    }

    mutating func verbatim(_ line: String) {
        lines.append(line)
    }

    mutating func heading(_ title: String) {
        blank()
        lines.append(title + ":")
    }

    mutating func paragraph(_ text: String, indent: Int = 0) {
        let margin = String(repeating: " ", count: indent)
        lines += Page.wrap(text, width: width - indent).map { margin + $0 }
    }

    /// Paragraphs with empty lines between them; a line that begins with a space is kept.
    mutating func prose(_ text: String) {
        var paragraph: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) + [Substring()] {
            if !line.isEmpty, line.first != " " {
                paragraph.append(line)
                continue
            }
            if !paragraph.isEmpty { self.paragraph(paragraph.joined(separator: " ")) }
            paragraph = []
            lines.append(String(line))
        }
        while lines.last == "" { lines.removeLast() }
    }

    /// A usage line; what does not fit is indented under its beginning.
    mutating func usage(_ form: String) {
        let wrapped = Page.wrap(form, width: width - 7)
        for (index, line) in wrapped.enumerated() {
            lines.append((index == 0 ? "Usage: " : "         ") + line)
        }
    }

    /// A heading and a table; nothing if there are no rows.
    mutating func section(_ title: String, _ rows: [(left: String, right: String)]) {
        guard let widest = rows.map(\.left.count).max() else { return }
        heading(title)
        let column = min(widest + 4, 28, width * 2 / 5)
        let margin = String(repeating: " ", count: column)
        for row in rows {
            var left = "  " + row.left
            let right = Page.wrap(row.right, width: width - column)
            if left.count + 2 > column {
                lines.append(left)
                lines += right.map { margin + $0 }
            } else {
                left += String(repeating: " ", count: column - left.count)
                lines.append(left + (right.first ?? ""))
                lines += right.dropFirst().map { margin + $0 }
            }
        }
    }

    /// Breaks a text at spaces. A word that is longer than a line stands on a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
