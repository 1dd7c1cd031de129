internal import AccountStorage

/// Which files were passed over.
struct PassedOverSection {
    let report: ImportReport

    var html: HTML {
        """
        <section id="passed-over">
        <h2>Files passed over</h2>
        \(report.passedOver == 0 ? "<p>No file was passed over.</p>" : content)
        </section>
        """
    }

    private var content: HTML {
        let files = report.passedOverFiles
        let rest = report.passedOver - files.count
        let more: HTML = rest > 0 ? "<p>\(rest, "file") more \(rest == 1 ? "is" : "are") not listed.</p>" : ""
        let table = HTMLTable(
            caption: rest > 0
                ? "The first \(count: files.count) of \(count: report.passedOver)" : "What was passed over",
            columns: [HTMLTable.Column(heading: "File"), HTMLTable.Column(heading: "What it is")],
            rows: files.map { ["<code>\(DisplayText.path($0.path))</code>", "\($0.message)"] },
            word: "file",
            mostSeen: 15
        )
        return """
            <p>\(report.passedOver, "file") in the folders \(report.passedOver == 1 ? "is" : "are") no archive. \
            A damaged archive may be among them.</p>
            \(table.html)
            \(more)
            """
    }
}
