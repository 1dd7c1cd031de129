/// A table of a page. Of many rows the first are seen at once, and the others when they are asked for.
struct HTMLTable {
    /// A column.
    struct Column {
        var heading: String
        /// Whether it has numbers, which stand at the right.
        var isNumber = false
    }

    /// What the table is about.
    var caption: HTML
    var columns: [Column]
    /// The cells; the first of a row is its heading.
    var rows: [[HTML]]
    /// The last row, which has the sums.
    var sums: [HTML] = []
    /// What the rows are called: `conflict`.
    var word: String
    /// How many rows are seen at once.
    var mostSeen = 25
    /// Whether, where there is little room, the cells of a row stand below each other, each with its heading.
    var stacks = true

    var html: HTML {
        // A few more are not worth asking for.
        guard rows.count - 5 > mostSeen else { return table(rows[...], caption: caption) }
        return """
            \(table(rows[..<mostSeen], caption: caption))
            <details><summary>\(rows.count - mostSeen, word) more</summary>
            \(table(rows[mostSeen...], caption: "\(caption) (continued)"))
            </details>
            """
    }

    private func table(_ rows: ArraySlice<[HTML]>, caption: HTML) -> HTML {
        let head = HTML.joined(columns.map { "<th scope=\"col\"\(Self.style($0))>\($0.heading)</th>" })
        let body = HTML.joined(rows.map { "<tr>\(cells($0))</tr>\n" })
        let style: HTML = stacks ? " class=\"stacks\"" : ""
        let foot: HTML = sums.isEmpty ? "" : "<tfoot><tr>\(cells(sums))</tr></tfoot>\n"
        return """
            <table\(style)>
            <caption>\(caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody>
            \(foot)</table>
            """
    }

    private func cells(_ cells: [HTML]) -> HTML {
        HTML.joined(
            zip(cells, columns).enumerated().map { index, pair in
                let (cell, column) = pair
                return index == 0
                    ? "<th scope=\"row\">\(cell)</th>"
                    : "<td\(Self.style(column)) data-heading=\"\(column.heading)\">\(cell)</td>"
            }
        )
    }

    private static func style(_ column: Column) -> HTML { column.isNumber ? " class=\"number\"" : "" }
}
