internal import ConcurrentTable
internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

/// How the accounts in archives of one form are read, once the first of them was read in the general way.
///
/// A file that matches the form differs from the first only in its values, and each value has its place. So there is nothing to
/// look up: every value goes from its place straight into its property or extra.
final class AccountPlan: AppendOnlyTableEntry {
    /// The key of all plans: they are found one after the other.
    static let commonKey: UInt64 = 0
    var key: UInt64 { Self.commonKey }

    /// What is done with the value of a place that goes into no stored property as it is.
    private enum Step: Sendable {
        case issuedAt
        case expiresAt
        case extra(ExtraStep)
    }

    private let matcher: ArchiveFormMatcher
    let form: ArchiveForm
    /// The values that go into properties.
    private let fields: [FieldStep]
    /// What is done with the others, and for each the place that it takes the value from.
    private let steps: [(place: Int, kind: LeafKind, step: Step)]
    /// What has no place and is the same in all accounts, of the one that was read first.
    private let blank: Account
    private let hasExpiresIn: Bool
    private let hasTimes: Bool

    /// Makes a plan from the first account of a form; nil if the form needs the general way, as one does with a time that
    /// contradicts the others.
    init?(_ read: ArchivedAccount, options: ArchiveReadOptions) {
        guard let matcher = ArchiveFormMatcher(read.form) else { return nil }
        let timeKeys = [ArchiveReadOptions.expiresAtKey, ArchiveReadOptions.obtainedAtKey]
        let isTime = { (field: String) in timeKeys.contains(options.mapping.aliases[field] ?? field) }
        if read.account.extras.keys.contains(where: isTime) { return nil }
        var fields: [FieldStep] = []
        var steps: [(place: Int, kind: LeafKind, step: Step)] = []
        for place in 0..<read.form.placeCount {
            for target in read.form.targets(ofPlace: place) {
                if let step = Self.step(for: target, at: place, of: read.form) {
                    steps.append((place, read.form.kind(ofPlace: place), step))
                } else if let field = Self.field(for: target, at: place, of: read.form) {
                    fields.append(field)
                } else {
                    return nil
                }
            }
        }
        self.matcher = matcher
        self.fields = fields
        self.steps = steps
        form = read.form
        var blank = read.account
        blank.obtainedAt = nil
        let isPlaced = { (key: String) in
            (0..<read.form.placeCount).contains { read.form.targets(ofPlace: $0).contains { $0.property == key } }
        }
        for property in Account.properties.properties where isPlaced(property.key) {
            try? property.set(property.value(in: Account()), in: &blank)
        }
        self.blank = blank
        let properties = read.form.properties.values
        hasExpiresIn = properties.contains("expires_in")
        let times = properties.filter(timeKeys.contains)
        hasTimes = !times.isEmpty
        // A time that is one object with something else has no place, and no step then.
        guard times.allSatisfy(isPlaced) else { return nil }
    }

    private static func field(for target: ArchiveForm.Target, at place: Int, of form: ArchiveForm) -> FieldStep? {
        guard target.isWholeField, let property = target.property.flatMap({ Account.properties[$0] }) else {
            return nil
        }
        return FieldStep(property, place: place, of: form)
    }

    private static func step(for target: ArchiveForm.Target, at place: Int, of form: ArchiveForm) -> Step? {
        switch target.property {
        case nil: .extra(ExtraStep(target, place: place, of: form))
        case ArchiveReadOptions.expiresAtKey: target.isWholeField ? .expiresAt : nil
        case ArchiveReadOptions.obtainedAtKey: target.isWholeField ? .issuedAt : nil
        default: nil
        }
    }

    /// Whether a file is of the form.
    ///
    /// - Parameter places: filled with the places of the values.
    func matches(_ bytes: [UInt8], places: inout [ArchiveFormMatcher.Place]) -> Bool {
        matcher.match(bytes, places: &places)
    }

    /// How the files of a template are read by the plan.
    func mapping(_ template: FileTemplate) -> TemplateMapping {
        let isComplete = steps.isEmpty && !hasTimes && blank == Account()
        return TemplateMapping(template, steps: fields, plan: self, isComplete: isComplete)
    }

