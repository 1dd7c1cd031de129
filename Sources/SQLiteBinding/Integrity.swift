internal import Glibc

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
    /// - Throws: If a page could not be read for another reason than damage, of which the examination says nothing then.
    public func integrityCheck(limit: Int = 100) throws(SQLiteError) -> [String] {
        let statement = try prepare("PRAGMA integrity_check(\(max(1, limit)))")
        var findings: [String] = []
        do throws(SQLiteError) {
            while try statement.step() {
                let lines = (statement.text(at: 0) ?? "").split(separator: "\n").map(String.init)
                // The one that begins so says nothing but which database it is.
                for line in lines where line != "ok" && !line.hasPrefix("***") {
                    if let error = unreadablePage(line) { throw error }
                    findings.append(line)
                }
            }
        } catch  where error.code.primary == .corrupt {
            // Some damage ends the examination, which is a finding too.
            findings.append(error.message)
        }
        return findings
    }

    /// The failure that SQLite words as a finding: that a device or the memory failed tells nothing about the file.
    private func unreadablePage(_ finding: String) -> SQLiteError? {
        let systemError = errno
        let parts = finding.split(separator: "error code=")
        guard parts.count == 2, let code = Int32(parts[1]) else { return nil }
        let result = ErrorHints.kind(of: ResultCode(code), systemError: systemError)
        if [.corrupt, .notADatabase].contains(result.primary) { return nil }
        return SQLiteError(
            code: result,
            message: "the database could not be examined: \(finding)",
            path: path,
            hint: ErrorHints.hint(for: result, path: path, systemError: systemError, waited: nil)
        )
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
