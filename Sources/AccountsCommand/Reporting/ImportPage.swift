internal import AccountStorage
internal import KeyValueCoding

/// The page about an import: one file that needs no other, no network and no script.
struct ImportPage {
    let record: ImportRecord

    private var report: ImportReport { record.report }

    /// The content of the file.
    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <meta name="generator" content="\(AccountsTool.programName) \(AccountsTool.version)">
        <link rel="icon" href="data:,">
        <title>Import of \(report.accounts, "account"), \(day)</title>
        <style>
        \(PageStyle.sheet)
        </style>
        </head>
        <body>
        <header>
        <h1>Import of account archives</h1>
        \(state)
        \(facts)
        </header>
        <main>
        \(TotalsSection(report: report).html)
        \(FormsSection(report.forms).html)
        \(RefusalsSection(report).html)
        \(ExpirySection(expiries: report.expiries).html)
        \(ConflictsSection(report, rule: record.options.conflictRule).html)
        \(PassedOverSection(report: report).html)
        </main>
        <footer>
        <p>Written by <code>\(AccountsTool.programName) import --report</code>, version \(AccountsTool.version). There are no tokens in \
        this page.</p>
        </footer>
        </body>
        </html>

        """
    }

    private var time: String { Timestamp.format(unixSeconds: record.begin) }
    private var day: String { String(time.prefix(10)) }

    // MARK: How it ended

    private var state: HTML {
        switch record.end {
        case .failed(let reason):
            "<p class=\"notice failed\"><b>Failed:</b> \(reason). What this page tells of was done before.</p>\(dryRun)"
        case .interrupted:
            """
            <p class="notice partly"><b>Interrupted.</b> What this page tells of was done before; the same command goes on from \
            there.</p>\(dryRun)
            """
        case .done where report.rejected > 0:
            """
            <p class="notice partly"><b>Done, but \(report.rejected, "file") \(report.rejected == 1 ? "was" : "were") refused.</b> All others were dealt with.</p>\(dryRun)
            """
        case .done: "<p class=\"notice done\"><b>Done.</b> No file was refused.</p>\(dryRun)"
        }
    }

    private var dryRun: HTML {
        record.isDryRun
            ? """
            <p class="notice partly"><b>A dry run.</b> Nothing was written into the store; the figures are what an import would \
            come to.</p>
            """
            : ""
    }

    // MARK: What was imported

    private var facts: HTML {
        let paths = record.paths.map { path -> HTML in
            path == FilePath("-") ? "standard input" : "<code>\(DisplayText.path(path))</code>"
        }
        let words = record.optionWords.map { word -> HTML in "<code class=\"option\">\(word)</code>" }
        let options: HTML = words.isEmpty ? "none" : HTML.joined(words, separator: " ")
        return """
            <dl>
            <dt>From</dt><dd>\(HTML.joined(paths, separator: "<br>"))</dd>
            <dt>Into</dt><dd><code>\(record.database)</code></dd>
            <dt>Begun</dt><dd><time datetime="\(time)">\(day) \(String(time.dropFirst(11).prefix(8))) UTC</time></dd>
            <dt>Took</dt><dd>\(duration)</dd>
            <dt>Options</dt><dd>\(options)</dd>
            </dl>
            """
    }

    private var duration: String {
        let parts = record.duration.components
        let (hours, minutes, seconds) = (parts.seconds / 3_600, parts.seconds / 60 % 60, parts.seconds % 60)
        if hours > 0 { return "\(hours) h \(minutes) min" }
        if minutes > 0 { return "\(minutes) min \(seconds) s" }
        let tenths = parts.attoseconds / 100_000_000_000_000_000
        return seconds >= 10 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}
