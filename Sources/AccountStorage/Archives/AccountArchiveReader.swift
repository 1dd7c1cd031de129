public import FoundationEssentials
internal import ConcurrentTable
internal import KeyedArchive

/// Reads the accounts of many archives with the same options, and learns their forms while it does.
///
/// The first archive of a form is read in the general way, the others by comparison with it, which is many times as fast and
/// gives the same. It can be used by several threads at once.
public final class AccountArchiveReader: Sendable {
    private let options: ArchiveReadOptions
    private let templates = AppendOnlyTable<TemplateMapping>()
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
        if let known = known(bytes, { AccountPlan.archivedAccount(in: bytes, as: $0, obtainedAt: obtainedAt) }) {
            return [known]
        }
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
        if let known = known(bytes, { AccountPlan.account(in: bytes, as: $0, obtainedAt: obtainedAt) }) { return known }
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
    private func known<Result>(_ bytes: [UInt8], _ body: (TemplateMapping) -> Result?) -> Result? {
        guard bytes.count <= options.limits.bytes, let key = FileTemplate.key(of: bytes) else { return nil }
        if let result = templates.first(ofKey: key, body) { return result }
        guard let known = newTemplate(for: bytes) else { return nil }
        if known.template.isShort { templates.add(known) }
        return body(known)
    }

    /// The template that a file of a known form is.
    private func newTemplate(for bytes: [UInt8]) -> TemplateMapping? {
        var places: [ArchiveFormMatcher.Place] = []
        return plans.first(ofKey: AccountPlan.commonKey) { plan in
            guard plan.matches(bytes, places: &places), let template = FileTemplate(bytes, places: places) else {
                return nil
            }
            return plan.mapping(template)
        }
    }

    private func learn(_ plan: AccountPlan) {
        let isKnown = plans.first(ofKey: plan.key) { $0.form == plan.form ? true : nil }
        if isKnown == nil { plans.add(plan) }
    }
}
