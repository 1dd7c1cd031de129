internal import KeyedArchive
internal import SQLiteBinding

/// Writes the accounts of files, and the ledger of the files, within one transaction.
struct ImportedFileWriter {
    private let connection: Connection
    private let writer: AccountWriter
    private var forms: FormWriter
    private var ledger: ImportLedger

    init(_ connection: Connection, forms: FormCache) {
        self.connection = connection
        writer = AccountWriter(connection: connection)
        self.forms = FormWriter(connection, known: forms)
        ledger = ImportLedger(connection)
    }

    /// The forms that were found or added. Others may know them once the transaction is committed.
    var foundForms: [ArchiveForm: FormCache.Entry] { forms.found }

    /// Writes files in their order.
    mutating func save(_ files: [ImportedFile], onConflict rule: ConflictRule) throws -> [ImportedFileOutcome] {
        let ids = try ledger.ids(of: files.map(\.identity.path))
        if rule == .fail { return try zip(files, ids).map { try saveUnlessConflicting($0, id: $1) } }
        var accounts: [Account] = []
        var archives: [AccountWriter.ArchiveColumns] = []
        for (file, id) in zip(files, ids) {
            for archived in file.accounts {
                accounts.append(archived.account)
                archives.append(try forms.columns(of: archived, file: id))
            }
        }
        let result = try writer.save(accounts, archives: archives, onConflict: rule)
        try ledger.remember(files, ids: ids, outcomes: result.outcomes)
        return try outcomes(of: files, result)
    }

    private mutating func saveUnlessConflicting(_ file: ImportedFile, id: Int64) throws -> ImportedFileOutcome {
        let formsBefore = forms
        do {
            // Inside of a transaction this is a savepoint.
            return try connection.transaction {
                let rows = try file.accounts.map { archived in
                    AccountWriter.Row(account: archived.account, archive: try forms.columns(of: archived, file: id))
                }
                let result = try writer.save(rows, onConflict: .fail)
                try ledger.remember([file], ids: [id], outcomes: result.outcomes)
                return try outcomes(of: [file], result)[0]
            }
        } catch let conflict as AccountWriter.Conflict {
            // The forms that came with the file have gone with it.
            forms = formsBefore
            return .conflict(uid: conflict.uid)
        }
    }

    private func outcomes(of files: [ImportedFile], _ result: AccountWriter.Result) throws -> [ImportedFileOutcome] {
        var index = 0
        return try files.map { file in
            .saved(
                try file.accounts.map { _ in
                    defer { index += 1 }
                    let other = result.otherFiles[index] ?? nil
                    return ImportedAccountOutcome(
                        result.outcomes[index],
                        otherFile: try other.flatMap { try ledger.path(of: $0) }
                    )
                }
            )
        }
    }
}
