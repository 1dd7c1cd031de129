internal import SQLiteBinding

extension AccountWriter {
    /// Fewer rows than this are written one by one.
    private static let leastRows = 8
    /// How many rows a statement takes at most, so that memory does not grow with their number.
    private static let mostRows = 4_096
    /// From this many rows on the indexes are built anew, if they are many beside those that are there.
    private static let manyRows = 50_000

    /// Writes accounts as ``save(_:onConflict:)`` does, but many with one statement, and in the order of their uids, in which the
    /// table is kept. Accounts of one uid keep their order, so that the outcome is the same.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - archives: the archive that each came in; none to leave the forms of the rows that are there.
    ///   - rule: what happens to accounts of the same uids.
    /// - Returns: what has become of each account.
    /// - Throws: as ``save(_:onConflict:)`` does.
    func save(
        _ accounts: [Account],
        archives: [ArchiveColumns] = [],
        onConflict rule: ConflictRule
    ) throws -> Result {
        // That a conflict is refused is found out row by row.
        if accounts.count < Self.leastRows || rule == .fail {
            let rows = accounts.indices.lazy.map {
                Row(account: accounts[$0], archive: archives.isEmpty ? nil : archives[$0])
            }
            return try save(rows, onConflict: rule)
        }
        var bulk = BulkSave(accounts: accounts, archives: archives, rule: rule, writer: self)
        var rest = Self.order(of: accounts)
        while !rest.isEmpty {
            // What has become of a row can be told only if no later one of the same statement has its uid.
            let round = Self.takeFirstOfEach(&rest, of: accounts)
            try save(round, of: &bulk)
        }
        return bulk.result
    }

    /// Writes accounts each of which has another uid.
    private func save(_ round: [Int32], of bulk: inout BulkSave) throws {
        var indexes = DeferredIndexes(connection)
        var mayDrop = true
        for start in stride(from: 0, to: round.count, by: Self.mostRows) {
            try bulk.fill(round[start..<min(start + Self.mostRows, round.count)])
            // Whether it is worth it is known only from here on: what is there just so does not touch the indexes.
            let isMany = round.count - start >= Self.manyRows && bulk.isMostlyChanged
            if mayDrop, isMany {
                mayDrop = false
                if try !hasMore(than: 2 * (round.count - start)) { try indexes.drop() }
            }
            try bulk.write()
        }
        try indexes.build()
    }

    /// Whether there are more rows than a number. With too many, building their indexes anew would take longer than putting some
    /// entries into them.
    private func hasMore(than count: Int) throws -> Bool {
        try connection.withStatement("SELECT 1 FROM accounts LIMIT 1 OFFSET ?1") { statement in
            try statement.bind(count, at: 1)
            return try statement.step()
        }
    }

    /// The indices of accounts in the order of their uids, and of one uid in their own order.
    private static func order(of accounts: [Account]) -> [Int32] {
        unsafe accounts.withUnsafeBufferPointer { accounts in
            let indices = accounts.indices.map(Int32.init)
            var isInOrder = true
            for index in accounts.indices.dropFirst() where unsafe accounts[index - 1].uid > accounts[index].uid {
                isInOrder = false
                break
            }
            if isInOrder { return indices }
            // Sorted by pairs that lie side by side, not by what they point to.
            var keys = indices.map { (uid: unsafe accounts[Int($0)].uid, index: $0) }
            keys.sort { $0.uid == $1.uid ? $0.index < $1.index : $0.uid < $1.uid }
            return keys.map(\.index)
        }
    }

    /// Takes the first index of each uid out of indices that are in the order of the uids.
    private static func takeFirstOfEach(_ indices: inout [Int32], of accounts: [Account]) -> [Int32] {
        unsafe accounts.withUnsafeBufferPointer { accounts in
            var rest: [Int32] = []
            var last: Int64?
            let first = indices.filter { index in
                let uid = unsafe accounts[Int(index)].uid
                defer { last = uid }
                if uid == last { rest.append(index) }
                return uid != last
            }
            indices = rest
            return first
        }
    }
}

/// One save of many accounts, a batch at a time.
private struct BulkSave {
    private static let filler = BatchFiller(AccountRows.mapping)

