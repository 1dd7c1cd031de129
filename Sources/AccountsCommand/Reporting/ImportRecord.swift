internal import AccountStorage
internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

/// An import as its page tells of it.
struct ImportRecord {
    /// How an import ended.
    enum End {
        /// All files were looked at.
        case done
        /// Somebody stopped it.
        case interrupted
        /// It could not go on, for this reason.
        case failed(String)

        init(_ error: any Error) {
            self = error is CancellationError ? .interrupted : .failed(FailureText(error).line)
        }
    }

    /// What was imported, as it was given; `-` is standard input.
    var paths: [FilePath]
    var database: String
    var options: ImportOptions
    var isDryRun: Bool
    /// When it began, in Unix seconds.
    let begin = Timestamp.unixSeconds(Date()) ?? 0
    private let start = ContinuousClock.now
    /// How long it took.
    private(set) var duration = Duration.zero
    private(set) var end = End.done
    private(set) var report = ImportReport()

    /// Begins a record of an import that begins now.
    init(paths: [FilePath], database: String, options: ImportOptions, isDryRun: Bool) {
        self.paths = paths
        self.database = database
        self.options = options
        self.isDryRun = isDryRun
    }

    /// Takes down how the import ended, and what it has done.
    mutating func finish(_ end: End, _ report: ImportReport) {
        self.end = end
        self.report = report
        duration = ContinuousClock.now - start
    }
}

extension ImportRecord {
    /// The options that were given, as they are typed into a shell, without secrets.
    var optionWords: [String] {
        let reading = options.reading
        let mapping = reading.mapping
        var words = reading.classes.map { ImportText.options([.acceptClass($0)]) }
        for (key, property) in mapping.aliases.sorted(by: { $0.key < $1.key }) {
            words.append("--key " + Shell.quote("\(Redaction.name(key))=\(property)"))
        }
        for (key, value) in mapping.defaults.sorted(by: { $0.key < $1.key }) {
            words.append("--missing " + Shell.quote("\(key)=\(Self.shown(value))"))
        }
        if mapping.unknownKeys != .keep { words.append("--unknown \(mapping.unknownKeys.rawValue)") }
        if options.conflictRule != .newest { words.append("--on-conflict \(options.conflictRule.rawValue)") }
        if options.obtainedAt != .mtime { words.append("--obtained-at \(options.obtainedAt.rawValue)") }
        if reading.limits.allowsGaps { words.append("--allow-gaps") }
        if isDryRun { words.append("--dry-run") }
        if let folder = options.quarantine { words.append("--quarantine " + Shell.quote(DisplayText.path(folder))) }
        if options.jobs != ImportOptions.defaultJobs { words.append("--jobs \(options.jobs)") }
        if options.readsUnchangedFiles { words.append("--again") }
        return words
    }

    /// A value that stands in for a missing one; a text may be a token.
    static func shown(_ value: Value) -> String {
        if case .integer(let number) = value { String(number) } else { "…" }
    }
}
