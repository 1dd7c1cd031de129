internal import AccountStorage
internal import ArgumentParsing
internal import KeyedArchive

/// `accounts import PATH...`: archives, and folders of archives, into the store.
enum ImportCommand: ToolCommand {
    private static let paths = Operand(
        repeating: "PATH",
        .path,
        help: "An archive, or a folder that is walked; '-' is an archive on standard input."
    )
    private static let classes = Option(
        repeating: "class",
        .name,
        help: "Objects of this class are accounts, too; '*' in it stands for any text."
    )
    private static let mapping = MappingChoices(
        source: "archive",
        properties: ["access_token", "expires_in", "remind_in", "uid", "obtained_at", "expires_at"]
    )
    private static let conflict = Option(
        "on-conflict",
        .choice("RULE"),
        default: ConflictRule.newest,
        help: "What happens where an account of the same uid is there already: the one with the later obtained_at "
            + "stays, the imported one replaces the other, the other is kept, or the file is refused."
    )
    private static let obtainedAt = Option(
        "obtained-at",
        .choice("SOURCE"),
        default: ImportOptions.TimeSource.mtime,
        help: "When the token was issued, if the archive does not say: when the file was changed last, or unknown."
    )
    private static let dryRun = Option(flag: "dry-run", help: "Do all but write: show what an import would do.")
    private static let quarantine = Option(
        "quarantine",
        ValueParser<RawArgument>.path.named("DIR"),
        help: "Put a copy of each refused file into this folder, and beside it why it was refused."
    )
    private static let jobs = Option(
        "jobs",
        short: "j",
        ValueParser<Int>.integer(in: 1...256),
        defaultText: "as many as processors, at most 8",
        help: "Read so many files at the same time."
    )
    private static let again = Option(
        flag: "again",
        help: "Read files, too, that were imported before and have not changed since."
    )
    private static let allowGaps = Option(
        flag: "allow-gaps",
        help: """
            Accept archives with gaps, overlaps or an unusual order of their objects (badOffsetTable), or with objects \
            that no reference leads to, or one of the wrong kind (badObjects, badClass).
            """
    )

