/// A row whose foreign key leads nowhere.
public struct ForeignKeyViolation: Sendable, Hashable {
    /// The table that has the row.
    public var table: String
    /// The row's id; nil in a table without row ids.
    public var rowID: Int64?
    /// The table that the key should lead to.
    public var parent: String
    /// Which of the table's foreign keys it is, as `PRAGMA foreign_key_list` counts them.
    public var constraint: Int64

    /// Makes a violation.
    public init(table: String, rowID: Int64?, parent: String, constraint: Int64) {
        self.table = table
        self.rowID = rowID
        self.parent = parent
        self.constraint = constraint
    }
}

extension Connection {
    /// Examines the whole file for damage, indexes included.
    ///
    /// - Parameter limit: After how many findings to stop.
    /// - Returns: What is wrong, one finding each; nothing if all is well.
    public func integrityCheck(limit: Int = 100) throws(SQLiteError) -> [String] {
        let statement = try prepare("PRAGMA integrity_check(\(max(1, limit)))")
        var findings: [String] = []
        do throws(SQLiteError) {
            while try statement.step() {
                let finding = statement.text(at: 0) ?? ""
                if finding != "ok" { findings.append(finding) }
            }
        } catch  where error.code.primary == .corrupt {
            // Some damage ends the examination, which is a finding too.
            findings.append(error.message)
        }
        return findings
    }

    /// Finds the rows whose foreign keys lead nowhere, whether they are enforced or not.
    public func foreignKeyCheck() throws(SQLiteError) -> [ForeignKeyViolation] {
        let statement = try prepare("PRAGMA foreign_key_check")
        var violations: [ForeignKeyViolation] = []
        while try statement.step() {
            violations.append(
                ForeignKeyViolation(
                    table: statement.text(at: 0) ?? "",
                    rowID: statement.isNull(at: 1) ? nil : statement.int64(at: 1),
                    parent: statement.text(at: 2) ?? "",
                    constraint: statement.int64(at: 3)
                )
            )
        }
        return violations
    }
}
