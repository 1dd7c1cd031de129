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
            + "stays, the imported one replaces the other, the other is kept, or the file is refused, with all accounts in it. "
            + "To have another rule for files that were imported before, add --again."
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
    private static let verbose = Option(flag: "verbose", short: "v", help: "Print a line for each file.")
    private static let report = Option(
        "report",
        ValueParser<RawArgument>.path.named("FILE"),
        help: "Write a page about the import into this HTML file, to be looked at and passed on: it has no tokens. "
            + "'-' is standard output."
    )
    private static let allowGaps = Option(
        flag: "allow-gaps",
        help: """
            For files that you have looked at, since values of such a file may be wrong: accept archives with gaps, overlaps or an unusual order of their objects (badOffsetTable), or with objects \
            that no reference leads to, or one of the wrong kind (badObjects, badClass).
            """
    )

    static let declaration = Command(
        name: "import",
        summary: "Bring archives and folders of archives into the store.",
        discussion: """
            Folders are walked; in them, files that are no property list are passed over, while a file that is named \
            has to be an archive. An archive holds one account of the class Account, of a subclass of it or of a Swift \
            class of that name, or a collection of them. Symbolic links are not followed in folders. A file that was \
            imported and has not changed since is skipped.

            What other apps did differently is accepted on demand. Where an option helps, the message that refuses a \
            file ends with it: accepted with --class HWAccount --missing remind_in=0. One import can have the options \
            of several apps; keys that an archive does not have do no harm. Look at files that are said to be probably \
            damaged (accounts inspect) before you give an option for them: it holds for all files.

            A file that is refused does not keep the others from being imported. With --json it is an element of \
            "failures", with "path", "code" and "message"; a path that is not UTF-8 also has "path_bytes", its bytes \
            in base 64. In the quarantine it has the path that it has below PATH, or a name with digits added where \
            another file has that one; the reason beside it, with .reason.json at the end of its name, tells where \
            the file came from. A quarantine below PATH is not imported itself.

            Files count in the order of PATH and of the bytes of their paths, however many are read at the same time: \
            of several files of one user, the rule of --on-conflict meets the accounts in that order. Ctrl-C saves \
            what was read and ends with status 130. However an import was stopped, the same command goes on where it \
            was.
            """,
        options: [classes] + mapping.all + [
            conflict, obtainedAt, allowGaps, dryRun, quarantine, report, jobs, again, verbose,
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
        let page = try page(parsed, context)
        var record = ImportRecord(
            paths: parsed[paths].map { FilePath(bytes: $0.bytes) },
            database: parsed[GlobalOptions.database],
            options: options,
            isDryRun: parsed[dryRun]
        )
        let console = ImportConsole(context, isVerbose: parsed[verbose])
        var report = ImportReport()
        do {
            context.interrupts?.arm()
            defer { context.interrupts?.disarm() }
            if parsed[dryRun] {
                try await dryRun(parsed, options, into: &report, console, context)
            } else {
                try await StoreAccess.with(parsed, for: .adding) { store in
                    try await run(into: store, parsed, options, into: &report, console, context)
                }
            }
        } catch {
            record.finish(ImportRecord.End(error), report)
            // The reason why the import ended is worth more than one why there is no page about it.
            do { try page?.write(ImportPage(record: record)) } catch { context.report(Self.pageFailure(error)) }
            // What was done stays done, and what was refused before is as true as without the error.
            guard report.files > 0 else {
                if error is CancellationError { context.warn("interrupted before anything was imported") }
                throw error
            }
            let summary = ImportText.summary(report, isDryRun: parsed[dryRun])
            if context.isJSON { try console.failures.print(after: ImportText.json(report), to: context.output) }
            if error is CancellationError {
                let next = parsed[dryRun] ? "" : "; the same command goes on from here"
                context.warn("interrupted\(next). Before that: \(summary)")
                throw error
            }
            throw context.isJSON ? error : CommandFailure("\(FailureText(error).line). Before that: \(summary)")
        }
        record.finish(.done, report)
        try tell(report, parsed, console, context)
        do { try page?.write(ImportPage(record: record)) } catch { throw CommandFailure(Self.pageFailure(error)) }
        if report.rejected == 0 { return .done }
        return report.imported + report.skipped == 0 ? .failed : .partlyDone
    }

    /// Where the page about the import goes; nil if none is wanted.
    private static func page(_ parsed: ParsedCommand, _ context: Context) throws -> ReportFile? {
        guard let target = parsed[report] else { return nil }
        guard !target.isStandardStream || !context.isJSON else {
            throw parsed.usageError("with '--json' the page cannot go to standard output, too; name a file")
        }
        return try ReportFile(target, context)
    }

    private static func pageFailure(_ error: any Error) -> String {
        "the page about the import was not written: \(FailureText(error).message)"
    }

    private static func tell(
        _ report: ImportReport,
        _ parsed: ParsedCommand,
        _ console: ImportConsole,
        _ context: Context
    ) throws {
        if context.isJSON { return try console.failures.print(after: ImportText.json(report), to: context.output) }
        if !parsed[verbose] { for line in ImportText.passedOverLines(report) { context.note(line) } }
        context.note(ImportText.summary(report, isDryRun: parsed[dryRun]))
        // The line about a single one has said it.
        if report.rejected > 1 { for line in ImportText.adviceLines(report) { context.note(line) } }
    }

    private static func run(
        into repository: any AccountRepository,
        _ parsed: ParsedCommand,
        _ options: ImportOptions,
        into report: inout ImportReport,
        _ console: ImportConsole,
        _ context: Context
    ) async throws {
        let importer = Importer(into: repository, options: options)
        let files = parsed[paths].filter { !$0.isStandardStream }.map { FilePath(bytes: $0.bytes) }
        let counting =
            console.wantsTotal ? Task { console.setTotal((try? await importer.countFiles(files)) ?? 0) } : nil
        defer {
            counting?.cancel()
            console.end()
        }
        // Paths count in their order, and standard input is one of them.
        for (index, part) in parsed[paths].split(omittingEmptySubsequences: false, whereSeparator: \.isStandardStream)
            .enumerated()
        {
            if index > 0 { report.add(try await importInput(with: importer, console, context)) }
            if part.isEmpty { continue }
            try await importer.run(part.map { FilePath(bytes: $0.bytes) }, into: &report) { console.take($0) }
        }
    }

    private static func importInput(
        with importer: Importer,
        _ console: ImportConsole,
        _ context: Context
    ) async throws -> ImportReport {
        let bytes: [UInt8]
        do throws(InputError) {
            bytes = try context.input.readAll(limit: ArchiveLimits().bytes)
        } catch {
            let failure = ImportFailure(path: FilePath("standard input"), code: error.code, message: error.reason)
            console.take(.refused(failure))
            return ImportReport(refusing: failure)
        }
        return try await importer.run(archive: bytes, name: "standard input") { console.take($0) }
    }

    /// Imports into a temporary database, over a store that is only read, if there is one.
    private static func dryRun(
        _ parsed: ParsedCommand,
        _ options: ImportOptions,
        into report: inout ImportReport,
        _ console: ImportConsole,
        _ context: Context
    ) async throws {
        let database = parsed[GlobalOptions.database]
        if try await isEmpty(database) {
            return try await run(
                into: try RehearsalRepository(over: nil),
                parsed,
                options,
                into: &report,
                console,
                context
            )
        }
        try await StoreAccess.with(parsed, for: .rehearsing) { store in
            try await run(into: try RehearsalRepository(over: store), parsed, options, into: &report, console, context)
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
        options.tellsOfEachFile = parsed[verbose]
        return options
    }
}
