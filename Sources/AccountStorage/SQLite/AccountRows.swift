internal import KeyValueCoding
internal import SQLiteBinding

/// The table of the accounts and the statements on it.
enum AccountRows {
    static let mapping = RowMapping<Account>(
        table: "accounts",
        key: "uid",
        derivedColumns: [.init(name: "expires_at", value: { $0.expiresAtSeconds })]
    )

    /// How many columns are written of an account; those about its archive follow.
    static let columnCount = mapping.columns.count

    /// The columns that say which archive an account came in.
    static let archiveColumns = ["form_id", "form_details", "file_id"]

    static let columns = mapping.columnList()

    /// For statements that select the columns to read first.
    static let decoder = RowDecoder(mapping)

    /// How many columns are read.
    static let readColumnCount = mapping.readColumns.count

    /// Where the key is among the columns to read. SQLite keeps it an integer whatever is done to the row.
    static let keyColumn = mapping.readColumns.firstIndex(of: mapping.key) ?? 0

    static let readColumns = mapping.readColumnList()

    static let selectOne = "SELECT \(readColumns) FROM accounts WHERE uid = ?1"

    /// The columns of a ``StoredArchiveDecoder``.
    private static let storedArchiveColumns = "\(readColumns), form_id, form_details"

    static let selectArchive = "SELECT \(storedArchiveColumns) FROM accounts WHERE uid = ?1"

    static let visitArchives = "SELECT 1 FROM accounts WHERE visit(\(storedArchiveColumns)) ORDER BY uid"

    static let visitArchivesAfter =
        "SELECT 1 FROM accounts WHERE uid > ?1 AND visit(\(storedArchiveColumns)) ORDER BY uid"

    static let visitAll = "SELECT 1 FROM accounts WHERE visit(\(readColumns)) ORDER BY uid"

    static let visitAfter = "SELECT 1 FROM accounts WHERE uid > ?1 AND visit(\(readColumns)) ORDER BY uid"

    /// What is written of the accounts of a range of uids, and the form.
    static let visitRange = """
        SELECT 1 FROM accounts WHERE uid BETWEEN ?1 AND ?2 AND visit(\(columns), form_id) ORDER BY uid
        """

    static let selectFirstUIDs = "SELECT uid FROM accounts ORDER BY uid LIMIT ?1"

    static let selectUIDs = "SELECT uid FROM accounts WHERE uid > ?2 ORDER BY uid LIMIT ?1"

    /// The index is named so that no statistics can ever make this a scan.
    static let selectExpiring = "SELECT uid FROM accounts INDEXED BY accounts_expires_at WHERE expires_at <= ?1"

    static let selectExpiringOne = selectOne + " AND expires_at <= ?2"

    static let exists = "SELECT 1 FROM accounts WHERE uid = ?1"

    /// Whether an account is there with all of its columns the same; parameters as those of an upsert.
    static let isSame = """
        SELECT 1 FROM accounts WHERE uid = \(mapping.keyParameter)
        AND (\(columns)) IS (\(mapping.parameterList))
        """

    static let setMissingForm =
        "UPDATE accounts SET form_id = ?2, form_details = ?3, file_id = ?4 WHERE uid = ?1 AND form_id IS NULL"

    static let selectFile = "SELECT file_id FROM accounts WHERE uid = ?1"

    static let delete = "DELETE FROM accounts WHERE uid = ?1"
}

extension AccountRows {
    /// Where the rows of a statement come from.
    enum Source: Int, CaseIterable {
        /// One row from the statement's parameters.
        case parameters
        /// All rows of a `RowBatch`.
        case batch
    }

    /// Inserts accounts, or does with those that are there what the rule says.
    ///
    /// - Parameters:
    ///   - rule: what happens to an account of the same uid.
    ///   - withArchive: whether the ``archiveColumns`` follow. The statement has to be run with a visitor then, which gets the uid
    ///     and the file of each row before it is updated. Without them the row keeps its form, but is the file's no longer.
    ///   - source: where the rows come from.
    static func upsert(_ rule: ConflictRule, withArchive: Bool, from source: Source = .parameters) -> String {
        upserts[(rule.position * 2 + (withArchive ? 1 : 0)) * Source.allCases.count + source.rawValue]
    }

    /// All upserts: by rule, by whether they have an archive, by source.
    private static let upserts = ConflictRule.allCases.flatMap { rule in
        [false, true].flatMap { withArchive in
            Source.allCases.map {
                statement(onConflict: action(rule, withArchive: withArchive), withArchive: withArchive, from: $0)
            }
        }
    }

    private static func action(_ rule: ConflictRule, withArchive: Bool) -> String {
        switch rule {
        case .newest: update(withArchive: withArchive, where: isNewer)
        case .replace: update(withArchive: withArchive, where: isOther)
        case .keep, .fail: "NOTHING"
        }
    }

    private static func statement(onConflict action: String, withArchive: Bool, from source: Source) -> String {
        let names = mapping.columns + (withArchive ? archiveColumns : [])
        let positions = names.indices
        let rows =
            switch source {
            case .parameters: "VALUES (" + positions.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
            // Without a condition the conflict clause would be read as that of a join.
            case .batch: "SELECT " + positions.map { "c\($0)" }.joined(separator: ", ") + " FROM batch WHERE true"
            }
        return """
            INSERT INTO accounts (\(list(names))) \(rows)
            ON CONFLICT (uid) DO \(action)
            """
    }

    private static func update(withArchive: Bool, where condition: String) -> String {
        let names = mapping.columns.filter { $0 != mapping.key } + (withArchive ? ["form_id", "form_details"] : [])
        let assignments = names.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
        // The visitor sees what is about to be replaced, and is never true.
        let file = withArchive ? "iif(visit(accounts.uid, accounts.file_id), NULL, excluded.file_id)" : "NULL"
        return "UPDATE SET \(assignments), file_id = \(file) WHERE \(condition)"
    }

    private static func list(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private static let isOther =
        "(\(mapping.columnList(prefix: "excluded."))) IS NOT (\(mapping.columnList(prefix: "accounts.")))"

    /// The order of ``ConflictRule/newest``. Texts compare by their bytes, as blobs do.
    private static let isNewer = "(\(rank("excluded"))) > (\(rank("accounts")))"

    private static func rank(_ row: String) -> String {
        """
        \(row).obtained_at IS NOT NULL, ifnull(\(row).obtained_at, 0), \(row).expires_in, \(row).remind_in, \
        \(row).access_token IS NOT NULL, ifnull(\(row).access_token, ''), \(row).extras
        """
    }
}

extension ConflictRule {
    /// The position among all rules.
    fileprivate var position: Int {
        switch self {
        case .newest: 0
        case .replace: 1
        case .keep: 2
        case .fail: 3
        }
    }
}
