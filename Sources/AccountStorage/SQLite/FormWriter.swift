internal import KeyValueCoding
internal import KeyedArchive
internal import SQLiteBinding

/// Finds the rows of forms, or adds them, within one transaction.
///
/// Rows of forms are never removed: another process may be about to refer to one that no account refers to now.
struct FormWriter {
    private let connection: Connection
    private let known: FormCache
    /// What was found or added in this transaction. Others may know it once the transaction is committed.
    private(set) var found: [ArchiveForm: FormCache.Entry] = [:]

    init(_ connection: Connection, known: FormCache) {
        self.connection = connection
        self.known = known
    }

    /// The columns for an account of a file: its form, and what goes with it.
    mutating func columns(of archived: ArchivedAccount, file: Int64) throws -> AccountWriter.ArchiveColumns {
        let (form, details) = (archived.form, archived.details)
        try FormRows.checkSize(details, uid: archived.account.uid)
        return AccountWriter.ArchiveColumns(form: try id(of: form), details: FormRows.json(of: details), file: file)
    }

    private mutating func id(of form: ArchiveForm) throws -> Int64 {
        if let id = found[form]?.id ?? known.id(of: form) { return id }
        let content = form.content.json(dialect: .tagged)
        guard content.utf8.count <= RowLimits.json.bytes else {
            let reason =
                "it takes \(content.utf8.count) bytes as JSON, more than the \(RowLimits.json.bytes) that a row keeps"
            throw RowError(table: "forms", key: nil, column: "content", reason: reason, isTooLarge: true)
        }
        let id = try find(content) ?? add(content)
        found[form] = FormCache.Entry(id: id, contentSize: content.utf8.count)
        return id
    }

    private func find(_ content: String) throws -> Int64? {
        try connection.withStatement("SELECT id FROM forms WHERE content = ?1") { statement in
            try statement.bind(content, at: 1)
            return try statement.step() ? statement.int64(at: 0) : nil
        }
    }

    private func add(_ content: String) throws -> Int64 {
        try connection.run("INSERT INTO forms (content) VALUES (?1)", [.text(content)])
        return connection.lastInsertRowID
    }
}
