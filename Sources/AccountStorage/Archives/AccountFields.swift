internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

/// The fields of an archived account, sorted into properties and the rest.
struct AccountFields {
    /// The values by archived key, without the field that ``expiresAt`` comes from.
    private var values: [String: Value] = [:]
    /// The archived keys in the order of the file.
    let keys: [String]
    private let options: ArchiveReadOptions
    /// What the archive says of times.
    private var times = AccountTimes()
    /// The field that says so.
    private var expiresAtField: String?
    /// What is under `obtained_at` if that is no date: an unknown key then, whatever the table says.
    private var foreignObtainedAt: Value?

    /// Reads the fields of an object.
    ///
    /// - Throws: `ArchiveError` for a damaged field, and ``ArchivedAccountError`` for keys that contradict one another.
    init(of object: ArchivedObject, options: ArchiveReadOptions) throws {
        self.options = options
        let fields = try object.values()
        keys = fields.map(\.key)
        let repeated = fields.filter { values.updateValue($0.value, forKey: $0.key) != nil }.map(\.key)
        try checkReferences()
        do throws(MappingError) {
            // Keys that look alike are one to a dictionary in Swift, so that a value would be lost.
            if let key = repeated.first { throw .duplicateKey(key, found: keys.filter { $0 == key }) }
            try takeExpiresAt()
        } catch {
            throw ArchivedAccountError(
                objectIndex: object.index,
                className: object.archivedClass.name,
                mapping: error,
                fields: summary
            )
        }
        if options.mapping.aliases[ArchiveReadOptions.obtainedAtKey] == nil,
            let value = values[ArchiveReadOptions.obtainedAtKey], !value.isDateOrNull
        {
            foreignObtainedAt = values.removeValue(forKey: ArchiveReadOptions.obtainedAtKey)
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
            let isDate = if case .date = values[key] { true } else { key == expiresAtField }
            return ArchivedAccountError.Field(key: key, property: property(of: key), isDate: isDate)
        }
    }

    /// The property that a field is read as; nil for a field that goes to the extras.
    func property(of field: String) -> String? {
        if field == expiresAtField { return ArchiveReadOptions.expiresAtKey }
        if field == ArchiveReadOptions.obtainedAtKey, foreignObtainedAt != nil { return nil }
        let name = options.mapping.aliases[field] ?? field
        return Account.properties.index(ofKey: name) == nil ? nil : name
    }

    /// The archived keys that the model has no property for.
    var unknownKeys: [String] { keys.filter { property(of: $0) == nil } }

    /// The account that the fields make.
    ///
    /// - Throws: `MappingError` for the first property, in the order of the table, that is missing or does not fit.
    func account() throws(MappingError) -> Account {
        var values = values
        var times = times
        times.issuedAt = obtainedAt
        if !keys.contains(where: { property(of: $0) == "expires_in" }),
            let life = times.lifetime(fallback: options.obtainedAt)
        {
            values["expires_in"] = .integer(life)
        }
        try checkPresence(in: values)
        var account = try Account(dictionary: values, options: options.mapping)
        if let foreignObtainedAt {
            switch options.mapping.unknownKeys {
            case .keep: account.extras[ArchiveReadOptions.obtainedAtKey] = foreignObtainedAt
            case .drop: break
            case .reject: throw .unknownKey(ArchiveReadOptions.obtainedAtKey, known: Account.properties.keys)
            }
        }
        account.obtainedAt = times.obtainedAt(expiresIn: account.expiresIn, fallback: options.obtainedAt)
        return account
    }

    // MARK: Times

    /// Takes the field out that `expires_at` is read from: the one that an alias names, or a date of that name.
    private mutating func takeExpiresAt() throws(MappingError) {
        let aliases = options.mapping.aliases
        let named = keys.filter { aliases[$0] == ArchiveReadOptions.expiresAtKey }
        guard named.count <= 1 else { throw .duplicateKey(ArchiveReadOptions.expiresAtKey, found: named) }
        if let field = named.first {
            switch values[field] {
            case .date(let date): times.expiresAt = date
            case .null, nil: break
            case let value?:
                throw MappingError(.typeMismatch, key: field, expected: "a date", found: value.summary)
            }
            expiresAtField = field
        } else if aliases[ArchiveReadOptions.expiresAtKey] == nil,
            case .date(let date) = values[ArchiveReadOptions.expiresAtKey]
        {
            times.expiresAt = date
            expiresAtField = ArchiveReadOptions.expiresAtKey
        }
        if let expiresAtField { values[expiresAtField] = nil }
    }

    /// When the archive itself says that the token was issued.
    private var obtainedAt: Date? {
        for key in keys where property(of: key) == ArchiveReadOptions.obtainedAtKey {
            if case .date(let date) = values[key] { return date }
        }
        return nil
    }

    // MARK: Checks

    /// In an archive all four keys are expected, though the API's reply may lack one.
    private func checkPresence(in values: [String: Value]) throws(MappingError) {
        let present = Set(values.keys.map { options.mapping.aliases[$0] ?? $0 })
        for property in Account.properties.properties where property.presence != .optional {
            let hasDefault = property.key != "uid" && options.mapping.defaults[property.key] != nil
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

extension Value {
    /// Whether the value can be that of a date.
    fileprivate var isDateOrNull: Bool {
        switch self {
        case .date, .null: true
        default: false
        }
    }
}
