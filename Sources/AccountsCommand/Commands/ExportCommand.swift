internal import AccountStorage
internal import ArgumentParsing
internal import KeyValueCoding
internal import KeyedArchive

/// `accounts export`: accounts out of the store into archives.
enum ExportCommand: ToolCommand {
    private static let all = Option(flag: "all", help: "Every account.")
    private static let uids = Option(
        list: "uid",
        ValueParser<Int64>.integer(),
        help: "The accounts of these users: --uid 1 2, --uid 1,2 or --uid 1 --uid 2."
    )
    private static let output = Option(
        required: "output",
        short: "o",
        .path,
        help: "The file for one uid, '-' being standard output; else the folder for files <uid>/account.data."
    )
    private static let format = Option(
        "format",
        ValueParser<ArchiveFormat>.choice("FORMAT"),
        defaultText: "that of the original, else binary",
        help: "The format of the archives."
    )
    private static let layout = Option(
        "layout",
        .choice("LAYOUT"),
        default: ArchiveWriteOptions.Layout.original,
        help:
            "The form that the account came in, or that of the first app on iOS up to 12 or since 13. An account that "
            + "never was an archive gets ios13."
    )
    private static let className = Option(
        "class",
        ValueParser<String>.name,
        defaultText: "that of the original, else Account",
        help: "The class that the archived object gets."
    )

    private static let force = Option(
        flag: "force",
        help: "Replace files with other content that are there already; without it they are left alone."
    )
    private static let jobs = Option(
        "jobs",
        short: "j",
        ValueParser<Int>.integer(in: 1...256),
        defaultText: "as many as processors, at most 8",
        help: "Write so many files at the same time."
    )
    private static let verbose = Option(flag: "verbose", short: "v", help: "Print a line for each file.")

    static let declaration = Command(
        name: "export",
        summary: "Write accounts of the store as archives.",
        discussion: """
            An account that has not changed since it was imported gives the bytes of the file that it came from; one \
            that has changed gives an archive of the same form with the new values.

            A file appears whole or not at all, also after a power cut, can be read by its owner alone, and has the \
            time at which the token was issued as its time of last change, so that 'import' reads the same account \
            from it. When the command ends, what it has written is on disk.

            A file that is there already with the same bytes is left alone, so that an export that was stopped goes \
            on where it was when it is started again. One with other content is left alone, too, and the account is \
            refused, unless --force is given. With --json the document has the accounts whose files are there now as \
            "accounts", those of them that were there before as "unchanged", and for each of the others an element of \
            "failures" with "uid", "code" and "message".
            """,
        options: [all, uids, output, force, format, layout, className, jobs, verbose],
        groups: [OptionGroup(.exactlyOne, all, uids)],
        examples: [
            Example("accounts export --uid 1404376560 --output account.data", "One account."),
            Example("accounts export --all --output Archives", "All of them, as Archives/<uid>/account.data."),
            Example(
                "accounts export --uid 1404376560 --output - --format xml | plutil -p -",
                "One to another program."
            ),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let options = ExportOptions(
            writing: ArchiveWriteOptions(
                layout: parsed[layout],
                format: parsed[format],
                className: parsed[className]
            ),
            overwrites: parsed[force],
            jobs: parsed[jobs] ?? ImportOptions.defaultJobs
        )
        let uids = unique(parsed[uids])
        if parsed[output].isStandardStream { try checkStream(parsed, uids, context) }
        return try await StoreAccess.with(parsed, for: .reading) { store in
            let exporter = Exporter(from: store, options: options)
            if let uid = uids.first, uids.count == 1 {
                return try await exportOne(uid, exporter, parsed, context)
            }
            let console = ExportConsole(context, to: FilePath(bytes: parsed[output].bytes), isVerbose: parsed[verbose])
            if context.showsProgress { console.setTotal(parsed[all] ? try await store.count() : uids.count) }
            return try await exportMany(parsed[all] ? nil : uids, exporter, console, context)
        }
    }

    private static func checkStream(_ parsed: ParsedCommand, _ uids: [Int64], _ context: Context) throws {
        guard uids.count == 1 else {
            throw parsed.usageError("standard output takes one account, '--uid N'; for several name a folder")
        }
        guard !context.isJSON else {
            throw parsed.usageError("with '--json' the archive cannot go to standard output, too; name a file")
        }
        guard !context.output.isTerminal || parsed[format] == .xml else {
            throw CommandFailure("a binary archive is not for a terminal; name a file, or send it to a program")
        }
    }

    private static func exportOne(
        _ uid: Int64,
        _ exporter: Exporter,
        _ parsed: ParsedCommand,
        _ context: Context
    ) async throws -> AccountsTool.Status {
        let target = parsed[output]
        let missing = CommandFailure.noAccount(uid, in: parsed[GlobalOptions.database])
        if target.isStandardStream {
            guard let data = try await exporter.data(uid: uid) else { throw missing }
            try context.output.write(data)
            return .done
        }
        let path = FilePath(bytes: target.bytes)
        guard path.place != .folder else {
            throw CommandFailure("\(DisplayText.path(path)): is a folder; for one account --output names the file")
        }
        let outcome: ExportOutcome?
        do {
            outcome = try await exporter.write(uid: uid, to: path)
        } catch let failure as ExportFailure {
            throw CommandFailure(ExportText.message(failure))
        }
        guard let outcome else { throw missing }
        let report = ExportReport(outcome)
        try context.printJSON(ExportText.json(report) + [("failures", .array([]))])
        context.note(ExportText.line(outcome, path))
        return .done
    }

    private static func exportMany(
        _ uids: [Int64]?,
        _ exporter: Exporter,
        _ console: ExportConsole,
        _ context: Context
    ) async throws -> AccountsTool.Status {
        var report = ExportReport()
        do {
            context.interrupts?.arm()
            defer {
                context.interrupts?.disarm()
                console.end()
            }
            try await exporter.writeAll(uids: uids, to: console.folder, into: &report) { console.take($0) }
        } catch {
            // What was written stays.
            guard report.accounts > 0 else { throw error }
            let summary = ExportText.summary(report, console.folder)
            if context.isJSON { try console.failures.print(after: ExportText.json(report), to: context.output) }
            if error is CancellationError {
                context.warn("interrupted; the same command goes on from here. Before that: \(summary)")
                throw error
            }
            throw context.isJSON ? error : CommandFailure("\(FailureText(error).line). Before that: \(summary)")
        }
        if context.isJSON { try console.failures.print(after: ExportText.json(report), to: context.output) }
        context.note(ExportText.summary(report, console.folder))
        if report.rejected == 0 { return .done }
        return report.rejected == report.accounts ? .failed : .partlyDone
    }

    /// The uids in the order of the command line, each once.
    private static func unique(_ uids: [Int64]) -> [Int64] {
        var seen: Set<Int64> = []
        return uids.filter { seen.insert($0).inserted }
    }
}
