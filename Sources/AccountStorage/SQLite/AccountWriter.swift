internal import SQLiteBinding

/// The one place where accounts are written: a batch of rows and a rule come in, and what became of each goes out.
///
/// It works inside of a transaction that its user has begun with the lock for writing.
struct AccountWriter {
    /// An account to be written.
    struct Row {
        var account: Account
        /// The archive that it came in; nil leaves the form of the row that is there.
        var archive: ArchiveColumns?
    }

    /// The columns about an archive.
    struct ArchiveColumns {
        var form: Int64
        var details: String?
        var file: Int64
    }

    /// What has become of rows.
    struct Result {
        var outcomes: [SaveOutcome]
        /// Of rows that came in archives: for those that replaced another row or gave way to one, by index, the file of that one. Nil for
        /// one that was of no file.
        var otherFiles: [Int: Int64?] = [:]
    }

    /// An account that may not be written under ``ConflictRule/fail``.
    struct Conflict: Error {
        var uid: Int64
    }

    let connection: Connection

    /// Writes rows one after the other: a later one meets an earlier one of the same uid.
    ///
    /// - Throws: ``Conflict``, `RowError`, `SQLiteError`; some of the rows may have been written then, and the transaction has to be
    ///   rolled back.
    func save(_ rows: some Sequence<Row>, onConflict rule: ConflictRule) throws -> Result {
        var result = Result(outcomes: [])
        result.outcomes.reserveCapacity(rows.underestimatedCount)
        for row in rows {
            let (outcome, file) = try save(row, onConflict: rule)
            if let file { result.otherFiles[result.outcomes.count] = file }
            result.outcomes.append(outcome)
        }
        return result
    }

    /// Whether there is an account of a uid.
    func exists(uid: Int64) throws -> Bool {
        try connection.withStatement(AccountRows.exists) { statement in
            try statement.bind(uid, at: 1)
            return try statement.step()
        }
    }

    /// Writes a row, and gives the file of the row that it met, if it came in an archive itself.
    private func save(_ row: Row, onConflict rule: ConflictRule) throws -> (SaveOutcome, otherFile: Int64??) {
        let uid = row.account.uid
        let sql = AccountRows.upsert(rule, withArchive: row.archive != nil)
        // An upsert does not tell whether it has inserted or updated. But only an insert sets the row id that the connection
        // reports, and that tells it, unless it was this one before.
        let wasThere = connection.lastInsertRowID == uid ? try exists(uid: uid) : nil
        var otherFile: Int64??
        if let archive = row.archive {
            try connection.visiting {
                otherFile = .some($0.integer(at: 1))
            } _: {
                try write(row, archive, sql)
            }
        } else {
            try connection.withStatement(sql) { statement in
                try AccountRows.mapping.bind(row.account, to: statement)
                try statement.run()
            }
        }
        if connection.changes > 0 {
            return (wasThere ?? (connection.lastInsertRowID != uid) ? .updated : .inserted, otherFile)
        }
        let outcome = try outcomeOfUnwritten(row, onConflict: rule)
        return (outcome, outcome == .kept && row.archive != nil ? .some(try file(ofUID: uid)) : nil)
    }

    private func write(_ row: Row, _ archive: ArchiveColumns, _ sql: String) throws {
        try connection.withStatement(sql) { statement in
            try AccountRows.mapping.bind(row.account, to: statement)
            try statement.bind(archive.form, at: AccountRows.columnCount + 1)
            try statement.bind(archive.details, at: AccountRows.columnCount + 2)
            try statement.bind(archive.file, at: AccountRows.columnCount + 3)
            try statement.run()
        }
    }

    /// The file that the account of a uid came from, if it came from one.
    func file(ofUID uid: Int64) throws -> Int64? {
        try connection.withStatement(AccountRows.selectFile) { statement in
            try statement.bind(uid, at: 1)
            return try statement.step() && !statement.isNull(at: 0) ? statement.int64(at: 0) : nil
        }
    }

    /// What to call it that a row was not written, because of the one that is there.
    func outcomeOfUnwritten(_ row: Row, onConflict rule: ConflictRule) throws -> SaveOutcome {
        switch rule {
        case .fail: guard try isSame(row.account) else { throw Conflict(uid: row.account.uid) }
        case .newest, .keep: guard try isSame(row.account) else { return .kept }
        case .replace: break
        }
        if let archive = row.archive { try setMissingForm(archive, uid: row.account.uid) }
        return .unchanged
    }

    private func isSame(_ account: Account) throws -> Bool {
        try connection.withStatement(AccountRows.isSame) { statement in
            try AccountRows.mapping.bind(account, to: statement)
            return try statement.step()
        }
    }

    private func setMissingForm(_ archive: ArchiveColumns, uid: Int64) throws {
        try connection.withStatement(AccountRows.setMissingForm) { statement in
            try statement.bind(uid, at: 1)
            try statement.bind(archive.form, at: 2)
            try statement.bind(archive.details, at: 3)
            try statement.bind(archive.file, at: 4)
            try statement.run()
        }
    }
}
