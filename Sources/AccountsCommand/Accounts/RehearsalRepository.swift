internal import AccountStorage
internal import FoundationEssentials
internal import KeyValueCoding

/// A repository in which an import is rehearsed: it reads from another, and keeps in memory what would be written.
///
/// It says what a save would do; reading gives what the other repository has.
actor RehearsalRepository: AccountRepository {
    private let base: (any AccountRepository)?
    /// The uids whose accounts in the other repository were looked at.
    private var known: Set<Int64> = []
    /// The accounts of these that would be there now, as far as a save has to know them.
    private var ranks: [Int64: AccountRank] = [:]
    private var files: [[UInt8]: FileIdentity] = [:]
    /// The files that accounts would come from.
    private var origins: [Int64: [UInt8]] = [:]

    /// Rehearses over a repository, or over an empty one.
    init(over base: (any AccountRepository)?) {
        self.base = base
    }

    // MARK: Reading

    func account(uid: Int64) async throws -> Account? { try await base?.account(uid: uid) }

    func accounts(uids: [Int64]) async throws -> [Account] { try await base?.accounts(uids: uids) ?? [] }

    nonisolated func accounts(_ query: AccountQuery) -> AccountSequence {
        base?.accounts(query) ?? AccountSequence { { _ in [] } }
    }

    func uids(after uid: Int64?, limit: Int) async throws -> [Int64] {
        try await base?.uids(after: uid, limit: limit) ?? []
    }

    func count() async throws -> Int { try await base?.count() ?? 0 }

    func storedArchive(uid: Int64) async throws -> StoredArchive? { try await base?.storedArchive(uid: uid) }

    func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?] {
        let known = try await base?.importedFiles(at: paths) ?? []
        return paths.indices.map { files[paths[$0]] ?? (known.isEmpty ? nil : known[$0]) }
    }

    // MARK: What would be written

    func save(_ account: Account, onConflict rule: ConflictRule) async throws -> SaveOutcome {
        try await look(at: [account.uid])
        return try rehearseOrThrow([account], rule).first ?? .unchanged
    }

    func save(_ accounts: [Account], onConflict rule: ConflictRule) async throws -> SaveCounts {
        try await look(at: accounts.map(\.uid))
        var counts = SaveCounts()
        for outcome in try rehearseOrThrow(accounts, rule) { counts.add(outcome) }
        return counts
    }

    func remove(uid: Int64) async throws -> Bool {
        try await look(at: [uid])
        return ranks.removeValue(forKey: uid) != nil
    }

    func save(_ files: [ImportedFile], onConflict rule: ConflictRule) async throws -> [ImportedFileOutcome] {
        try await look(at: files.flatMap { $0.accounts.map(\.account.uid) })
        return files.map { file in
            do throws(Conflict) {
                let outcomes = try rehearse(file.accounts.map(\.account), rule)
                self.files[file.identity.path] = file.identity
                return .saved(zip(file.accounts, outcomes).map { origin($1, of: $0.account.uid, in: file) })
            } catch {
                return .conflict(uid: error.uid)
            }
        }
    }

    /// Notes where an account would come from, and tells where the one came from that it met.
    private func origin(_ outcome: SaveOutcome, of uid: Int64, in file: ImportedFile) -> ImportedAccountOutcome {
        let meetsOther = outcome == .updated || outcome == .kept
        defer { if outcome == .inserted || outcome == .updated { origins[uid] = file.identity.path } }
        return ImportedAccountOutcome(outcome, otherFile: meetsOther ? origins[uid] : nil)
    }

    func close() {}

    private struct Conflict: Error {
        var uid: Int64
    }

    /// Fetches what the other repository has of some uids.
    private func look(at uids: [Int64]) async throws {
        let unknown = Set(uids).subtracting(known)
        guard !unknown.isEmpty, let base else { return }
        let found = try await Self.ranks(of: unknown.sorted(), in: base)
        // Another call may have looked, and saved, while this one waited.
        for (uid, rank) in found where !known.contains(uid) { ranks[uid] = rank }
        known.formUnion(unknown)
    }

    private static func ranks(of uids: [Int64], in base: any AccountRepository) async throws -> [Int64: AccountRank] {
        var ranks: [Int64: AccountRank] = [:]
        do {
            for account in try await base.accounts(uids: uids) { ranks[account.uid] = AccountRank(account) }
        } catch let error as StoreError where error.code == .badRow {
            // What cannot be read keeps none of the others from being looked at.
            guard uids.count > 1 else { return [uids[0]: .unreadable] }
            let middle = uids.count / 2
            ranks = try await Self.ranks(of: Array(uids[..<middle]), in: base)
            for (uid, rank) in try await Self.ranks(of: Array(uids[middle...]), in: base) { ranks[uid] = rank }
        }
        return ranks
    }

    private func rehearseOrThrow(_ accounts: [Account], _ rule: ConflictRule) throws -> [SaveOutcome] {
        do throws(Conflict) {
            return try rehearse(accounts, rule)
        } catch {
            throw StoreError(.conflict, "there is an account of the uid \(error.uid) already")
        }
    }

    /// Does with the ranks what a save does with rows; if it throws, nothing has changed.
    private func rehearse(_ accounts: [Account], _ rule: ConflictRule) throws(Conflict) -> [SaveOutcome] {
        var outcomes: [SaveOutcome] = []
        var inserted: [Int64] = []
        for account in accounts {
            let new = AccountRank(account)
            guard let old = ranks[account.uid] else {
                ranks[account.uid] = new
                inserted.append(account.uid)
                outcomes.append(.inserted)
                continue
            }
            if new == old {
                outcomes.append(.unchanged)
                continue
            }
            // This rule replaces nothing, so that what it has inserted is all that it has changed.
            guard rule != .fail else {
                for uid in inserted { ranks[uid] = nil }
                throw Conflict(uid: account.uid)
            }
            let stays = rule == .keep || (rule == .newest && new < old)
            if !stays { ranks[account.uid] = new }
            outcomes.append(stays ? .kept : .updated)
        }
        return outcomes
    }
}

/// What is compared of accounts of one uid, in the order of the rule ``ConflictRule/newest``.
private struct AccountRank: Comparable {
    let obtainedAt: Int64?
    let expiresIn: Int64
    let remindIn: Int64
    let token: [UInt8]?
    let extras: [UInt8]

    /// That of a row which no account can be read from: it differs from every account, and is older.
    static let unreadable = AccountRank()

    private init() {
        (obtainedAt, expiresIn, remindIn, token, extras) = (nil, .min, .min, nil, [])
    }

    init(_ account: Account) {
        obtainedAt = account.obtainedAtUnix
        expiresIn = account.expiresIn
        remindIn = account.remindIn
        token = account.accessToken.map { Array($0.utf8) }
        var bytes: [UInt8] = []
        Value.dictionary(account.extras).appendJSON(to: &bytes, dialect: .tagged)
        extras = bytes
    }

    static func < (left: AccountRank, right: AccountRank) -> Bool {
        if left.obtainedAt != right.obtainedAt {
            guard let first = left.obtainedAt, let second = right.obtainedAt else { return left.obtainedAt == nil }
            return first < second
        }
        if left.expiresIn != right.expiresIn { return left.expiresIn < right.expiresIn }
        if left.remindIn != right.remindIn { return left.remindIn < right.remindIn }
        if left.token != right.token {
            guard let first = left.token, let second = right.token else { return left.token == nil }
            return first.lexicographicallyPrecedes(second)
        }
        return left.extras.lexicographicallyPrecedes(right.extras)
    }
}