    static let declaration = Command(
        name: "import",
        summary: "Bring archives and folders of archives into the store.",
        discussion: """
            Folders are walked; in them, files that are no property list are passed over, while a file that is named \
            has to be an archive. An archive holds one account of the class Account, of a subclass of it or of a Swift \
            class of that name, or a collection of them. A file that was imported and has not changed since is skipped.

            What other apps did differently is accepted on demand. Where an option helps, the message that refuses a \
            file ends with it: accepted with --class HWAccount --missing remind_in=0. One import can have the options \
            of several apps; keys that an archive does not have do no harm.

            A file that is refused does not keep the others from being imported. With --json it is an element of \
            "failures", with "path", "code" and "message"; a path that is not UTF-8 also has "path_bytes", its bytes \
            in base 64. In the quarantine it has the path that it has below PATH, or a name with digits added where \
            another file has that one; the reason beside it, with .reason.json at the end of its name, tells where \
            the file came from. A quarantine below PATH is not imported itself. An import that was stopped goes on \
            where it was when it is started again.
            """,
        options: [classes] + mapping.all + [
            conflict, obtainedAt, allowGaps, dryRun, quarantine, jobs, again,
        ],
        groups: [OptionGroup(.atMostOne, dryRun, quarantine)],
        operands: [paths],
        examples: [
            Example("accounts import account.data", "One archive."),
            Example("accounts import Legacy --dry-run", "What is in a folder, and what would be refused and why."),
            Example(
                "accounts import Legacy --class '*Account' --missing remind_in=0 --key expires_date=expires_at",
                "Archives of other apps, too, of which some have no remind_in and some a date."
            ),
            Example("accounts import Legacy --quarantine Refused --json", "For a script."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let options = try options(parsed)
        if parsed[paths].count(where: \.isStandardStream) > 1 {
            throw parsed.usageError("'-' may be given only once, since standard input can be read only once")
        }
        var report = ImportReport()
        do {
            if parsed[dryRun] {
                try await dryRun(parsed, options, into: &report, context)
            } else {
                try await StoreAccess.with(parsed, for: .adding) { store in
                    try await run(into: store, parsed, options, into: &report, context)
                }
            }
        } catch {
            // What was done stays done, and what was refused before is as true as without the error.
            guard report.files > 0 else { throw error }
            if context.isJSON {
                try tell(report, parsed, context)
                throw error
            }
            for failure in report.failures { context.report(ImportText.line(failure)) }
            let summary = ImportText.summary(report, isDryRun: parsed[dryRun])
            throw CommandFailure("\(FailureText(error).line). Before that: \(summary)")
        }
        try tell(report, parsed, context)
        if report.failures.isEmpty { return .done }
        return report.imported + report.skipped == 0 ? .failed : .partlyDone
    }

    private static func tell(_ report: ImportReport, _ parsed: ParsedCommand, _ context: Context) throws {
        for failure in report.failures { context.report(ImportText.line(failure)) }
        if context.isJSON {
            try context.printJSON(ImportText.json(report))
        } else {
            for line in ImportText.passedOverLines(report) { context.note(line) }
            context.note(ImportText.summary(report, isDryRun: parsed[dryRun]))
        }
    }

    private static func run(
        into repository: any AccountRepository,
        _ parsed: ParsedCommand,
        _ options: ImportOptions,
        into report: inout ImportReport,
        _ context: Context
    ) async throws {
        let importer = Importer(into: repository, options: options)
        let progress = context.showsProgress ? ProgressLine(context.error) : nil
        defer { progress?.clear() }
        // Paths count in their order, and standard input is one of them.
        for (index, part) in parsed[paths].split(omittingEmptySubsequences: false, whereSeparator: \.isStandardStream)
            .enumerated()
        {
            if index > 0 { report.add(try await importInput(with: importer, context)) }
            if part.isEmpty { continue }
            try await importer.run(part.map { FilePath(bytes: $0.bytes) }, into: &report) { state in
                let count = Plural.of(state.files, "file")
                progress?.show(
                    "\(count)\(state.rejected == 0 ? "" : ", \(state.rejected) refused")  \(DisplayText.path(state.path))"
                )
            }
        }
    }

    private static func importInput(with importer: Importer, _ context: Context) async throws -> ImportReport {
        let bytes: [UInt8]
        do throws(InputError) {
            bytes = try context.input.readAll(limit: ArchiveLimits().bytes)
        } catch {
            var report = ImportReport()
            report.files = 1
            report.failures = [
                ImportFailure(path: FilePath("standard input"), code: error.code, message: error.reason)
            ]
            return report
        }
        return try await importer.run(archive: bytes, name: "standard input")
    }

    /// Imports into memory, over a store that is only read, if there is one.
    private static func dryRun(
        _ parsed: ParsedCommand,
        _ options: ImportOptions,
        into report: inout ImportReport,
        _ context: Context
    ) async throws {
        let database = parsed[GlobalOptions.database]
        if try await isEmpty(database) {
            return try await run(into: RehearsalRepository(over: nil), parsed, options, into: &report, context)
        }
        try await StoreAccess.with(parsed, for: .rehearsing) { store in
            try await run(into: RehearsalRepository(over: store), parsed, options, into: &report, context)
        }
    }

    /// Whether there is nothing at a path, or a database without anything in it, which an import makes a store.
    private static func isEmpty(_ database: String) async throws -> Bool {
        switch FilePath(database).place {
        case .nothing: true
        case .file: try await AccountStore.plan(path: database).applied.isEmpty
        default: false
        }
    }

    private static func options(_ parsed: ParsedCommand) throws(UsageError) -> ImportOptions {
        var limits = ArchiveLimits()
        limits.allowsGaps = parsed[allowGaps]
        var options = ImportOptions(
            reading: ArchiveReadOptions(
                classes: parsed[classes],
                mapping: try mapping.mapping(parsed),
                limits: limits
            ),
            conflictRule: parsed[conflict],
            obtainedAt: parsed[obtainedAt],
            readsUnchangedFiles: parsed[again],
            jobs: parsed[jobs] ?? ImportOptions.defaultJobs
        )
        options.quarantine = parsed[quarantine].map { FilePath(bytes: $0.bytes) }
        return options
    }
}
