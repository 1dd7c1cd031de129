/// What an export has done.
///
/// Its size does not grow with the number of accounts: sums are exact, and of the failures the first are kept. What becomes of each
/// account is told while the export runs (``ExportEvent``).
public struct ExportReport: Sendable, Hashable {
    /// How many accounts were written.
    public var exported = 0
    /// How many accounts had their file already, with the same bytes.
    public var unchanged = 0
    /// How many accounts were not written.
    public var rejected = 0
    /// Why accounts were not written: of the first thousand.
    public private(set) var failures: [ExportFailure] = []

    private static let mostNamed = 1_000

    /// Makes a report, of nothing.
    public init() {}

    /// How many accounts there were.
    public var accounts: Int { exported + unchanged + rejected }

    /// Counts an account that was not written.
    public mutating func refuse(_ failure: ExportFailure) {
        rejected += 1
        if failures.count < Self.mostNamed { failures.append(failure) }
    }
}

/// What an export tells of while it runs, in the order of the accounts.
public enum ExportEvent: Sendable {
    /// An account's file is written.
    case exported(uid: Int64, FilePath)
    /// An account had its file already.
    case unchanged(uid: Int64, FilePath)
    /// An account was not written.
    case refused(ExportFailure)
    /// Some more accounts were gone through. Not all of their files are in their places yet.
    case progress(ExportProgress)
}

/// How far an export has come.
public struct ExportProgress: Sendable, Hashable {
    /// The accounts that were gone through.
    public var accounts: Int
    /// Those of them that will not be written.
    public var rejected: Int
}

/// What has become of one account that was exported.
public enum ExportOutcome: String, Sendable, CaseIterable {
    /// Its file is written.
    case exported
    /// The file was there already, with the same bytes.
    case unchanged
}
