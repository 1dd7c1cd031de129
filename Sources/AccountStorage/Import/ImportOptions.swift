internal import Glibc

/// How archives are imported.
public struct ImportOptions: Sendable {
    /// Where the time comes from at which a token was issued, if the archive does not say.
    public enum TimeSource: String, Sendable, CaseIterable {
        /// The time at which the file was changed last, which is when the app saved the account.
        case mtime
        /// Nowhere: it stays unknown.
        case none
    }

    /// Which classes and keys are accounts. Its `obtainedAt` is not used; ``obtainedAt`` says what is.
    public var reading: ArchiveReadOptions
    /// What happens where an account of the same uid is there already.
    public var conflictRule: ConflictRule
    /// Where the time of issue comes from.
    public var obtainedAt: TimeSource
    /// Whether files are read that were imported before and have not changed since.
    public var readsUnchangedFiles: Bool
    /// The folder that gets a copy of each refused file, with the reason beside it; nil for none.
    public var quarantine: FilePath?
    /// How many files are read at the same time.
    public var jobs: Int
    /// Whether an observer is told of each file, and of each conflict; otherwise only of those that are refused, and of progress.
    public var tellsOfEachFile = true

    /// Makes options; without arguments they are those of `accounts import`.
    public init(
        reading: ArchiveReadOptions = ArchiveReadOptions(),
        conflictRule: ConflictRule = .newest,
        obtainedAt: TimeSource = .mtime,
        readsUnchangedFiles: Bool = false,
        quarantine: FilePath? = nil,
        jobs: Int = ImportOptions.defaultJobs
    ) {
        self.reading = reading
        self.conflictRule = conflictRule
        self.obtainedAt = obtainedAt
        self.readsUnchangedFiles = readsUnchangedFiles
        self.quarantine = quarantine
        self.jobs = jobs
    }

    /// As many as there are processors, at most eight.
    public static let defaultJobs = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8)
}