    let accounts: [Account]
    let archives: [AccountWriter.ArchiveColumns]
    let rule: ConflictRule
    let writer: AccountWriter
    private let batch: RowBatch
    private let sql: String
    private var unchangedRows: UnchangedRows
    /// Which accounts the rows of the batch are.
    private var indices: [Int32] = []
    /// Whether those that were there just so are no longer in the batch.
    private var isExamined = false
    /// Whether most accounts of the batch were not there just so.
    private(set) var isMostlyChanged = true
    private(set) var result: AccountWriter.Result

    init(
        accounts: [Account],
        archives: [AccountWriter.ArchiveColumns],
        rule: ConflictRule,
        writer: AccountWriter
    ) {
        self.accounts = accounts
        self.archives = archives
        self.rule = rule
        self.writer = writer
        let withArchive = !archives.isEmpty
        batch = RowBatch(columns: AccountRows.columnCount + (withArchive ? AccountRows.archiveColumns.count : 0))
        sql = AccountRows.upsert(rule, withArchive: withArchive, from: .batch)
        unchangedRows = UnchangedRows(writer.connection, withArchive: withArchive)
        result = AccountWriter.Result(outcomes: [SaveOutcome](repeating: .unchanged, count: accounts.count))
    }

    /// Fills the batch with the accounts at some indices, but for those that are there just so.
    mutating func fill(_ indices: ArraySlice<Int32>) throws {
        try fillBatch(indices)
        self.indices = Array(indices)
        let finding = try unchangedRows.find(in: batch)
        isExamined = finding?.isComplete ?? false
        if let finding, finding.count > 0 {
            batch.removeRows { finding.isUnchanged[$0] }
            self.indices = zip(indices, finding.isUnchanged).compactMap { $1 ? nil : $0 }
        }
        isMostlyChanged = batch.count * 2 > indices.count
    }

    /// Writes the accounts of the batch.
    mutating func write() throws {
        if batch.count == 0 { return }
        // In the order of the batch.
        var replaced: [(uid: Int64, file: Int64?)] = []
        let changes = try writer.connection.visiting {
            replaced.append(($0.integer(at: 0) ?? 0, $0.integer(at: 1)))
        } _: {
            try writer.connection.run(sql, over: batch)
        }
        var next = 0
        for (row, index) in zip(0..., indices) {
            let index = Int(index)
            switch changes.change(ofRow: row) {
            case .inserted: result.outcomes[index] = .inserted
            case .updated:
                result.outcomes[index] = .updated
                if next < replaced.count, replaced[next].uid == accounts[index].uid {
                    result.otherFiles.updateValue(replaced[next].file, forKey: index)
                    next += 1
                }
            case .none, .deleted: try setOutcomeOfUnwritten(index)
            }
        }
    }

    private mutating func setOutcomeOfUnwritten(_ index: Int) throws {
        let outcome = try outcomeOfUnwritten(index)
        result.outcomes[index] = outcome
        guard outcome == .kept, !archives.isEmpty else { return }
        result.otherFiles.updateValue(try writer.file(ofUID: accounts[index].uid), forKey: index)
    }

    private func outcomeOfUnwritten(_ index: Int) throws -> SaveOutcome {
        // Here, and without a form that may be missing, there is no more to find out.
        if archives.isEmpty, rule == .replace { return .unchanged }
        if archives.isEmpty, isExamined { return .kept }
        let row = AccountWriter.Row(account: accounts[index], archive: archives.isEmpty ? nil : archives[index])
        return try writer.outcomeOfUnwritten(row, onConflict: rule)
    }

    private func fillBatch(_ indices: ArraySlice<Int32>) throws(RowError) {
        batch.removeAll()
        try unsafe accounts.withUnsafeBufferPointer { (accounts) throws(RowError) in
            guard let first = accounts.baseAddress else { return }
            for index in indices {
                try unsafe Self.filler.append(first + Int(index), to: batch)
                if archives.isEmpty { continue }
                let archive = archives[Int(index)]
                batch.append(archive.form)
                batch.append(archive.details)
                batch.append(archive.file)
            }
        }
    }
}
