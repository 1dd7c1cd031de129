internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding

/// `accounts migrate`: brings the schema of the store up to date.
enum MigrateCommand: ToolCommand {
    private static let dryRun = Option(flag: "dry-run", help: "Show what would be applied, and apply nothing.")

    static let declaration = Command(
        name: "migrate",
        summary: "Apply the schema, or show what would be applied.",
        discussion: """
            A missing database is created. Each step is applied in a transaction of its own, under a lock that holds \
            across processes. A database that a newer version has written is refused.

            'import' and 'add' bring the schema up to date by themselves.
            """,
        options: [dryRun],
        examples: [
            Example("accounts migrate --dry-run", "See what the database lacks."),
            Example("accounts --database /srv/accounts.sqlite migrate", "Create it, or bring it up to date."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let path = parsed[GlobalOptions.database]
        let isDryRun = parsed[dryRun]
        let before = try await AccountStore.plan(path: path)
        let steps = isDryRun ? before.pending : try await AccountStore.migrate(path: path)
        try context.printJSON(
            [
                ("database", .text(path)), ("dry_run", .bool(isDryRun)), ("present", list(before.applied)),
                (isDryRun ? "pending" : "applied", list(steps)),
            ]
        )
        guard !context.isJSON else { return .done }
        var writer = OutputWriter(context.output)
        for step in steps { try writer.line((isDryRun ? "would apply " : "applied ") + Self.name(of: step)) }
        try writer.flush()
        context.note(summary(path, before, steps: steps.count, isDryRun: isDryRun))
        return .done
    }

    private static func summary(_ path: String, _ before: SchemaPlan, steps: Int, isDryRun: Bool) -> String {
        let name = DisplayText.line(path)
        if steps == 0 { return "\(name) is up to date, with \(Plural.of(before.applied.count, "migration"))" }
        return isDryRun
            ? "\(Plural.of(steps, "migration")) would be applied to \(name)"
            : "\(name) is up to date, with \(Plural.of(before.applied.count + steps, "migration"))"
    }

    /// `V0001 accounts`.
    private static func name(of step: SchemaPlan.Step) -> String {
        let digits = String(step.version)
        return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + " "
            + DisplayText.line(step.name)
    }

    private static func list(_ steps: [SchemaPlan.Step]) -> Value {
        .array(steps.map { .dictionary(["version": .integer(Int64($0.version)), "name": .text($0.name)]) })
    }
}
