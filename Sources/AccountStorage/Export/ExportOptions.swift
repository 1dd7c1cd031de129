/// How accounts are exported.
public struct ExportOptions: Sendable, Hashable {
    /// How an account is written as an archive.
    public var writing: ArchiveWriteOptions
    /// Whether files that are there with other content are replaced. Otherwise they are left alone, and the account is refused.
    public var overwrites: Bool
    /// How many archives are written at the same time.
    public var jobs: Int

    /// Makes options; without arguments they are those of `accounts export`.
    public init(
        writing: ArchiveWriteOptions = ArchiveWriteOptions(),
        overwrites: Bool = false,
        jobs: Int = ImportOptions.defaultJobs
    ) {
        self.writing = writing
        self.overwrites = overwrites
        self.jobs = jobs
    }
}
