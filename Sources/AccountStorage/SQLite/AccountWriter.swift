internal import SQLiteBinding

/// The one place where accounts are written: a batch of rows and a rule come in, and what became of each goes out.
///
/// It works inside of a transaction that its user has begun with the lock for writing.
struct AccountWriter {
    /// An account to be written.
    struct Row {
        var account: Account
        /// The form to go with it; nil leaves that of the row which is there.
        var form: FormColumns?
    }

    /// The columns for a form.
    struct FormColumns {
        var id: Int64
        var details: String?
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
    func save(_ rows: some Sequence<Row>, onConflict rule: ConflictRule) throws -> [SaveOutcome] {
        var outcomes: [SaveOutcome] = []
        outcomes.reserveCapacity(rows.underestimatedCount)
        for row in rows { outcomes.append(try save(row, onConflict: rule)) }
        return outcomes
    }

    /// Whether there is an account of a uid.
    func exists(uid: Int64) throws -> Bool {
        try connection.withStatement(AccountRows.exists) { statement in
            try statement.bind(uid, at: 1)
            return try statement.step()
        }
    }

    private func save(_ row: Row, onConflict rule: ConflictRule) throws -> SaveOutcome {
        let uid = row.account.uid
        let sql = AccountRows.upsert(rule, withForm: row.form != nil)
        // An upsert does not tell whether it has inserted or updated. But only an insert sets the row id that the connection
        // reports, and that tells it, unless it was this one before.
        let wasThere = connection.lastInsertRowID == uid ? try exists(uid: uid) : nil
        try connection.withStatement(sql) { statement in
            try AccountRows.mapping.bind(row.account, to: statement)
            if let form = row.form {
                try statement.bind(form.id, at: AccountRows.columnCount + 1)
                try statement.bind(form.details, at: AccountRows.columnCount + 2)
            }
            try statement.run()
        }
        if connection.changes > 0 {
            return wasThere ?? (connection.lastInsertRowID != uid) ? .updated : .inserted
        }
        return try outcomeOfUnwritten(row, onConflict: rule)
    }

    /// What to call it that a row was not written, because of the one that is there.
    func outcomeOfUnwritten(_ row: Row, onConflict rule: ConflictRule) throws -> SaveOutcome {
        switch rule {
        case .fail: guard try isSame(row.account) else { throw Conflict(uid: row.account.uid) }
        case .newest, .keep: guard try isSame(row.account) else { return .kept }
        case .replace: break
        }
        if let form = row.form { try setMissingForm(form, uid: row.account.uid) }
        return .unchanged
    }

    private func isSame(_ account: Account) throws -> Bool {
        try connection.withStatement(AccountRows.isSame) { statement in
            try AccountRows.mapping.bind(account, to: statement)
            return try statement.step()
        }
    }

    private func setMissingForm(_ form: FormColumns, uid: Int64) throws {
        try connection.withStatement(AccountRows.setMissingForm) { statement in
            try statement.bind(uid, at: 1)
            try statement.bind(form.id, at: 2)
            try statement.bind(form.details, at: 3)
            try statement.run()
        }
    }
}
