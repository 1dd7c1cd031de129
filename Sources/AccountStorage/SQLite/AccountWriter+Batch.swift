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
    ///   - forms: the columns for the form of each; none to leave those of the rows that are there.
    ///   - rule: what happens to accounts of the same uids.
    /// - Returns: what has become of each account.
    /// - Throws: as ``save(_:onConflict:)`` does.
    func save(
        _ accounts: [Account],
        forms: [FormColumns] = [],
        onConflict rule: ConflictRule
    ) throws -> [SaveOutcome] {
        // That a conflict is refused is found out row by row.
        if accounts.count < Self.leastRows || rule == .fail {
            let rows = accounts.indices.lazy.map { Row(account: accounts[$0], form: forms.isEmpty ? nil : forms[$0]) }
            return try save(rows, onConflict: rule)
        }
        var bulk = BulkSave(accounts: accounts, forms: forms, rule: rule, writer: self)
        var rest = Self.order(of: accounts)
        while !rest.isEmpty {
            // What has become of a row can be told only if no later one of the same statement has its uid.
            let round = Self.takeFirstOfEach(&rest, of: accounts)
            var indexes = DeferredIndexes(connection)
            if round.count >= Self.manyRows, try !hasMore(than: round.count) { try indexes.drop() }
            for start in stride(from: 0, to: round.count, by: Self.mostRows) {
                try bulk.save(round[start..<min(start + Self.mostRows, round.count)])
            }
            try indexes.build()
        }
        return bulk.outcomes
    }

    /// Whether there are so many rows that building their indexes anew would take longer than putting some entries into them.
    private func hasMore(than count: Int) throws -> Bool {
        try connection.withStatement("SELECT 1 FROM accounts LIMIT 1 OFFSET ?1") { statement in
            try statement.bind(2 * count, at: 1)
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

/// One save of many accounts.
private struct BulkSave {
    private static let filler = BatchFiller(AccountRows.mapping)

    let accounts: [Account]
    let forms: [AccountWriter.FormColumns]
    let rule: ConflictRule
    let writer: AccountWriter
    private let batch: RowBatch
    private let sql: String
    private(set) var outcomes: [SaveOutcome]

    init(accounts: [Account], forms: [AccountWriter.FormColumns], rule: ConflictRule, writer: AccountWriter) {
        self.accounts = accounts
        self.forms = forms
        self.rule = rule
        self.writer = writer
        batch = RowBatch(columns: AccountRows.columnCount + (forms.isEmpty ? 0 : 2))
        sql = AccountRows.upsert(rule, withForm: !forms.isEmpty, from: .batch)
        outcomes = [SaveOutcome](repeating: .unchanged, count: accounts.count)
    }

    /// Writes the accounts at some indices.
    mutating func save(_ indices: ArraySlice<Int32>) throws {
        try fill(indices)
        let result = try writer.connection.run(sql, over: batch)
        for (row, index) in zip(0..., indices) {
            let index = Int(index)
            switch result.change(ofRow: row) {
            case .inserted: outcomes[index] = .inserted
            case .updated: outcomes[index] = .updated
            case .none, .deleted:
                // Under this rule, and without a form that may be missing, there is no more to find out.
                if rule == .replace, forms.isEmpty { continue }
                let row = AccountWriter.Row(account: accounts[index], form: forms.isEmpty ? nil : forms[index])
                outcomes[index] = try writer.outcomeOfUnwritten(row, onConflict: rule)
            }
        }
    }

    private func fill(_ indices: ArraySlice<Int32>) throws(RowError) {
        batch.removeAll()
        try unsafe accounts.withUnsafeBufferPointer { (accounts) throws(RowError) in
            guard let first = accounts.baseAddress else { return }
            for index in indices {
                try unsafe Self.filler.append(first + Int(index), to: batch)
                if forms.isEmpty { continue }
                batch.append(forms[Int(index)].id)
                batch.append(forms[Int(index)].details)
            }
        }
    }
}
