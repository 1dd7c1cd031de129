public import FoundationEssentials
internal import KeyedArchive
internal import SQLiteBinding

/// Reads the accounts of many archives with the same options, and learns their forms while it does.
///
/// The first archive of a form is read in the general way, the others by comparison with it, which is many times as fast and
/// gives the same. It can be used by several threads at once.
public final class AccountArchiveReader: Sendable {
    private let options: ArchiveReadOptions
    private let plans = Monitor<[AccountPlan]>([])

    /// How many forms are remembered.
    private static let mostPlans = 64

    /// Makes a reader.
    public init(options: ArchiveReadOptions = ArchiveReadOptions()) {
        self.options = options
    }

    /// The accounts in an archive, as ``ArchivedAccount/accounts(in:options:)`` reads them.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - obtainedAt: when the token was issued, if the archive does not say; in place of what the options have.
    /// - Throws: what ``ArchivedAccount/accounts(in:options:)`` throws.
    public func accounts(in bytes: [UInt8], obtainedAt: Date?) throws -> [ArchivedAccount] {
        if bytes.count <= options.limits.bytes, let account = recognised(bytes, obtainedAt: obtainedAt) {
            return [account]
        }
        var options = options
        options.obtainedAt = obtainedAt
        let accounts = try ArchivedAccount.accounts(in: bytes, options: options)
        if accounts.count == 1, let plan = AccountPlan(accounts[0], options: options) { learn(plan) }
        return accounts
    }

    private func recognised(_ bytes: [UInt8], obtainedAt: Date?) -> ArchivedAccount? {
        let plans = plans.withLock { $0 }
        var places: [ArchiveFormMatcher.Place] = []
        places.reserveCapacity(16)
        for plan in plans {
            if let account = plan.account(in: bytes, obtainedAt: obtainedAt, places: &places) { return account }
        }
        return nil
    }

    private func learn(_ plan: AccountPlan) {
        plans.withLock { plans in
            guard !plans.contains(where: { $0.form == plan.form }) else { return }
            if plans.count == Self.mostPlans { plans.removeLast() }
            plans.append(plan)
        }
    }
}
