/// What is exported, fetched from a repository a part at a time.
struct ExportSource {
    /// An account, or why there is none.
    enum Item: Sendable {
        case archive(StoredArchive)
        case refused(ExportFailure)
    }

    private let repository: any AccountRepository
    private let limit: Int
    /// The uids that are still to come, the next one last; nil for all that there are.
    private var uids: [Int64]?
    private var last: Int64?

    /// - Parameters:
    ///   - repository: where the accounts are.
    ///   - uids: whose accounts, in their order, each once; nil for all.
    ///   - limit: how many are fetched at a time.
    init(_ repository: any AccountRepository, uids: [Int64]?, limit: Int) {
        self.repository = repository
        self.limit = limit
        var seen: Set<Int64> = []
        self.uids = uids.map { uids in Array(uids.filter { seen.insert($0).inserted }.reversed()) }
    }

    /// The next ones; none at the end.
    mutating func next() async throws -> [Item] {
        guard let uids else { return try await nextOfAll() }
        var items: [Item] = []
        for uid in uids.suffix(limit).reversed() {
            items.append(
                try await repository.storedArchiveRow(uid: uid).map(Item.init) ?? .refused(.noAccount(uid))
            )
        }
        self.uids?.removeLast(items.count)
        return items
    }

    private mutating func nextOfAll() async throws -> [Item] {
        let rows = try await repository.storedArchives(after: last, limit: limit)
        if let row = rows.last { last = row.uid }
        return rows.map(Item.init)
    }
}

extension ExportSource.Item {
    fileprivate init(_ row: StoredArchiveRow) {
        switch row {
        case .archive(let stored): self = .archive(stored)
        case .bad(let row): self = .refused(ExportFailure(row))
        }
    }

    var uid: Int64 {
        switch self {
        case .archive(let stored): stored.account.uid
        case .refused(let failure): failure.uid
        }
    }
}
