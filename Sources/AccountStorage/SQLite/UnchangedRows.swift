internal import SQLiteBinding

/// Finds the rows of batches that the table has just so, which then need not be written.
///
/// An upsert searches the table for each row and compares it in SQL. Where a batch, sorted by uid, has most of the rows of its part of the
/// table, to go through that part once and compare bytes takes a third of the time. Where it does not, or where little is found, the
/// next batches are let pass.
struct UnchangedRows {
    /// What was found of a batch.
    struct Finding {
        /// Which rows the table has just so.
        var isUnchanged: [Bool]
        var count = 0
        /// Whether all rows were looked for.
        var isComplete = true
    }

    private static let key = AccountRows.mapping.columns.firstIndex(of: AccountRows.mapping.key) ?? 0

    private let connection: Connection
    private let withArchive: Bool
    /// How many batches are let pass before one is examined again, and how many after the next failure.
    private var pause = 0
    private var nextPause = 1

    init(_ connection: Connection, withArchive: Bool) {
        self.connection = connection
        self.withArchive = withArchive
    }

    /// Finds the unchanged rows of a batch whose uids ascend, each of which is there once; nil if the batch is let pass.
    mutating func find(in batch: RowBatch) throws -> Finding? {
        if pause > 0 {
            pause -= 1
            return nil
        }
        let finding = try examine(batch)
        if finding.isComplete, finding.count >= batch.count / 8 {
            nextPause = 1
        } else {
            pause = nextPause
            nextPause = min(nextPause * 2, 64)
        }
        return finding
    }

    private func examine(_ batch: RowBatch) throws -> Finding {
        var finding = Finding(isUnchanged: [Bool](repeating: false, count: batch.count))
        guard let first = batch.integer(row: 0, column: Self.key),
            let last = batch.integer(row: batch.count - 1, column: Self.key)
        else { return finding }
        var position = 0
        var (met, others) = (0, 0)
        finding.isComplete = try connection.visit(AccountRows.visitRange, [first, last]) { row in
            let uid = row.integer(at: Self.key) ?? .min
            while position < batch.count, (batch.integer(row: position, column: Self.key) ?? .max) < uid {
                position += 1
            }
            guard batch.integer(row: position, column: Self.key) == uid else {
                others += 1
                // Among so many others it is faster to search for each.
                return others <= 2 * met + 64
            }
            met += 1
            // Without a form the row could be given the batch's.
            if withArchive, row.isNull(at: AccountRows.columnCount) { return true }
            if batch.holds(row, inRow: position, columns: AccountRows.columnCount) {
                finding.isUnchanged[position] = true
                finding.count += 1
            }
            return true
        }
        return finding
    }
}
