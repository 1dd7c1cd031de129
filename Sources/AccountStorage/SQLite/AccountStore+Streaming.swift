internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

extension AccountStore {
    /// The accounts that a query asks for, in ascending order of their uids, however many there are.
    ///
    /// They are fetched in pages as they are consumed, so that memory does not grow with their number. For accounts
    /// that expire before a time their uids are collected first, 8 bytes each.
    ///
    /// It throws at a row that no account can be read from; ``accounts(_:onBadRow:)`` can go on.
    public func accounts(_ query: AccountQuery) -> AccountSequence {
        accounts(query, onBadRow: .stop)
    }

    /// The accounts that a query asks for, as ``accounts(_:)`` gives them.
    ///
    /// - Parameters:
    ///   - query: which accounts.
    ///   - policy: what happens at a row that no account can be read from.
    public func accounts(_ query: AccountQuery, onBadRow policy: BadRowPolicy) -> AccountSequence {
        let limit = max(0, query.limit ?? .max)
        return AccountSequence(limit: limit) { [self] in
            let progress = PageProgress(policy, limit: limit)
            guard let time = query.expiringBefore else {
                return { [self] after in
                    try await progress.accounts(after: after) { try await page(after: $0, size: $1) }
                }
            }
            let pages = ExpiringPages(store: self, before: time)
            return { after in try await progress.accounts(after: after) { try await pages.page(after: $0, size: $1) } }
        }
    }

    /// The uids of all accounts, in ascending order, a part at a time. It reads nothing else of the rows.
    ///
    /// - Parameters:
    ///   - uid: the uid that they come after; nil for the first ones.
    ///   - limit: how many, at most.
    public nonisolated(nonsending) func uids(after uid: Int64?, limit: Int) async throws -> [Int64] {
        try await read(on: .poolThread, inTransaction: false) { connection in
            let sql = uid == nil ? AccountRows.selectFirstUIDs : AccountRows.selectUIDs
            return try connection.withStatement(sql) { statement in
                try statement.bind(max(0, limit), at: 1)
                if let uid { try statement.bind(uid, at: 2) }
                var uids: [Int64] = []
                while try statement.step() { uids.append(statement.int64(at: 0)) }
                return uids
            }
        }
    }

    private nonisolated(nonsending) func page(after: Int64?, size: Int) async throws -> AccountPage {
        try await read(on: .poolThread, inTransaction: false) { connection in
            var size = size
            var page = AccountPage()
            page.accounts.reserveCapacity(size)
            try connection.visit(
                after == nil ? AccountRows.visitAll : AccountRows.visitAfter,
                after.map { [$0] } ?? []
            ) { row in
                page.add(row)
                size -= 1
                return size > 0
            }
            return page
        }
    }
}

/// The pages of the accounts that expire before a time.
///
/// The index gives them in the order of their ends. What is collected from it is only the uids, which are sorted then.
private final class ExpiringPages: Sendable {
    private let store: AccountStore
    /// The last whole second that is before the time; nil if there is none.
    private let lastSecond: Int64?
    private let uids = Monitor<[Int64]?>(nil)

    init(store: AccountStore, before time: Date) {
        self.store = store
        lastSecond = Self.lastSecond(before: time)
    }

    /// The accounts after a uid; none at the end.
    nonisolated(nonsending) func page(after: Int64?, size: Int) async throws -> AccountPage {
        guard let lastSecond else { return AccountPage() }
        let uids = try await collected(lastSecond)
        var start = uids.partitioningIndex { uid in after.map { uid > $0 } ?? true }
        while start < uids.count {
            let end = min(uids.count, start + size)
            let page = try await fetch(uids[start..<end], lastSecond)
            // All of a page may have been saved anew meanwhile, to expire later.
            if page.lastUID != nil { return page }
            start = end
        }
        return AccountPage()
    }

    private nonisolated(nonsending) func collected(_ lastSecond: Int64) async throws -> [Int64] {
        if let uids = uids.withLock({ $0 }) { return uids }
        let found = try await store.read(on: .poolThread, inTransaction: false) { connection in
            try connection.withStatement(AccountRows.selectExpiring) { statement in
                try statement.bind(lastSecond, at: 1)
                var uids: [Int64] = []
                while try statement.step() { uids.append(statement.int64(at: 0)) }
                uids.sort()
                return uids
            }
        }
        uids.withLock { $0 = found }
        return found
    }

    private nonisolated(nonsending) func fetch(_ uids: ArraySlice<Int64>, _ lastSecond: Int64) async throws
        -> AccountPage
    {
        try await store.read(on: .poolThread) { connection in
            try connection.withStatement(AccountRows.selectExpiringOne) { statement in
                var page = AccountPage()
                page.accounts.reserveCapacity(uids.count)
                for uid in uids {
                    try statement.bind(uid, at: 1)
                    try statement.bind(lastSecond, at: 2)
                    if try statement.step() { page.add(statement.row) }
                    statement.reset()
                }
                return page
            }
        }
    }

    private static func lastSecond(before time: Date) -> Int64? {
        guard let second = Timestamp.unixSeconds(time) else { return nil }
        let isWhole = Timestamp.date(unixSeconds: second) == time
        if isWhole { return second == .min ? nil : second - 1 }
        // Before the first second that there is, nothing ends.
        return time < Timestamp.date(unixSeconds: second) ? nil : second
    }
}

extension [Int64] {
    /// The first index whose element, and all after it, satisfy a condition.
    fileprivate func partitioningIndex(where isIncluded: (Int64) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isIncluded(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
