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

    static let declaration = Command(
        name: "export",
        summary: "Write accounts of the store as archives.",
        discussion: """
            An account that has not changed since it was imported gives the bytes of the file that it came from; one \
            that has changed gives an archive of the same form with the new values.

            A file appears whole or not at all, can be read by its owner alone, and has the time at which the token \
            was issued as its time of last change, so that 'import' reads the same account from it.
            """,
        options: [all, uids, output, format, layout, className],
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
        let options = ArchiveWriteOptions(
            layout: parsed[layout],
            format: parsed[format],
            className: parsed[className]
        )
        let uids = unique(parsed[uids])
        let target = parsed[output]
        if target.isStandardStream { try checkStream(parsed, uids, context) }
        return try await StoreAccess.with(parsed, for: .reading) { store in
            let exporter = Exporter(from: store, options: options)
            if let uid = uids.first, uids.count == 1 {
                return try await exportOne(uid, exporter, parsed, context)
            }
            return try await exportMany(parsed[all] ? nil : uids, exporter, to: target, context)
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
        guard try await exporter.write(uid: uid, to: path) else { throw missing }
        try context.printJSON(json(accounts: 1, failures: []))
        context.note("wrote \(DisplayText.path(path))")
        return .done
    }

    private static func exportMany(
        _ uids: [Int64]?,
        _ exporter: Exporter,
        to target: RawArgument,
        _ context: Context
    ) async throws -> AccountsTool.Status {
        let folder = FilePath(bytes: target.bytes)
        let progress = context.showsProgress ? ProgressLine(context.error) : nil
        let report: ExportReport
        do {
            defer { progress?.clear() }
            report = try await exporter.writeAll(uids: uids, to: folder) { count in
                // A terminal is slower than the disk.
                if count.isMultiple(of: 64) { progress?.show("\(Plural.accounts(count)) written") }
            }
        }
        tell(report.failures, in: folder, context)
        try context.printJSON(json(accounts: report.exported, failures: report.failures))
        let refused = report.failures.isEmpty ? "" : ", \(report.failures.count) could not be"
        context.note("\(Plural.accounts(report.exported)) written to \(DisplayText.path(folder))\(refused)")
        if report.failures.isEmpty { return .done }
        return report.exported == 0 ? .failed : .partlyDone
    }

    /// How many failures of a kind are told of one by one.
    private static let toldFailures = 20

    /// Tells of each failure, and of many of a kind how many there are. JSON has them all.
    private static func tell(_ failures: [ExportFailure], in folder: FilePath, _ context: Context) {
        var counts: [String: Int] = [:]
        for failure in failures {
            // Those of a kind say the same after the path, which has the uid in it.
            let path = folder.appending(String(failure.uid)).description
            let rest = failure.message.dropFirst(failure.message.hasPrefix(path) ? path.count : 0)
            let kind = String(rest).replacing("uid \(failure.uid)", with: "uid")
            counts[kind, default: 0] += 1
            if counts[kind, default: 0] <= toldFailures {
                context.report("uid \(failure.uid): \(DisplayText.line(failure.message))")
            }
        }
        let untold = counts.values.reduce(0) { $0 + max(0, $1 - toldFailures) }
        if untold > 0 { context.report("\(untold) more could not be written for such reasons; --json lists them all") }
    }

    private static func json(accounts: Int, failures: [ExportFailure]) -> JSONFields {
        let list = failures.map { Value.dictionary(["uid": .integer($0.uid), "message": .text($0.message)]) }
        return [
            ("accounts", .integer(Int64(accounts))), ("rejected", .integer(Int64(failures.count))),
            ("failures", .array(list)),
        ]
    }

    /// The uids in the order of the command line, each once.
    private static func unique(_ uids: [Int64]) -> [Int64] {
        var seen: Set<Int64> = []
        return uids.filter { seen.insert($0).inserted }
    }
}
