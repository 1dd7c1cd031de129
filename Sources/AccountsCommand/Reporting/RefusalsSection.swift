internal import AccountStorage

/// Which files were refused, why, and what helps.
struct RefusalsSection {
    /// The files that were refused with one code and are accepted with the same options.
    private struct Group {
        /// As they are typed; none if no option accepts the files.
        var options: [String]
        /// Why they are probably damaged, if there is a sign of that.
        var doubt: ImportDoubt?
        var count = 0
        var examples: [ImportFailure] = []
    }

    /// The files that were refused with one code.
    private struct Kind {
        var code: String
        var count = 0
        var groups: [Group] = []

        /// Adds files. Groups whose options read the same, since what could be a secret is cut in them, become one.
        mutating func add(_ group: ImportFailureGroups.Group) {
            let options = group.remedies.map { ImportText.options([$0]) }
            count += group.count
            let index = groups.firstIndex { $0.options == options && $0.doubt == group.doubt } ?? groups.endIndex
            if index == groups.endIndex { groups.append(Group(options: options, doubt: group.doubt)) }
            groups[index].count += group.count
            let rest = RefusalsSection.mostExamples - groups[index].examples.count
            groups[index].examples += group.examples.prefix(max(0, rest))
        }
    }

    private var kinds: [Kind] = []
    private let rejected: Int
    private let others: Int

    private static let mostExamples = 3
    /// More of them are seen when they are asked for.
    private static let mostKindsSeen = 3
    private static let mostGroupsSeen = 12
    /// A command with more options is no help.
    private static let mostOptions = 24

    init(_ report: ImportReport) {
        rejected = report.rejected
        others = report.failureGroups.others
        var indices: [String: Int] = [:]
        for group in report.failureGroups.mostFrequentFirst {
            let index = indices[group.code] ?? kinds.endIndex
            if index == kinds.endIndex {
                kinds.append(Kind(code: group.code))
                indices[group.code] = index
            }
            kinds[index].add(group)
        }
        for index in kinds.indices { kinds[index].groups.sort { $0.count > $1.count } }
        kinds.sort { $0.count != $1.count ? $0.count > $1.count : $0.code < $1.code }
    }

    var html: HTML {
        """
        <section id="refused">
        <h2>Refused files</h2>
        \(rejected == 0 ? "<p>No file was refused.</p>" : content)
        </section>
        """
    }

    private var content: HTML {
        let rest: HTML =
            others == 0 ? "" : "<p>\(others, "file") more were refused for other reasons than those above.</p>"
        return """
            \(advice)
            \(HTML.joined(kinds.enumerated().map { section($0.element, isOpen: $0.offset < Self.mostKindsSeen) }, separator: "\n"))
            \(rest)
            """
    }

    // MARK: What helps

    private var advice: HTML {
        let helped = kinds.flatMap(\.groups).filter { !$0.options.isEmpty && $0.doubt == nil }.sorted {
            $0.count > $1.count
        }
        let count = helped.reduce(0) { $0 + $1.count }
        let start: HTML = "\(rejected, "file") \(rejected == 1 ? "was" : "were") refused"
        guard count > 0 else {
            let isDoubtful = kinds.flatMap(\.groups).contains { $0.doubt != nil }
            return isDoubtful
                ? "<p>\(start). Options accept some, which are probably damaged.</p>"
                : "<p>\(start). No option accepts them.</p>"
        }
        return """
            <p>\(start), of which <b>\(count: count)</b> \(count == 1 ? "is" : "are") accepted with the options that \
            are named below. \(all(helped))</p>
            """
    }

    /// All options that help, in one command.
    private func all(_ helped: [Group]) -> HTML {
        var options: [String] = []
        for option in helped.flatMap(\.options) where !options.contains(option) { options.append(option) }
        guard helped.count > 1, options.count <= Self.mostOptions else { return "" }
        return """
            One import can have the options of several apps; all of them together are:</p>
            <pre><code>\(Self.words(options))</code></pre>
            <p>Whether the objects of a class are accounts is for you to say.
            """
    }

    /// Options that are kept on one line each.
    private static func words(_ options: [String]) -> HTML {
        HTML.joined(options.map { "<span class=\"keep\">\($0)</span>" }, separator: " ")
    }

    // MARK: Why

    private func section(_ kind: Kind, isOpen: Bool) -> HTML {
        let rest = kind.groups.dropFirst(Self.mostGroupsSeen)
        let more: HTML =
            rest.isEmpty ? "" : "<details><summary>\(rest.count, "group") more</summary>\n\(list(rest))</details>"
        return """
            <details class="code"\(isOpen ? " open" : "")>
            <summary><h3><code>\(kind.code)</code> <span>\(kind.count, "file")</span></h3> \
            <small>\(FailureMeaning.of(kind.code))</small></summary>
            \(list(kind.groups.prefix(Self.mostGroupsSeen)))\(more)</details>
            """
    }

    private func list(_ groups: ArraySlice<Group>) -> HTML {
        "<ul class=\"groups\">\n\(HTML.joined(groups.map(item)))</ul>\n"
    }

    private func item(_ group: Group) -> HTML {
        let doubt: HTML = group.doubt.map { ", but probably damaged: \(ImportText.text($0))" } ?? ""
        let help: HTML =
            group.options.isEmpty
            ? "no option accepts \(group.count == 1 ? "it" : "them")"
            : "accepted with <code class=\"option\">\(Self.words(group.options))</code>\(doubt)"
        let examples = group.examples.map { failure -> HTML in
            """
            <li><code>\(DisplayText.path(failure.path))</code><br><small>\(ImportText.reason(failure))</small></li>

            """
        }
        return """
            <li><p><b>\(group.count, "file")</b>, \(help)\(group.count > examples.count ? ", such as" : "")</p>
            <ul>
            \(HTML.joined(examples))</ul></li>

            """
    }
}
