internal import SQLiteBinding

/// Rows that were fetched together: accounts, and those that are none.
struct AccountPage: Sendable {
    var accounts: [Account] = []
    var badRows: [BadRow] = []
    /// The uid of the last row, whether it is an account or not; nil if there was none.
    private(set) var lastUID: Int64?

    /// Adds a row that has the mapping's columns.
    mutating func add(_ row: Row) {
        do throws(RowError) {
            let account = try AccountRows.decoder.decode(row)
            lastUID = account.uid
            accounts.append(account)
        } catch {
            let uid = row.integer(at: AccountRows.keyColumn) ?? 0
            lastUID = uid
            badRows.append(BadRow(uid: uid, message: "\(error)"))
        }
    }
}

/// How far one pass through the accounts has come, which bad rows make further than the last account.
final class PageProgress: Sendable {
    /// How many rows are fetched at first, so that whoever wants few does not wait for many.
    private static let leastRows = 64
    /// How many rows are fetched at most. So many take a few milliseconds, beside which a change of threads is little.
    private static let mostRows = 8_192

    private struct Place {
        /// The last account that was given, and the last row, whether it is an account or not, that was fetched with it.
        var account: Int64?
        var row: Int64?
        var pageSize: Int
    }

    private let policy: BadRowPolicy
    private let limit: Int
    private let place: Monitor<Place>

    /// A pass from the beginning.
    ///
    /// - Parameter limit: how many accounts are wanted at most.
    init(_ policy: BadRowPolicy, limit: Int) {
        self.policy = policy
        self.limit = max(1, limit)
        place = Monitor(Place(pageSize: min(self.limit, Self.leastRows)))
    }

    /// The next accounts after one, however many bad rows come before them; none at the end.
    nonisolated(nonsending) func accounts(
        after account: Int64?,
        _ fetch: nonisolated(nonsending) (_ after: Int64?, _ size: Int) async throws -> AccountPage
    ) async throws -> [Account] {
        var (last, size) = place.withLock { ($0.account == account ? $0.row ?? account : account, $0.pageSize) }
        while true {
            try Task.checkCancellation()
            let page = try await fetch(last, size)
            guard let row = page.lastUID else { return [] }
            switch policy {
            case .stop: if let bad = page.badRows.first { throw StoreError(.badRow, bad.message) }
            case .skip(let handler): for bad in page.badRows { handler(bad) }
            }
            size = min(size * 2, limit, Self.mostRows)
            if let lastAccount = page.accounts.last {
                place.withLock { [size] in $0 = Place(account: lastAccount.uid, row: row, pageSize: size) }
                return page.accounts
            }
            last = row
        }
    }
}
