internal import Glibc
internal import SQLiteBinding

/// The table of the files that were imported.
///
/// What it is asked for comes in the order of the paths, mostly, in which the table's index has them: a part of the index is gone through
/// instead of searched for each path.
struct ImportLedger {
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// What files were when they were imported; nil for those that were not.
    func files(at paths: [[UInt8]]) throws -> [FileIdentity?] {
        var files = [FileIdentity?](repeating: nil, count: paths.count)
        try forEachRow(of: paths, "size, modified_at") { index, row in
            files[index] = FileIdentity(path: paths[index], size: row.int64(at: 1), modifiedAt: row.int64(at: 2))
        }
        return files
    }

    /// The row ids of files: those that they have, else new ones, ascending in the order of the files.
    func ids(of paths: [[UInt8]]) throws -> [Int64] {
        var ids = [Int64?](repeating: nil, count: paths.count)
        try forEachRow(of: paths, "id") { index, row in ids[index] = row.int64(at: 1) }
        var last = try connection.withStatement("SELECT max(id) FROM imported_files") { statement in
            try statement.step() ? statement.int64(at: 0) : 0
        }
        // A file can be given twice. Where the paths ascend, that need not be looked for.
        let isAscending = zip(paths, paths.dropFirst()).allSatisfy {
            unsafe LedgerCursor.order(of: $0.span.bytes, $1.span.bytes) < 0
        }
        var new: [[UInt8]: Int64] = [:]
        return zip(paths, ids).map { path, id in
            if let id = id ?? (isAscending ? nil : new[path]) { return id }
            last += 1
            if !isAscending { new[path] = last }
            return last
        }
    }

    /// The path of a file; nil if it is not in the ledger any more.
    func path(of id: Int64) throws -> [UInt8]? {
        try connection.withStatement("SELECT path FROM imported_files WHERE id = ?1") { statement in
            try statement.bind(id, at: 1)
            return try statement.step() ? statement.blob(at: 0) : nil
        }
    }

    // MARK: Writing

    private static let columns = ["id", "path", "size", "modified_at", "accounts", "outcome", "uid"]

    /// The conflict may be that of the id or that of the path, which are the same row's.
    private static let remember = """
        INSERT INTO imported_files (\(columns.joined(separator: ", ")), imported_at)
        SELECT \(columns.indices.map { "c\($0)" }.joined(separator: ", ")), unixepoch() FROM batch WHERE true
        ON CONFLICT DO UPDATE SET \
        \((columns.dropFirst(2) + ["imported_at"]).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    /// Remembers files, so that they are not read again while they stay as they are.
    ///
    /// - Parameters:
    ///   - files: the files.
    ///   - ids: what ``ids(of:)`` gave for them.
    ///   - outcomes: what has become of their accounts, in their order.
    func remember(_ files: [ImportedFile], ids: [Int64], outcomes: [SaveOutcome]) throws {
        let batch = RowBatch(columns: Self.columns.count, reservingRows: files.count)
        var next = 0
        for (file, id) in zip(files, ids) {
            batch.append(id)
            unsafe batch.append(blob: file.identity.path.span.bytes)
            batch.append(file.identity.size)
            batch.append(file.identity.modifiedAt)
            batch.append(Int64(file.accounts.count))
            if file.accounts.count == 1 {
                batch.append(outcomes[next].rawValue)
                batch.append(file.accounts[0].account.uid)
            } else {
                batch.appendNull()
                batch.appendNull()
            }
            next += file.accounts.count
        }
        try connection.run(Self.remember, over: batch)
    }

    // MARK: Finding

    /// Gives the path and some other columns from a path on.
    static func select(_ columns: String) -> String {
        "SELECT path, \(columns) FROM imported_files WHERE path >= ?1 ORDER BY path"
    }

    /// Calls for each path that is in the ledger, with its index and a row whose first column is the path.
    private func forEachRow(of paths: [[UInt8]], _ columns: String, _ body: (Int, Statement) -> Void) throws {
        try connection.withStatement(Self.select(columns)) { statement in
            var cursor = LedgerCursor(statement)
            for (index, path) in paths.enumerated() where try cursor.find(path) { body(index, statement) }
        }
    }
}

/// Goes through rows that are in the order of their paths, to find some of them.
private struct LedgerCursor {
    private enum Place {
        case nowhere
        case row
        case end
    }

    /// How many rows of other paths are gone through before a path is searched for.
    private static let mostOthers = 8

    private let statement: Statement
    private var place = Place.nowhere
    private var last: [UInt8] = []

    /// - Parameter statement: gives the rows from the path on that it is bound to, which is their first column.
    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Goes to the row of a path, and says whether there is one.
    mutating func find(_ path: [UInt8]) throws -> Bool {
        // There is no way back.
        if unsafe Self.order(of: path.span.bytes, last.span.bytes) < 0 { place = .nowhere }
        last = path
        var others = 0
        while place == .row, others < Self.mostOthers {
            let order = order(of: path)
            if order <= 0 { return order == 0 }
            place = try statement.step() ? .row : .end
            others += 1
        }
        if place == .end { return false }
        statement.reset()
        try statement.bind(path, at: 1)
        place = try statement.step() ? .row : .end
        return place == .row && order(of: path) == 0
    }

    /// How a path stands to that of the row: below 0 before it, above 0 behind it.
    private func order(of path: [UInt8]) -> Int {
        statement.withBytes(at: 0) { unsafe Self.order(of: path.span.bytes, $0) }
    }

    /// How bytes stand to others: below 0 before them, above 0 behind them.
    static func order(of left: RawSpan, _ right: RawSpan) -> Int {
        let order = unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return Int32(0) }
                return unsafe memcmp(first, second, min(left.count, right.count))
            }
        }
        return order == 0 ? left.byteCount - right.byteCount : Int(order)
    }
}
