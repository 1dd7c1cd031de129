public import FoundationEssentials

/// A place that keeps accounts: what every backend does, whatever database it stands on.
///
/// A call that has returned has done its work for good: a save is on disk. A call that throws has changed nothing.
public protocol AccountRepository: Sendable {
    /// The account of a user, or nil.
    nonisolated(nonsending) func account(uid: Int64) async throws -> Account?

    /// The accounts of several users, in the order of the ids; a user who has none is left out.
    nonisolated(nonsending) func accounts(uids: [Int64]) async throws -> [Account]

    /// The accounts that a query asks for, in ascending order of their uids, however many there are: memory does
    /// not grow with their number.
    func accounts(_ query: AccountQuery) -> AccountSequence

    /// The uids of all accounts, in ascending order, a part at a time. What else is in their rows does not matter.
    ///
    /// - Parameters:
    ///   - uid: the uid that they come after; nil for the first ones.
    ///   - limit: how many, at most; none are the end.
    nonisolated(nonsending) func uids(after uid: Int64?, limit: Int) async throws -> [Int64]

    /// How many accounts there are.
    nonisolated(nonsending) func count() async throws -> Int

    /// Saves an account.
    ///
    /// - Parameters:
    ///   - account: the account; it keeps the form of the archive that one of the same uid came in.
    ///   - rule: what happens to an account of the same uid.
    /// - Returns: what has happened.
    /// - Throws: ``StoreError`` with the code `conflict` under the rule ``ConflictRule/fail``, and what the database throws.
    @discardableResult
    nonisolated(nonsending) func save(_ account: Account, onConflict rule: ConflictRule) async throws -> SaveOutcome

    /// Saves accounts, all of them or, when it throws, none.
    @discardableResult
    nonisolated(nonsending) func save(_ accounts: [Account], onConflict rule: ConflictRule) async throws -> SaveCounts

    /// Removes the account of a user, and says whether there was one.
    @discardableResult
    nonisolated(nonsending) func remove(uid: Int64) async throws -> Bool

    /// The account of a user with the form of the archive that it came in, to be exported.
    nonisolated(nonsending) func storedArchive(uid: Int64) async throws -> StoredArchive?

    /// The accounts with the forms of their archives, in ascending order of their uids, a part at a time.
    ///
    /// A row that no account can be read from keeps none of the others from being given.
    ///
    /// - Parameters:
    ///   - uid: the uid that they come after; nil for the first ones.
    ///   - limit: how many rows, at most; fewer come where they are large, and none are the end.
    nonisolated(nonsending) func storedArchives(after uid: Int64?, limit: Int) async throws -> [StoredArchiveRow]

    /// What files were when they were imported.
    ///
    /// - Parameter paths: absolute paths; the ascending order of their bytes is the fastest.
    /// - Returns: for each path the file; nil for one that never was imported.
    nonisolated(nonsending) func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?]

    /// Saves the accounts of archives, and remembers the files, in one transaction.
    ///
    /// - Parameters:
    ///   - files: the files in the order in which they count: where several hold one uid, a later one meets the
    ///     earlier as if that had been saved before.
    ///   - rule: what happens to an account of the same uid.
    /// - Returns: what has happened to the accounts of each file. Under ``ConflictRule/fail`` a file with a uid that
    ///   another account has already is not saved, and the others are.
    nonisolated(nonsending) func save(_ files: [ImportedFile], onConflict rule: ConflictRule) async throws
        -> [ImportedFileOutcome]

    /// Waits for what runs, and refuses what comes after.
    nonisolated(nonsending) func close() async throws
}

extension AccountRepository {
    /// Saves an account in the place of the one that has its uid.
    @discardableResult
    public nonisolated(nonsending) func save(_ account: Account) async throws -> SaveOutcome {
        try await save(account, onConflict: .replace)
    }

    /// Saves accounts, each in the place of the one that has its uid: all of them or, when it throws, none.
    @discardableResult
    public nonisolated(nonsending) func save(_ accounts: [Account]) async throws -> SaveCounts {
        try await save(accounts, onConflict: .replace)
    }

    /// The accounts with the forms of their archives, fetched one by one.
    public nonisolated(nonsending) func storedArchives(after uid: Int64?, limit: Int) async throws -> [StoredArchiveRow]
    {
        var rows: [StoredArchiveRow] = []
        var uids = try await uids(after: uid, limit: limit)
        while rows.isEmpty, let last = uids.last {
            for uid in uids {
                if let row = try await storedArchiveRow(uid: uid) { rows.append(row) }
            }
            // All of them may have been removed meanwhile, which is not the end yet.
            if rows.isEmpty { uids = try await self.uids(after: last, limit: limit) }
        }
        return rows
    }

    /// The account of a user with the form of its archive, or why none can be read from its row; nil if there is no such row.
    nonisolated(nonsending) func storedArchiveRow(uid: Int64) async throws -> StoredArchiveRow? {
        do {
            return try await storedArchive(uid: uid).map(StoredArchiveRow.archive)
        } catch let error as StoreError where error.code == .badRow {
            return .bad(BadRow(uid: uid, message: error.message))
        }
    }

    /// All accounts in ascending order of their uids.
    public func accounts() -> AccountSequence { accounts(AccountQuery()) }
}

/// Which accounts are asked for.
public struct AccountQuery: Sendable, Hashable {
    /// Only accounts that end before this time. An account that is not known to end is left out then.
    public var expiringBefore: Date?
    /// At most this many.
    public var limit: Int?

    /// Makes a query; without conditions it asks for all accounts.
    public init(expiringBefore: Date? = nil, limit: Int? = nil) {
        self.expiringBefore = expiringBefore
        self.limit = limit
    }
}

/// What a save does where an account of the same uid is there already.
public enum ConflictRule: String, Sendable, CaseIterable {
    /// The account with the later ``Account/obtainedAt`` stays; one without counts as the oldest. Of two with the same time
    /// the one that comes later in the order of `expires_in`, `remind_in`, the token's bytes and the extras' JSON stays, so
    /// that the outcome does not depend on which came first.
    case newest
    /// The account that is saved takes the place of the other.
    case replace
    /// The account that is there stays.
    case keep
    /// The save is refused, unless the account that is there is the very same.
    case fail
}

/// What a save has done.
public enum SaveOutcome: String, Sendable, CaseIterable {
    /// There was no account of this uid.
    case inserted
    /// There was another, which the saved one has replaced.
    case updated
    /// There was the very same.
    case unchanged
    /// There was another, which has stayed by the rule.
    case kept
}

/// How many saves came out in each way.
public struct SaveCounts: Sendable, Hashable {
    /// New accounts.
    public var inserted = 0
    /// Accounts that have replaced another.
    public var updated = 0
    /// Accounts that were there just so.
    public var unchanged = 0
    /// Accounts that gave way to the one that was there.
    public var kept = 0

    /// Makes counts, of nothing.
    public init() {}

    /// Counts a save.
    public mutating func add(_ outcome: SaveOutcome) {
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .kept: kept += 1
        }
    }

    /// The number of all saves.
    public var total: Int { inserted + updated + unchanged + kept }

    /// Counts other saves.
    public mutating func add(_ other: SaveCounts) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        kept += other.kept
    }
}
