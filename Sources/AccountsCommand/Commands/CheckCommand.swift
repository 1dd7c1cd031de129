internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding

/// `accounts check`: verifies the store.
enum CheckCommand: ToolCommand {
    static let declaration = Command(
        name: "check",
        summary: "Verify the store.",
        discussion: """
            The file, its schema, each account and each form of an archive are examined, as they are at one moment; \
            others can go on using the store. Nothing is changed. The exit status is 1 if anything is wrong.
            """,
        examples: [
            Example("accounts check", "Is everything well?"),
            Example("accounts check --json --database /backup/accounts.sqlite", "The same of a backup, for a script."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let report = try await StoreAccess.with(parsed, for: .reading) { try await $0.check() }
        try context.printJSON(
            [
                ("ok", .bool(report.isHealthy)), ("accounts", .integer(Int64(report.accounts))),
                ("forms", .integer(Int64(report.forms))), ("unused_forms", .integer(Int64(report.unusedForms))),
                ("problem_count", .integer(Int64(report.problemCount))),
                ("problems", .array(report.problems.map(json))),
            ]
        )
        if !context.isJSON { try show(report, database: parsed[GlobalOptions.database], context) }
        return report.isHealthy ? .done : .failed
    }

    private static func json(_ problem: CheckReport.Problem) -> Value {
        .dictionary(["kind": .text(problem.kind.rawValue), "message": .text(problem.message)])
    }

    private static func show(_ report: CheckReport, database: String, _ context: Context) throws {
        var writer = OutputWriter(context.output)
        let name = DisplayText.line(database)
        for problem in report.problems {
            try writer.line("\(problem.kind.rawValue): \(DisplayText.line(problem.message))")
        }
        let unlisted = report.problemCount - report.problems.count
        if unlisted > 0 { try writer.line("and \(Plural.of(unlisted, "more problem"))") }
        if report.isHealthy {
            let unused = report.unusedForms == 0 ? "" : ", \(Plural.of(report.unusedForms, "form")) that no account has"
            try writer.line("\(name) is sound: \(Plural.accounts(report.accounts))\(unused)")
        }
        try writer.flush()
        if !report.isHealthy { context.report("\(name) has \(Plural.of(report.problemCount, "problem"))") }
    }
}
