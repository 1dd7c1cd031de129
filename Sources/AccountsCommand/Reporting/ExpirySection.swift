internal import AccountStorage
internal import KeyValueCoding

/// When the tokens of the accounts end.
struct ExpirySection {
    let expiries: ExpiryMonths

    var html: HTML {
        """
        <section id="expiry">
        <h2>When the tokens end</h2>
        \(content)
        </section>
        """
    }

    private var total: Int {
        expiries.counts.values.reduce(0, +) + expiries.earlier + expiries.later + expiries.unknown
    }

    private var content: HTML {
        guard total > 0 else { return "<p>No accounts were imported, so there is nothing to show.</p>" }
        guard let bins = ExpiryBins(expiries) else { return "\(sentence)\(table)" }
        return """
            \(sentence)
            <figure>
            <figcaption>Accounts by the \(bins.unit.name) in which their token ends. Hatched: ended before the import; solid: later.\
            \(outside(bins))</figcaption>
            \(ExpiryChart(bins: bins, now: Self.months(expiries.asOf)).html)
            </figure>
            <details><summary>The figures by month</summary>
            \(table)
            </details>
            """
    }

    private var sentence: HTML {
        let later = total - expiries.ended - expiries.unknown
        var parts: [HTML] = ["<b>\(count: expiries.ended)</b> had ended already when the import began"]
        parts.append("<b>\(count: later)</b> \(later == 1 ? "ends" : "end") later")
        if expiries.unknown > 0 {
            parts.append(
                """
                of <b>\(count: expiries.unknown)</b> it is not known, since neither the archive nor the time of its file says \
                when the token was issued
                """
            )
        }
        return
            "<p>Of the tokens of \(total, "account") in the imported files, \(HTML.joined(parts, separator: ", ")).</p>"
    }

    /// What is not in the chart.
    private func outside(_ bins: ExpiryBins) -> HTML {
        var parts: [HTML] = []
        if bins.before > 0 { parts.append("\(count: bins.before) before \(bins.start)") }
        if bins.after > 0 { parts.append("\(count: bins.after) from \(bins.end) on") }
        if expiries.unknown > 0 { parts.append("\(count: expiries.unknown) of which it is not known") }
        return parts.isEmpty ? "" : " Not in the chart: \(HTML.joined(parts, separator: ", "))."
    }

    private var table: HTML {
        var rows: [[HTML]] = expiries.counts.sorted { $0.key < $1.key }.map {
            ["\($0.key.text)", "\(count: $0.value)"]
        }
        if expiries.earlier > 0 { rows.insert(["before 1970", "\(count: expiries.earlier)"], at: 0) }
        if expiries.later > 0 { rows.append(["after 2199", "\(count: expiries.later)"]) }
        if expiries.unknown > 0 { rows.append(["not known", "\(count: expiries.unknown)"]) }
        return HTMLTable(
            caption: "Accounts by the month in which their token ends",
            columns: [
                HTMLTable.Column(heading: "Month (UTC)"), HTMLTable.Column(heading: "Accounts", isNumber: true),
            ],
            rows: rows,
            sums: ["All", "\(count: total)"],
            word: "month",
            mostSeen: .max,
            stacks: false
        ).html
    }

    /// A time as months since the year 0, with the part of the month that has gone by.
    private static func months(_ seconds: Int64) -> Double {
        let (year, month) = Timestamp.month(unixSeconds: seconds)
        let text = Timestamp.format(unixSeconds: seconds)
        let day = Int(text.dropFirst(8).prefix(2)) ?? 1
        return Double(year) * 12 + Double(month - 1) + Double(day - 1) / 31
    }
}
