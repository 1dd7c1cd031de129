internal import AccountStorage

/// How many files and accounts there were, as sums that add up.
struct TotalsSection {
    let report: ImportReport

    var html: HTML {
        """
        <section id="totals">
        <h2>Totals</h2>
        \(files)
        \(accounts)
        \(report.isBalanced ? "" : Self.warning)
        </section>
        """
    }

    private static let warning: HTML = """
        <p class="notice failed">The sums do not agree, which is a fault of the program. Please report it.</p>
        """

    private var files: HTML {
        Self.sum(
            (report.files, "file"),
            [
                (report.imported, "imported", ""),
                (report.skipped, "skipped", "imported before, unchanged"),
                (report.passedOver, "passed over", "no archives"),
                (report.rejected, "refused", ""),
            ]
        )
    }

    private var accounts: HTML {
        Self.sum(
            (report.accounts, "account"),
            [
                (report.outcomes.inserted, "inserted", ""),
                (report.outcomes.updated, "updated", "replaced an older one"),
                (report.outcomes.unchanged, "unchanged", "were there already"),
                (report.outcomes.kept, "gave way", "another of the user stayed"),
            ]
        )
    }

    /// The whole and its parts: `10 files = 7 imported + 1 skipped + …`.
    private static func sum(_ whole: (count: Int, word: String), _ parts: [(Int, String, String)]) -> HTML {
        let terms = parts.enumerated().map { index, part -> HTML in
            let (count, word, note) = part
            let small: HTML = note.isEmpty ? "" : "<small>\(note)</small>"
            return """
                <span class="part"><span class="sign">\(index == 0 ? "=" : "+")</span> \
                <span class="term\(count == 0 ? " none" : "")"><b>\(count: count)</b> \(word) \(small)</span></span>

                """
        }
        return """
            <p class="sum"><span class="part"><span class="term whole"><b>\(count: whole.count)</b> \(whole.count == 1 ? whole.word : whole.word + "s")</span></span>
            \(HTML.joined(terms))</p>
            """
    }
}
