/// What an import has done.
///
/// Its size does not grow with the number of files: sums are exact, and lists have a first part that is named. What becomes
/// of each file is told while the import runs (``ImportEvent``).
public struct ImportReport: Sendable {
    /// The files that were looked at: each of them held accounts, was skipped, was passed over, or was refused.
    public var files = 0
    /// The files whose accounts were imported.
    public var imported = 0
    /// The files that were imported before and have not changed since.
    public var skipped = 0
    /// The files in folders that are no property lists.
    public var passedOver = 0
    /// The files and paths that were refused.
    public var rejected = 0
    /// The accounts in the files that were imported.
    public var accounts = 0
    /// What has become of these accounts.
    public var outcomes = SaveCounts()

    /// The first hundred of the files that were passed over, each with what it is.
    public private(set) var passedOverFiles: [ImportFailure] = []
    /// Why files, or paths, were refused: of the first thousand.
    public private(set) var failures: [ImportFailure] = []
    /// The files that were refused, by what helps.
    public internal(set) var failureGroups = ImportFailureGroups()
    /// The accounts that gave way to another of the same user, and those that replaced one: the first thousand.
    public private(set) var conflicts: [ImportConflict] = []
    /// How many of these there were.
    public private(set) var conflictCount = 0
    /// The accounts that were imported, by the form of their archives.
    public private(set) var forms = ImportedForms()
    /// When the accounts that were imported end.
    public private(set) var expiries = ExpiryMonths()

    /// Makes a report, of nothing.
    public init() {}

    /// Makes a report of one path that was refused.
    public init(refusing failure: ImportFailure) {
        files = 1
        refuse(failure)
    }

    private static let mostPassedOver = 100
    private static let mostNamed = 1_000

    /// Whether each file was counted in one way.
    public var isBalanced: Bool {
        files == imported + skipped + passedOver + rejected
            && accounts == outcomes.inserted + outcomes.updated + outcomes.unchanged + outcomes.kept
    }

    /// Counts a file that was passed over.
    mutating func passOver(_ file: ImportFailure) {
        passedOver += 1
        if passedOverFiles.count < Self.mostPassedOver { passedOverFiles.append(file) }
    }

    /// Counts a file that was refused.
    mutating func refuse(_ failure: ImportFailure) {
        rejected += 1
        if failures.count < Self.mostNamed { failures.append(failure) }
        failureGroups.add(failure)
    }

    /// Counts an account that met another of the same user.
    mutating func add(_ conflict: ImportConflict) {
        conflictCount += 1
        if conflicts.count < Self.mostNamed { conflicts.append(conflict) }
    }

    /// Counts an account that was imported.
    mutating func add(_ outcome: SaveOutcome, of archived: ArchivedAccount) {
        accounts += 1
        outcomes.add(outcome)
        forms.add(outcome, of: archived.form)
        expiries.add(archived.account.expiresAtSeconds)
    }

    /// Takes back what was counted of accounts that were not saved after all.
    mutating func forgetImported() {
        files -= imported
        (imported, accounts, outcomes) = (0, 0, SaveCounts())
        (conflicts, conflictCount) = ([], 0)
        (forms, expiries) = (ImportedForms(), ExpiryMonths())
    }

    /// Counts what another import has done.
    public mutating func add(_ other: ImportReport) {
        files += other.files
        imported += other.imported
        skipped += other.skipped
        passedOver += other.passedOver
        rejected += other.rejected
        accounts += other.accounts
        outcomes.add(other.outcomes)
        passedOverFiles = Array((passedOverFiles + other.passedOverFiles).prefix(Self.mostPassedOver))
        failures = Array((failures + other.failures).prefix(Self.mostNamed))
        failureGroups.add(other.failureGroups)
        conflicts = Array((conflicts + other.conflicts).prefix(Self.mostNamed))
        conflictCount += other.conflictCount
        forms.add(other.forms)
        expiries.add(other.expiries)
    }
}

/// The sums of an import do not agree, which is a fault of the library. What was imported is saved.
public struct ImportSumError: Error, Sendable {
    /// How many files and paths were found.
    public var filesFound: Int
    /// What was counted.
    public var report: ImportReport
}

extension ImportSumError: CustomStringConvertible {
    /// The sums, on one line.
    public var description: String {
        """
        the import's sums do not agree, please report this: \(filesFound) files found, \(report.files) counted; \(report.imported) imported, \
        \(report.skipped) skipped, \(report.passedOver) passed over, \(report.rejected) refused; \(report.accounts) accounts, \
        \(report.outcomes.total) with an outcome
        """
    }
}
