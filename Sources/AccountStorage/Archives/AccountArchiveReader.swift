public import FoundationEssentials
internal import ConcurrentTable
internal import KeyedArchive

/// Reads the accounts of many archives with the same options, and learns their forms while it does.
///
/// The first archive of a form is read in the general way, the others by comparison with it, which is many times as fast and
/// gives the same. It can be used by several threads at once.
public final class AccountArchiveReader: Sendable {
    /// A template and how the account in its files is read.
    private final class Known: AppendOnlyTableEntry {
        let template: FileTemplate
        let plan: AccountPlan
        var key: UInt64 { template.key }

        init(_ template: FileTemplate, plan: AccountPlan) {
            self.template = template
            self.plan = plan
        }
    }

    private let options: ArchiveReadOptions
    private let templates = AppendOnlyTable<Known>()
    /// At most this many forms are remembered.
    private let plans = AppendOnlyTable<AccountPlan>(capacity: 64, probes: 64)

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
        let known = recognised(bytes) { plan, places in
            plan.archivedAccount(in: bytes, at: places, obtainedAt: obtainedAt)
        }
        if let known { return [known] }
        var options = options
        options.obtainedAt = obtainedAt
        let accounts = try ArchivedAccount.accounts(in: bytes, options: options)
        if accounts.count == 1, plans.hasRoom(forKey: AccountPlan.commonKey),
            let plan = AccountPlan(accounts[0], options: options)
        {
            learn(plan)
        }
        return accounts
    }

    /// The account in an archive of just one, without what it takes to write the archive again.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - obtainedAt: when the token was issued, if the archive does not say; in place of what the options have.
    /// - Throws: what ``ArchivedAccount/accounts(in:options:)`` throws, and `ArchiveError` if there are several accounts.
    public func account(in bytes: [UInt8], obtainedAt: Date? = nil) throws -> Account {
        let known = recognised(bytes) { plan, places in plan.account(in: bytes, at: places, obtainedAt: obtainedAt) }
        if let known { return known }
        let accounts = try accounts(in: bytes, obtainedAt: obtainedAt)
        guard accounts.count == 1 else {
            throw ArchiveError(
                .badRoot,
                "the root is a collection of \(accounts.count) accounts; expected a single one"
            )
        }
        return accounts[0].account
    }

    /// What a closure makes of a file of a known form; nil for a file of another, and if the closure gives nil.
    @inline(__always)
    private func recognised<Result>(
        _ bytes: [UInt8],
        _ body: (AccountPlan, [ArchiveFormMatcher.Place]) -> Result?
    ) -> Result? {
        guard bytes.count <= options.limits.bytes, let key = FileTemplate.key(of: bytes) else { return nil }
        let result = templates.first(ofKey: key) { entry in
            entry.template.matches(bytes) ? body(entry.plan, entry.template.places) : nil
        }
        if let result { return result }
        guard let (plan, places) = plan(for: bytes) else { return nil }
        if let template = FileTemplate(bytes, places: places) { templates.add(Known(template, plan: plan)) }
        return body(plan, places)
    }

    private func plan(for bytes: [UInt8]) -> (AccountPlan, [ArchiveFormMatcher.Place])? {
        var places: [ArchiveFormMatcher.Place] = []
        return plans.first(ofKey: AccountPlan.commonKey) { $0.matches(bytes, places: &places) ? ($0, places) : nil }
    }

    private func learn(_ plan: AccountPlan) {
        let isKnown = plans.first(ofKey: plan.key) { $0.form == plan.form ? true : nil }
        if isKnown == nil { plans.add(plan) }
    }
}
