internal import KeyValueCoding
internal import SQLiteBinding
internal import Schema

/// Examines a store as it is at one moment.
struct StoreCheck {
    private let connection: Connection
    private var report = CheckReport()

    /// Begins the transaction, examines, and ends it.
    static func run(_ connection: Connection) throws -> CheckReport {
        var check = StoreCheck(connection: connection)
        do {
            try connection.transaction(.deferred) { try check.examine() }
        } catch let error as SQLiteError where error.code.primary == .corrupt {
            // What is left of a damaged file cannot be read, and not even the end of a read transaction succeeds then.
            if check.report.isHealthy { check.report.add(.integrity, "\(error)") }
        }
        return check.report
    }

    private mutating func examine() throws {
        try examineFile()
        if try examineSchema() {
            try examineAccounts()
            try examineForms()
        }
    }

    private mutating func examineFile() throws {
        for finding in try connection.integrityCheck(limit: CheckReport.listedPerKind) {
            report.add(.integrity, finding)
        }
        // SQLite takes a last page that is cut short for one that ends in zeros. While there is a log, it may have that page: a
        // disk that is full ends the copying of it in the middle.
        let size = try connection.databaseSize()
        if size.logBytes == 0, let bytes = try? FileStatus(FilePath(connection.fileName), followsLinks: true).size,
            bytes % size.pageSize != 0
        {
            report.add(
                .integrity,
                "the file has \(bytes) bytes, which is no number of pages of \(size.pageSize): it was cut off"
            )
        }
        for violation in try connection.foreignKeyCheck() {
            let row = violation.rowID.map { " \($0)" } ?? ""
            report.add(
                .foreignKey,
                "row\(row) of \(violation.table) refers to a row of \(violation.parent) that is not there"
            )
        }
    }

    /// Says whether rows can be read, which is done by the columns that the migrations made.
    private mutating func examineSchema() throws -> Bool {
        do {
            let drift = try StoreFile.runner.drift(of: connection)
            for difference in drift { report.add(.schema, "\(difference)\(Self.remedy(for: difference))") }
            let damaged = Set(drift.filter { $0.kind != .unknown }.map(\.object))
            return damaged.isDisjoint(with: ["table accounts", "table forms"])
        } catch let error as MigrationError where error.cause == nil {
            report.add(.schema, error.message)
            return false
        }
    }

    /// What restores something in the schema. A table that is gone has taken its rows along.
    private static func remedy(for difference: SchemaDifference) -> String {
        guard difference.object.hasPrefix("index "), let sql = difference.sql else {
            return difference.kind == .missing ? "; a backup has it" : ""
        }
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let removal = difference.kind == .changed ? "DROP INDEX \(difference.object.dropFirst("index ".count)); " : ""
        return "; this SQL restores it: \(removal)\(line)"
    }

    private init(connection: Connection) {
        self.connection = connection
    }

    private mutating func examineAccounts() throws {
        let statement = try connection.prepare(
            "SELECT \(AccountRows.readColumns), expires_at, form_id, form_details FROM accounts ORDER BY uid"
        )
        let expiry = AccountRows.readColumnCount
        let form = expiry + 1
        while try statement.step() {
            report.accounts += 1
            let account: Account
            do throws(RowError) {
                account = try AccountRows.decoder.decode(statement.row)
            } catch {
                report.add(.row, "\(error)")
                continue
            }
            let stored = statement.isNull(at: expiry) ? nil : statement.int64(at: expiry)
            if stored != account.expiresAtSeconds {
                add(account.uid, "expires_at", "it is not obtained_at + expires_in; saving the account again mends it")
            }
            if FormRows.details(json: statement.text(at: form + 1)) == nil {
                add(account.uid, "form_details", "it is not what forms need")
            } else if statement.isNull(at: form), !statement.isNull(at: form + 1) {
                add(account.uid, "form_details", "there are details, but no form")
            }
        }
    }

    private mutating func add(_ uid: Int64, _ column: String, _ reason: String) {
        report.add(.row, "\(RowError(table: "accounts", key: uid, column: column, reason: reason))")
    }

    private mutating func examineForms() throws {
        let statement = try connection.prepare(
            """
            SELECT id, content, id NOT IN (SELECT form_id FROM accounts WHERE form_id IS NOT NULL)
            FROM forms ORDER BY id
            """
        )
        while try statement.step() {
            report.forms += 1
            if statement.int64(at: 2) != 0 { report.unusedForms += 1 }
            if FormRows.form(content: statement.text(at: 1) ?? "") == nil {
                let error = RowError(
                    table: "forms",
                    key: statement.int64(at: 0),
                    column: "content",
                    reason: "it is no form that this version can read"
                )
                report.add(.form, "\(error)")
            }
        }
    }
}
