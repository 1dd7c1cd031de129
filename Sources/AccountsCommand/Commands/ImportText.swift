internal import AccountStorage
internal import KeyValueCoding

/// What `import` says of what it did.
enum ImportText {
    /// The line about a refused file: its path, the code, the message and the options that accept it.
    static func line(_ failure: ImportFailure) -> String {
        "\(DisplayText.path(failure.path)): \(failure.code): \(message(failure))"
    }

    /// The sums of the report as the document that `--json` prints has them.
    ///
    /// An account that gave way to the one that was there has changed nothing, and counts as unchanged.
    static func json(_ report: ImportReport) -> JSONFields {
        return [
            ("files", count(report.files)),
            ("imported", count(report.imported)),
            ("accounts", count(report.accounts)),
            ("inserted", count(report.outcomes.inserted)),
            ("updated", count(report.outcomes.updated)),
            ("unchanged", count(report.outcomes.unchanged + report.outcomes.kept)),
            ("skipped", count(report.skipped)),
            ("passed_over", count(report.passedOver)),
            ("rejected", count(report.rejected)),
        ]
    }

    static func json(_ failure: ImportFailure) -> Value {
        var fields: [String: Value] = [
            "path": .text(failure.path.description), "code": .text(failure.code), "message": .text(message(failure)),
        ]
        if let bytes = failure.path.base64 { fields["path_bytes"] = .text(bytes) }
        return .dictionary(fields)
    }

    /// A line for each of the first files that were passed over, so that a damaged archive among them is not overlooked.
    static func passedOverLines(_ report: ImportReport) -> [String] {
        let named = report.passedOverFiles.prefix(10)
        var lines = named.map { "passed over \(DisplayText.path($0.path)): \(DisplayText.line($0.message))" }
        if report.passedOver > named.count, !named.isEmpty {
            lines.append("passed over \(Plural.of(report.passedOver - named.count, "file")) more that are no archives")
        }
        return lines
    }

    /// The line that ends an import, for people.
    static func summary(_ report: ImportReport, isDryRun: Bool) -> String {
        let outcomes = report.outcomes
        var parts = [
            "\(Plural.accounts(report.accounts)) in \(Plural.of(report.imported, "file"))",
            "\(outcomes.inserted) inserted", "\(outcomes.updated) updated",
            "\(outcomes.unchanged) unchanged",
        ]
        if outcomes.kept > 0 {
            parts.append("\(Plural.accounts(outcomes.kept)) gave way to the one that was there")
        }
        if report.skipped > 0 { parts.append("\(Plural.of(report.skipped, "file")) skipped as imported before") }
        if report.passedOver > 0 { parts.append("\(Plural.of(report.passedOver, "file")) passed over as no archive") }
        if report.rejected > 0 { parts.append("\(Plural.of(report.rejected, "file")) refused") }
        return (isDryRun ? "a dry run, nothing was written: " : "") + parts.joined(separator: ", ")
    }

    /// A line for each set of options that has refused files accepted, for the most files first.
    static func adviceLines(_ report: ImportReport) -> [String] {
        var lines = report.failureGroups.mostFrequentFirst.filter { !$0.remedies.isEmpty }.map { group in
            let classes = group.remedies.compactMap { remedy in
                if case .acceptClass(let name) = remedy {
                    "class " + DisplayText.line(Redaction.pattern(of: name))
                } else {
                    nil
                }
            }
            let files =
                "\(Plural.of(group.count, "file")): \((classes.isEmpty ? [group.code] : classes).joined(separator: ", ")), "
            let advice = "add \(options(group.remedies))"
            return files + (group.doubt.map { "probably damaged: \(text($0)); if not, " } ?? "") + advice
        }
        if lines.count > mostAdvice {
            let rest = lines.count - mostAdvice
            lines =
                lines.prefix(mostAdvice) + ["\(Plural.of(rest, "set")) of options more would have other files accepted"]
        }
        return lines
    }

    /// Why files are probably damaged.
    static func text(_ doubt: ImportDoubt) -> String {
        switch doubt {
        case .gaps: "their parts do not agree, and values may be wrong"
        case .misspelling(let name, of: let original): "\(quoted(name)) is \(quoted(original)) but for one letter"
        }
    }

    private static func quoted(_ name: String) -> String { "\"\(DisplayText.line(Redaction.pattern(of: name)))\"" }

    private static let mostAdvice = 20

    /// The options that have the effect of remedies, as they are typed into a shell.
    static func options(_ remedies: [ImportRemedy]) -> String { remedies.map(option).joined(separator: " ") }

    private static func count(_ count: Int) -> Value { .integer(Int64(count)) }

    private static func message(_ failure: ImportFailure) -> String {
        if failure.remedies.isEmpty { return reason(failure) }
        let doubt =
            failure.remedies.contains(.allowGaps) ? ", though it is probably damaged, and values may be wrong" : ""
        return "\(reason(failure)); accepted with \(options(failure.remedies))\(doubt)"
    }

    /// The message about a refused file, without what would have it accepted.
    static func reason(_ failure: ImportFailure) -> String {
        // The library's own advice, which ends the message: here options are advised, if they help.
        let advice = failure.message.firstRange(of: "; to accept it, add the class '")
        return DisplayText.line(String(failure.message[..<(advice?.lowerBound ?? failure.message.endIndex)]))
    }

    /// The option that has the effect of a remedy, as it is typed into a shell.
    private static func option(_ remedy: ImportRemedy) -> String {
        switch remedy {
        case .acceptClass(let name): option("--class", Redaction.pattern(of: name))
        case .readKey(let key, as: let property): option("--key", "\(key)=\(property)")
        case .supply(let key, let value): "--missing \(key)=\(value)"
        case .allowGaps: "--allow-gaps"
        case .keepUnknownKeys: "--unknown keep"
        }
    }

    /// An option with its value; one that begins with a dash is attached, or it would be taken for an option.
    private static func option(_ name: String, _ value: String) -> String {
        value.hasPrefix("-") ? Shell.quote("\(name)=\(value)") : "\(name) \(Shell.quote(value))"
    }
}
