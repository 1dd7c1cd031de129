internal import AccountStorage
internal import KeyValueCoding
internal import KeyedArchive

/// What has become of the accounts, by the class and the form of their archives.
struct FormsSection {
    /// Forms that nobody needs to tell apart.
    private struct Kind: Hashable {
        var className: String
        var format: ArchiveFormat
        var description: String
    }

    private let kinds: [(kind: Kind, forms: Int, counts: SaveCounts)]
    private let others: SaveCounts

    init(_ forms: ImportedForms) {
        var found: [Kind: (forms: Int, counts: SaveCounts)] = [:]
        for (form, counts) in forms.mostFrequentFirst {
            let kind = Kind(
                className: Redaction.name(form.className),
                format: form.format,
                description: FormText.description(of: form)
            )
            found[kind, default: (0, SaveCounts())].forms += 1
            found[kind]?.counts.add(counts)
        }
        kinds = found.map { ($0.key, $0.value.forms, $0.value.counts) }.sorted {
            $0.counts.total != $1.counts.total
                ? $0.counts.total > $1.counts.total
                : ($0.kind.className, $0.kind.description) < ($1.kind.className, $1.kind.description)
        }
        others = forms.others
    }

    var html: HTML {
        """
        <section id="forms">
        <h2>Outcome by class and form</h2>
        \(kinds.isEmpty ? "<p>No accounts were imported.</p>" : table.html)
        </section>
        """
    }

    private typealias Count = (heading: String, value: (SaveCounts) -> Int)

    private var table: HTMLTable {
        var all = others
        for kind in kinds { all.add(kind.counts) }
        let counts: [Count] = [
            ("Accounts", \.total), ("Inserted", \.inserted), ("Updated", \.updated), ("Unchanged", \.unchanged),
            ("Gave way", \.kept),
        ]
        // What happened to none of them needs no column.
        let shown = counts.filter { $0.value(all) > 0 }
        var rows = kinds.map { row in
            [cell(row.kind), "\(count: row.forms)"] + shown.map { "\(count: $0.value(row.counts))" }
        }
        if others.total > 0 {
            rows.append(["all other forms", "more"] + shown.map { "\(count: $0.value(others))" })
        }
        return HTMLTable(
            caption: """
                Accounts by the class of their archives and how they are written. Layouts of one form differ in the order of keys and \
                objects, and the like.
                """,
            columns: [
                HTMLTable.Column(heading: "Class and form"), HTMLTable.Column(heading: "Layouts", isNumber: true),
            ] + shown.map { HTMLTable.Column(heading: $0.heading, isNumber: true) },
            rows: rows,
            sums: ["All", ""] + shown.map { "\(count: $0.value(all))" },
            word: "form"
        )
    }

    private func cell(_ kind: Kind) -> HTML {
        """
        <code>\(kind.className)</code> \(kind.format == .xml ? "XML" : "binary")<br><small>\(kind.description)</small>
        """
    }
}
