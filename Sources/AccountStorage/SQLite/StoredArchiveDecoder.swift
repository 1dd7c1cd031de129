internal import KeyedArchive
internal import SQLiteBinding

/// Makes accounts with the forms of their archives from the rows of one transaction.
struct StoredArchiveDecoder {
    private let connection: Connection
    private let forms: FormCache
    /// The forms by their rows' ids, which mean the same for as long as the transaction lasts.
    private var known: [Int64: ArchiveForm] = [:]

    private static let formColumn = AccountRows.readColumnCount
    private static let detailsColumn = formColumn + 1
    private static let selectForm = "SELECT content FROM forms WHERE id = ?1"

    /// How many bytes of rows are read at a time; what goes beyond that waits for the next time.
    static let mostBytes = 1 << 20

    init(_ connection: Connection, forms: FormCache) {
        self.connection = connection
        self.forms = forms
    }

    /// How many bytes the texts of a row have.
    static func size(of row: Row) -> Int {
        (0...detailsColumn).reduce(0) { size, column in
            row.type(at: column) == .text ? size + row.withBytes(at: column) { $0.byteCount } : size
        }
    }

    /// What is in a row, be it an account or not.
    ///
    /// - Throws: `SQLiteError` if the form's row cannot be read.
    mutating func row(_ row: Row) throws -> StoredArchiveRow {
        do {
            return .archive(try decode(row))
        } catch let error as RowError {
            return .bad(BadRow(uid: Self.uid(of: row), message: "\(error)"))
        }
    }

    /// Makes an account from a row.
    ///
    /// - Throws: `RowError`, and `SQLiteError` if the form's row cannot be read.
    mutating func decode(_ row: Row) throws -> StoredArchive {
        let account = try AccountRows.decoder.decode(row)
        if row.isNull(at: Self.formColumn) { return StoredArchive(account: account) }
        let form = try form(row)
        guard !row.isNull(at: Self.detailsColumn) else { return StoredArchive(account: account, form: form) }
        guard row.type(at: Self.detailsColumn) == .text,
            let details = FormRows.details(json: row.withBytes(at: Self.detailsColumn, Self.text))
        else { throw Self.failure(row, "form_details", "it is not what forms need") }
        return StoredArchive(account: account, form: form, details: details)
    }

    private mutating func form(_ row: Row) throws -> ArchiveForm {
        guard let id = row.integer(at: Self.formColumn) else {
            throw Self.failure(row, "form_id", "expected an integer or NULL")
        }
        if let form = known[id] { return form }
        let content = try connection.withStatement(Self.selectForm) { statement in
            try statement.bind(id, at: 1)
            return try statement.step() ? statement.text(at: 0) : nil
        }
        guard let content else { throw Self.failure(row, "form_id", "there is no such form") }
        guard let form = forms.form(content: content) else {
            throw Self.failure(row, "form_id", "the form \(id) is none that this version can read")
        }
        known[id] = form
        return form
    }

    private static func text(_ bytes: RawSpan) -> String {
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func uid(of row: Row) -> Int64 { row.integer(at: AccountRows.keyColumn) ?? 0 }

    private static func failure(_ row: Row, _ column: String, _ reason: String) -> RowError {
        RowError(table: "accounts", key: uid(of: row), column: column, reason: reason)
    }
}
