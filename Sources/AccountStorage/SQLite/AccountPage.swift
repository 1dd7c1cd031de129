internal import SQLiteBinding

/// Rows that were fetched together: accounts, and those that are none.
struct AccountPage: Sendable {
    var accounts: [Account] = []
    var badRows: [BadRow] = []
    /// The uid of the last row, whether it is an account or not; nil if there was none.
    private(set) var lastUID: Int64?

    /// Adds the row that a statement with the mapping's columns is on.
    mutating func add(_ statement: Statement) {
        do throws(RowError) {
            let account = try AccountRows.decoder.decode(statement)
            lastUID = account.uid
            accounts.append(account)
        } catch {
            let uid = statement.int64(at: AccountRows.keyColumn)
            lastUID = uid
            badRows.append(BadRow(uid: uid, message: "\(error)"))
        }
    }
}

/// How far one pass through the accounts has come, which bad rows make further than the last account.
final class PageProgress: Sendable {
    private let policy: BadRowPolicy
    /// After the account of the first uid, the row of the second was the last that was fetched.
    private let place = Monitor<(account: Int64?, row: Int64?)>((nil, nil))

    init(_ policy: BadRowPolicy) {
        self.policy = policy
    }

    /// The next accounts after one, however many bad rows come before them; none at the end.
    func accounts(
        after account: Int64?,
        _ fetch: (_ after: Int64?) async throws -> AccountPage
    ) async throws -> [Account] {
        var last = place.withLock { $0.account == account ? $0.row ?? account : account }
        while true {
            try Task.checkCancellation()
            let page = try await fetch(last)
            guard let row = page.lastUID else { return [] }
            switch policy {
            case .stop: if let bad = page.badRows.first { throw StoreError(.badRow, bad.message) }
            case .skip(let handler): for bad in page.badRows { handler(bad) }
            }
            if let lastAccount = page.accounts.last {
                place.withLock { $0 = (lastAccount.uid, row) }
                return page.accounts
            }
            last = row
        }
    }
}