    /// The account in a file, if it is of a template; nil for another, and for one that needs the general way.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - mapping: what ``mapping(_:)`` of a plan has given.
    ///   - obtainedAt: when the token was issued, if the file does not say.
    @inline(__always)
    static func account(in bytes: [UInt8], as mapping: TemplateMapping, obtainedAt: Date?) -> Account? {
        guard mapping.isComplete else {
            return plan(of: mapping).account(in: bytes, mapping: mapping, obtainedAt: obtainedAt)
        }
        var account = Account()
        let isRead = unsafe withUnsafeMutablePointer(to: &account) { unsafe mapping.read(bytes, into: $0) }
        guard isRead else { return nil }
        if let obtainedAt {
            account.obtainedAt = AccountTimes().obtainedAt(expiresIn: account.expiresIn, fallback: obtainedAt)
        }
        return account
    }

    /// The same, with what it takes to write the file again.
    static func archivedAccount(
        in bytes: [UInt8],
        as mapping: TemplateMapping,
        obtainedAt: Date?
    ) -> ArchivedAccount? {
        guard let account = account(in: bytes, as: mapping, obtainedAt: obtainedAt) else { return nil }
        let plan = plan(of: mapping)
        guard plan.hasTimes else { return ArchivedAccount(account: account, form: plan.form, details: [:]) }
        return plan.details(of: bytes, account: account, places: mapping.template.places).map {
            ArchivedAccount(account: account, form: plan.form, details: $0)
        }
    }

    private static func plan(of mapping: TemplateMapping) -> AccountPlan {
        unsafe unsafeDowncast(mapping.plan, to: AccountPlan.self)
    }

    private func account(in bytes: [UInt8], mapping: TemplateMapping, obtainedAt: Date?) -> Account? {
        var account = blank
        let isRead = unsafe withUnsafeMutablePointer(to: &account) { unsafe mapping.read(bytes, into: $0) }
        guard isRead else { return nil }
        var times = AccountTimes()
        let places = mapping.template.places
        for index in 0..<steps.count {
            let (place, kind, step) = steps[index]
            guard take(places[place], kind, in: bytes, step: step, into: &account, &times) else { return nil }
        }
        if hasTimes {
            if !hasExpiresIn {
                guard let life = times.lifetime(fallback: obtainedAt) else { return nil }
                account.expiresIn = life
            } else if times.contradict(expiresIn: account.expiresIn) {
                return nil
            }
        }
        if hasTimes || obtainedAt != nil {
            account.obtainedAt = times.obtainedAt(expiresIn: account.expiresIn, fallback: obtainedAt)
        }
        return account
    }

    private func take(
        _ place: ArchiveFormMatcher.Place,
        _ kind: LeafKind,
        in bytes: [UInt8],
        step: Step,
        into account: inout Account,
        _ times: inout AccountTimes
    ) -> Bool {
        switch step {
        case .issuedAt, .expiresAt:
            guard case .date(let date) = place.value(as: kind, in: bytes), !date.isNaN else { return false }
            if case .issuedAt = step { times.issuedAt = date } else { times.expiresAt = date }
            return true
        case .extra(let extra):
            return extra.set(&account.extras, from: bytes, at: place)
        }
    }

    /// The spellings of times that whole seconds do not give again; nil if one of them does not even mean what the account says.
    private func details(
        of bytes: [UInt8],
        account: Account,
        places: [ArchiveFormMatcher.Place]
    ) -> ArchiveFormDetails? {
        let source = AccountFormSource(account)
        var details: ArchiveFormDetails = [:]
        for (index, kind, step) in steps {
            switch step {
            case .issuedAt, .expiresAt:
                let object = bytes[places[index].fixedObject]
                if form.isSpelling(of: index, in: object, by: source) { continue }
                guard let value = places[index].value(as: kind, in: bytes),
                    form.targets(ofPlace: index).allSatisfy({ source.accepts(value, for: $0) })
                else { return nil }
                details[index] = Array(object)
            case .extra: continue
            }
        }
        return details
    }
}

extension Date {
    /// Whether the date is no point in time, so that no row can hold it.
    fileprivate var isNaN: Bool { timeIntervalSinceReferenceDate.isNaN }
}
