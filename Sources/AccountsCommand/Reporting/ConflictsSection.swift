internal import AccountStorage

/// Which accounts met another of the same user, and which of the two stayed.
struct ConflictsSection {
    private let conflicts: [ImportConflict]
    private let count: Int
    private let rule: ConflictRule
    /// The folder that all the files are in; empty if there is none.
    private let folder: [UInt8]

    init(_ report: ImportReport, rule: ConflictRule) {
        conflicts = report.conflicts
        count = report.conflictCount
        self.rule = rule
        folder = Self.folder(of: conflicts.flatMap { [$0.winner, $0.loser].compactMap(\.self) })
    }

    var html: HTML {
        """
        <section id="conflicts">
        <h2>Several accounts of one user</h2>
        \(count == 0 ? "<p>No account met another of the same user.</p>" : content)
        </section>
        """
    }

    private var content: HTML {
        let below: HTML =
            folder.isEmpty ? "" : " Paths are below <code>\(DisplayText.path(FilePath(bytes: folder)))</code>."
        let rest = count - conflicts.count
        let more: HTML = rest > 0 ? "<p>\(rest, "conflict") more \(rest == 1 ? "is" : "are") not listed.</p>" : ""
        return """
            <p>\(count, "account") met another of the same user with other values. \(Self.sentence(rule))\(below)</p>
            \(table.html)
            \(more)
            """
    }

    private var table: HTMLTable {
        HTMLTable(
            caption: count > conflicts.count
                ? "The first \(count: conflicts.count) of \(count: count)" : "Which of two accounts stayed",
            columns: [
                HTMLTable.Column(heading: "User (uid)"), HTMLTable.Column(heading: "Stayed"),
                HTMLTable.Column(heading: "Gave way"),
            ],
            rows: conflicts.map { ["\(String($0.uid))", cell($0.winner), loser($0)] },
            word: "conflict"
        )
    }

    private func loser(_ conflict: ImportConflict) -> HTML {
        conflict.loser != nil && conflict.loser == conflict.winner
            ? "what the same file held before" : cell(conflict.loser)
    }

    private func cell(_ file: FilePath?) -> HTML {
        guard let file else { return "the account in the store" }
        return "<code>\(DisplayText.path(FilePath(bytes: file.bytes.dropFirst(folder.count))))</code>"
    }

    private static func sentence(_ rule: ConflictRule) -> String {
        switch rule {
        case .newest: "The one whose token was issued later stayed."
        case .replace: "The one that came later in the import stayed."
        case .keep: "The one that was there first stayed."
        case .fail: "The file was refused."
        }
    }

    /// The longest folder that all the files are in, with a slash at its end; empty if that says nothing.
    private static func folder(of files: [FilePath]) -> [UInt8] {
        guard files.count > 1, var prefix = files.first?.bytes[...] else { return [] }
        for file in files {
            let common = zip(prefix, file.bytes).prefix { $0 == $1 }.count
            prefix = prefix.prefix(common)
        }
        guard let slash = prefix.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [] }
        return Array(prefix[...slash])
    }
}
