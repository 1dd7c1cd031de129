internal import AccountStorage
internal import KeyValueCoding

/// What `export` says of what it has done.
enum ExportText {
    /// What happened to an account, on one line, with the option that helps.
    static func message(_ failure: ExportFailure) -> String {
        DisplayText.line(failure.message) + (failure.isConflict ? "; --force replaces it" : "")
    }

    /// What has become of a file.
    static func line(_ outcome: ExportOutcome, _ path: FilePath) -> String {
        switch outcome {
        case .exported: "wrote \(DisplayText.path(path))"
        case .unchanged: "unchanged \(DisplayText.path(path))"
        }
    }

    /// The sums, for a person.
    static func summary(_ report: ExportReport, _ folder: FilePath) -> String {
        var parts = ["\(Plural.accounts(report.exported)) written to \(DisplayText.path(folder))"]
        if report.rejected > 0 { parts.append("\(report.rejected) could not be") }
        if report.unchanged > 0 { parts.append("\(report.unchanged) unchanged") }
        return parts.joined(separator: ", ")
    }

    /// The sums as the document that `--json` prints has them, in which a file that was there already counts as an account, too.
    static func json(_ report: ExportReport) -> JSONFields {
        [
            ("accounts", .integer(Int64(report.exported + report.unchanged))),
            ("unchanged", .integer(Int64(report.unchanged))),
            ("rejected", .integer(Int64(report.rejected))),
        ]
    }

    static func json(_ failure: ExportFailure) -> Value {
        .dictionary([
            "uid": .integer(failure.uid), "code": .text(failure.code), "message": .text(message(failure)),
        ])
    }
}

extension ExportReport {
    /// What was done where there was one account.
    init(_ outcome: ExportOutcome) {
        self.init()
        switch outcome {
        case .exported: exported = 1
        case .unchanged: unchanged = 1
        }
    }
}
