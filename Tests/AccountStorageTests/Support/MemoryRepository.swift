import Foundation
import KeyValueCoding
import KeyedArchive

@testable import AccountStorage

/// A repository in memory, which says in plain Swift what the rules mean that other repositories say in SQL.
actor MemoryRepository: AccountRepository {
    private var rows: [Int64: StoredArchive] = [:]
    private var files: [[UInt8]: FileIdentity] = [:]
    /// The files that the accounts came from.
    private var origins: [Int64: [UInt8]] = [:]

    func account(uid: Int64) -> Account? { rows[uid]?.account }

    func accounts(uids: [Int64]) -> [Account] { uids.compactMap { rows[$0]?.account } }

    nonisolated func accounts(_ query: AccountQuery) -> AccountSequence {
        AccountSequence(limit: query.limit) {
            { after in await self.page(after: after, expiringBefore: query.expiringBefore) }
        }
    }

    private func page(after uid: Int64?, expiringBefore limit: Date?) -> [Account] {
        rows.values.map(\.account)
            .filter { account in uid.map { account.uid > $0 } ?? true }
            .filter { account in limit.map { limit in account.expiresAt.map { $0 < limit } ?? false } ?? true }
            .sorted { $0.uid < $1.uid }.prefix(3).map { $0 }
    }

    func uids(after uid: Int64?, limit: Int) -> [Int64] {
        Array(rows.keys.filter { key in uid.map { key > $0 } ?? true }.sorted().prefix(limit))
    }

    func count() -> Int { rows.count }

    func save(_ account: Account, onConflict rule: ConflictRule) throws -> SaveOutcome {
        let outcome = try save(StoredArchive(account: account), rule: rule, replacesForm: false)
        if outcome == .updated { origins[account.uid] = nil }
        return outcome
    }

    func save(_ accounts: [Account], onConflict rule: ConflictRule) throws -> SaveCounts {
        let before = rows
        var counts = SaveCounts()
        do {
            for account in accounts { counts.add(try save(account, onConflict: rule)) }
        } catch {
            rows = before
            throw error
        }
        return counts
    }

    func remove(uid: Int64) -> Bool {
        origins[uid] = nil
        return rows.removeValue(forKey: uid) != nil
    }

    func storedArchive(uid: Int64) -> StoredArchive? { rows[uid] }

    func importedFiles(at paths: [[UInt8]]) -> [FileIdentity?] { paths.map { files[$0] } }

    func save(_ files: [ImportedFile], onConflict rule: ConflictRule) -> [ImportedFileOutcome] {
        files.map { file in
            let (before, originsBefore) = (rows, origins)
            var outcomes: [ImportedAccountOutcome] = []
            for read in file.accounts {
                let stored = StoredArchive(account: read.account, form: read.form, details: read.details)
                let hadForm = rows[read.account.uid]?.form != nil
                guard let outcome = try? save(stored, rule: rule, replacesForm: true) else {
                    (rows, origins) = (before, originsBefore)
                    return .conflict(uid: read.account.uid)
                }
                let uid = read.account.uid
                let meetsOther = outcome == .updated || outcome == .kept
                outcomes.append(ImportedAccountOutcome(outcome, otherFile: meetsOther ? origins[uid] : nil))
                // One without a form takes it from the first file that has the very same account.
                let takesForm = outcome == .unchanged && !hadForm
                if outcome == .inserted || outcome == .updated || takesForm { origins[uid] = file.identity.path }
            }
            self.files[file.identity.path] = file.identity
            return .saved(outcomes)
        }
    }

    func close() {}

    private func save(_ new: StoredArchive, rule: ConflictRule, replacesForm: Bool) throws -> SaveOutcome {
        let uid = new.account.uid
        guard let old = rows[uid] else {
            rows[uid] = new
            return .inserted
        }
        if old.account == new.account {
            if replacesForm, old.form == nil { rows[uid] = new }
            return .unchanged
        }
        switch rule {
        case .fail: throw StoreError(.conflict, "an account of uid \(uid) is there already")
        case .keep: return .kept
        case .newest where Self.rank(new.account).lexicographicallyPrecedes(Self.rank(old.account)): return .kept
        case .newest, .replace: break
        }
        rows[uid] = replacesForm ? new : StoredArchive(account: new.account, form: old.form, details: old.details)
        return .updated
    }

    /// The order of ``ConflictRule/newest``, as bytes whose lexicographic order it is.
    private static func rank(_ account: Account) -> [UInt8] {
        func number(_ number: Int64) -> [UInt8] {
            withUnsafeBytes(of: (UInt64(bitPattern: number) ^ 1 << 63).bigEndian) { Array($0) }
        }
        let seconds = account.obtainedAt.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
        let extras = Value.dictionary(account.extras).json(dialect: .tagged)
        return (seconds.map { [1] + number($0) } ?? [0] + number(0)) + number(account.expiresIn)
            + number(account.remindIn)
            + (account.accessToken.map { [1] + Array($0.utf8) } ?? [0]) + [0] + Array(extras.utf8)
    }
}
