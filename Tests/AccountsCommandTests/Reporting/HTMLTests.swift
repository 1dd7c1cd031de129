import Testing

@testable import AccountsCommand

@Suite("HTML")
struct HTMLTests {
    @Test(
        "text that is interpolated cannot become markup",
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload='x' a=\"", "&quot; onload=&#39;x&#39; a=&quot;"),
            ("&lt;", "&amp;lt;"),
            ("]]><!--", "]]&gt;&lt;!--"),
            ("王小明 é", "王小明 é"),
            ("", ""),
        ]
    )
    func escaping(text: String, markup: String) {
        let html: HTML = "<p title=\"\(text)\">\(text)</p>"
        #expect(html.markup == "<p title=\"\(markup)\">\(markup)</p>")
    }

    @Test("control characters, and marks that turn the direction of text around, are written out")
    func controlCharacters() {
        let html: HTML = "\("a\0b\u{1B}[31m\n\u{202E}\u{2028}\u{FEFF}")"
        #expect(html.markup == "a\\u{0}b\\u{1B}[31m\\n\\u{202E}\\u{2028}\\u{FEFF}")
    }

    @Test("every character of ASCII comes out as text")
    func ascii() {
        for byte in UInt8(0x20)..<0x7F {
            let html: HTML = "\(String(UnicodeScalar(byte)))"
            #expect(!html.markup.contains { "<>\"'".contains($0) })
            #expect(html.markup == "&" ? false : !html.markup.isEmpty)
        }
    }

    @Test("markup that is interpolated stays markup")
    func nesting() {
        let part: HTML = "<b>\("<")</b>"
        let nothing: HTML? = nil
        let html: HTML = "<p>\(part)\(nothing)\(HTML.joined([part, part], separator: "<br>"))</p>"
        #expect(html.markup == "<p><b>&lt;</b><b>&lt;</b><br><b>&lt;</b></p>")
    }

    @Test(
        "numbers have their thousands apart",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234, "-1,234"), (100_000, "100,000"),
            (1_234_567, "1,234,567"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ]
    )
    func counts(count: Int, text: String) {
        let html: HTML = "\(count: count)"
        #expect(html.markup == text)
    }

    @Test("one thing is called by another word than several")
    func things() {
        let html: HTML = "\(1, "file"), \(0, "file"), \(1_200, "<file>")"
        #expect(html.markup == "1 file, 0 files, 1,200 &lt;file&gt;s")
    }

    @Test("of a table with many rows the first are seen at once, and all are there")
    func table() {
        let rows = { (count: Int) in (0..<count).map { ["r\(count: $0)." as HTML, "<b>x</b>"] } }
        func table(_ count: Int) -> String {
            HTMLTable(
                caption: "All & everything",
                columns: [HTMLTable.Column(heading: "Row"), HTMLTable.Column(heading: "A<B", isNumber: true)],
                rows: rows(count),
                sums: ["All", "9"],
                word: "row",
                mostSeen: 10
            ).html.markup
        }
        #expect(!table(15).contains("<details>"))
        let long = table(16)
        #expect(long.contains("<details><summary>6 rows more</summary>"))
        for row in 0..<16 { #expect(long.contains("<th scope=\"row\">r\(row).</th>")) }
        #expect(long.contains("<td class=\"number\" data-heading=\"A&lt;B\"><b>x</b></td>"))
    }
}
