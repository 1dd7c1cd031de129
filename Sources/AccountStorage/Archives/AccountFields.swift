internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

/// The fields of an archived account, sorted into properties and the rest.
struct AccountFields {
    /// The values by archived key, without those of times.
    private var values: [String: Value] = [:]
    /// The archived keys in the order of the file.
    let keys: [String]
    private let options: ArchiveReadOptions
    /// How the fields without times are mapped.
    private let mapping: MappingOptions
    /// What the archive says of times.
    private var times = AccountTimes()
    /// The property that each field with a time is read as.
    private var timeProperties: [String: String] = [:]
    /// What stands where a time should and is none that a row can hold: unknown keys then.
    private var foreign: [String: Value] = [:]

    /// Reads the fields of an object.
    ///
    /// - Throws: `ArchiveError` for a damaged field, and ``ArchivedAccountError`` for keys that contradict one another.
    init(of object: ArchivedObject, options: ArchiveReadOptions) throws {
        self.options = options
        var mapping = options.mapping
        // A time that is under the key of another property leaves that key to what follows from the time.
        mapping.aliases = mapping.aliases.filter { !Self.timeKeys.contains($0.value) }
        self.mapping = mapping
        let fields = try object.values()
        keys = fields.map(\.key)
        let repeated = fields.filter { values.updateValue($0.value, forKey: $0.key) != nil }.map(\.key)
        try checkReferences()
        do throws(MappingError) {
            // Keys that look alike are one to a dictionary in Swift, so that a value would be lost.
            if let key = repeated.first { throw .duplicateKey(key, found: keys.filter { $0 == key }) }
            try takeTime(ArchiveReadOptions.obtainedAtKey) { $0.issuedAt = $1 }
            try takeTime(ArchiveReadOptions.expiresAtKey) { $0.expiresAt = $1 }
        } catch {
            throw ArchivedAccountError(
                objectIndex: object.index,
                className: object.archivedClass.name,
                mapping: error,
                fields: summary
            )
        }
    }

    /// The properties that no field holds, with their values. A life that follows from a field is none of them.
    func supplied(by account: Account) -> [String: Value] {
        let held = Set(keys.compactMap(property))
        var supplied: [String: Value] = [:]
        for property in Account.properties.properties where property.presence != .optional {
            let isDerived = property.key == "expires_in" && held.contains(ArchiveReadOptions.expiresAtKey)
            if !held.contains(property.key), !isDerived { supplied[property.key] = property.value(in: account) }
        }
        return supplied
    }

    /// What the fields are, for an error.
    var summary: [ArchivedAccountError.Field] {
        keys.map { key in
            let isDate = if case .date = values[key] { true } else { timeProperties[key] != nil }
            return ArchivedAccountError.Field(key: key, property: property(of: key), isDate: isDate)
        }
    }

    /// The property that a field is read as; nil for a field that goes to the extras.
    func property(of field: String) -> String? {
        if let time = timeProperties[field] { return time }
        guard foreign[field] == nil else { return nil }
        let name = mapping.aliases[field] ?? field
        return Account.properties.index(ofKey: name) == nil ? nil : name
    }

    /// The archived keys that the model has no property for.
    var unknownKeys: [String] { keys.filter { property(of: $0) == nil } }

    /// The account that the fields make.
    ///
    /// - Throws: `MappingError` for the first property, in the order of the table, that is missing or does not fit.
    mutating func account() throws(MappingError) -> Account {
        var values = values
        let hasExpiresIn = keys.contains { property(of: $0) == "expires_in" }
        if !hasExpiresIn, let life = times.lifetime(fallback: options.obtainedAt) {
            values["expires_in"] = .integer(life)
        }
        try checkPresence(in: values)
        var account = try Account(dictionary: values, options: mapping)
        if hasExpiresIn, times.contradict(expiresIn: account.expiresIn) { setExpiresAtAside() }
        try addForeign(to: &account)
        account.obtainedAt = times.obtainedAt(expiresIn: account.expiresIn, fallback: options.obtainedAt)
        return account
    }

    private func addForeign(to account: inout Account) throws(MappingError) {
        for (key, value) in foreign.sorted(by: { $0.key < $1.key }) {
            switch mapping.unknownKeys {
            case .keep: account.extras[key] = value
            case .drop: break
            case .reject: throw .unknownKey(key, known: Account.properties.keys)
            }
        }
    }

    // MARK: Times

    private static let timeKeys = [ArchiveReadOptions.expiresAtKey, ArchiveReadOptions.obtainedAtKey]

    /// Takes the field out that a time is read from: the one that an alias names, or the one of that name.
    ///
    /// One that is nil says nothing, and is kept as nil. One that is no time that a row can hold is an unknown key, unless
    /// an alias says that it is one.
    private mutating func takeTime(
        _ property: String,
        set: (inout AccountTimes, Date) -> Void
    ) throws(MappingError) {
        let fields = keys.filter { (options.mapping.aliases[$0] ?? $0) == property }
        guard fields.count <= 1 else { throw .duplicateKey(property, found: fields) }
        guard let field = fields.first, let value = values.removeValue(forKey: field) else { return }
        switch value {
        case .date(let date) where Timestamp.unixSeconds(date) != nil:
            set(&times, date)
            timeProperties[field] = property
        case .null:
            timeProperties[field] = ArchiveReadOptions.emptyTimeKey
        case .date:
            foreign[field] = value
        default:
            guard options.mapping.aliases[field] == nil else {
                throw MappingError(.typeMismatch, key: field, expected: "a date", found: value.summary)
            }
            foreign[field] = value
        }
    }

    /// Keeps a time that contradicts the others among the unknown keys, so that it is not lost.
    private mutating func setExpiresAtAside() {
        guard let field = timeProperties.first(where: { $0.value == ArchiveReadOptions.expiresAtKey })?.key else {
            return
        }
        foreign[field] = times.expiresAt.map(Value.date)
        timeProperties[field] = nil
        times.expiresAt = nil
    }

    // MARK: Checks

    /// In an archive all four keys are expected, though the API's reply may lack one.
    private func checkPresence(in values: [String: Value]) throws(MappingError) {
        let present = Set(values.keys.map { mapping.aliases[$0] ?? $0 })
        for property in Account.properties.properties where property.presence != .optional {
            let hasDefault = property.key != "uid" && mapping.defaults[property.key] != nil
            if !present.contains(property.key), !hasDefault { throw .missingKey(property.key, found: keys) }
        }
    }

    /// A property whose value leads back to its account has no value at all.
    private func checkReferences() throws(ArchiveError) {
        for key in keys where property(of: key) != nil {
            guard case .reference(let index) = values[key] else { continue }
            throw ArchiveError(
                .cycle,
                object: index,
                keyPath: key,
                "cycle at index \(index): the value refers back to an object that it is part of; expected a value of its own"
            )
        }
    }
}
