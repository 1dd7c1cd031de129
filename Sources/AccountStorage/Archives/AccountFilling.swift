internal import KeyValueCoding
internal import KeyedArchive

/// How the accounts of one form are written, once the archive of one was made in the general way.
///
/// The values go straight into their places in a copy of that archive. It needs an account that has nothing but other values: what
/// the form has no place for is the same as in the first one.
struct AccountFilling: Sendable {
    private let matcher: ArchiveFormMatcher
    /// A step for each place.
    private let steps: [FieldStep]
    /// The properties that share a place: pairs that have to be equal.
    private let equals: [(FieldStep, FieldStep)]
    /// The properties without a place, with the value that the archive says they have or that stands in for it.
    private let constants: [(property: Property<Account>, value: Value)]

    /// Finds out how; nil for a form with places for others than the integers and texts of the model, and for an account that
    /// has extras.
    init?(_ account: Account, form: ArchiveForm) {
        guard account.extras.isEmpty, let matcher = ArchiveFormMatcher(form) else { return nil }
        var steps: [FieldStep] = []
        var equals: [(FieldStep, FieldStep)] = []
        var placed: Set<String> = ["obtained_at"]
        for place in 0..<form.placeCount {
            var first: FieldStep?
            for target in form.targets(ofPlace: place) {
                guard target.isWholeField, let name = target.property, let property = Account.properties[name],
                    let step = FieldStep(property, place: place, of: form)
                else { return nil }
                placed.insert(name)
                if let first {
                    equals.append((first, step))
                } else {
                    steps.append(step)
                    first = step
                }
            }
        }
        self.matcher = matcher
        self.steps = steps
        self.equals = equals
        constants = Account.properties.properties.filter { !placed.contains($0.key) }
            .map { ($0, $0.value(in: account)) }
    }

    /// A number that says how many bytes each value of an account takes; nil for an account that the form does not fit.
    func sizes(of account: UnsafePointer<Account>) -> UInt64? {
        guard unsafe account.pointee.extras.isEmpty else { return nil }
        for index in constants.indices {
            let (property, value) = constants[index]
            guard unsafe property.value(in: account.pointee).isIdentical(to: value) else { return nil }
        }
        let account = unsafe UnsafeRawPointer(account)
        for index in equals.indices {
            let (first, second) = equals[index]
            guard unsafe first.isEqual(second, in: account) else { return nil }
        }
        return unsafe steps.sizes(of: account)
    }

    /// What writes others of the form whose values take as many bytes, if it writes the same for this account.
    func filler(for account: Account, data: [UInt8]) -> TemplateMapping? {
        var places: [ArchiveFormMatcher.Place] = []
        guard matcher.match(data, places: &places), let template = FileTemplate(data, places: places), template.isShort
        else { return nil }
        let filler = TemplateMapping(template, steps: steps, plan: template, isComplete: true)
        var written: [UInt8] = []
        let isSame = unsafe withUnsafePointer(to: account) { account in
            unsafe sizes(of: account) != nil && filler.append(account, to: &written)
        }
        return isSame && written == data ? filler : nil
    }
}
