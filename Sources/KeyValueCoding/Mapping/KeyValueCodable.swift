/// A struct whose properties can be reached by key, as with key-value coding in Cocoa.
///
/// ```swift
/// struct Session: KeyValueCodable {
///     var id: Int64 = 0
///     var user: String?
///     static let properties = PropertyTable<Session>(Property("id", \.id), Property("user", \.user))
/// }
/// let session = try Session(dictionary: ["id": "42", "user": nil])
/// ```
///
/// Where Cocoa raises an exception, these methods throw a ``MappingError``.
///
/// A model is a ``PropertyValue``: a property of another model may be one, an optional one, or an array of them. It is made of
/// what is under the property's key, a dictionary or an archived object.
public protocol KeyValueCodable: PropertyValue {
    /// Makes a model in which each property has its initial value.
    init()

    /// The properties and their keys. Make it a `static let`.
    static var properties: PropertyTable<Self> { get }
}

extension KeyValueCodable {
    /// Makes a model from a dictionary.
    ///
    /// - Throws: `unknownKey` for an alias that leads to no property; the first error in the order of the table: `missingKey`,
    ///   `duplicateKey`, or what ``CoercionPolicy`` says; then, in the order of the keys, `unknownKey`.
    public init(dictionary: [String: Value], options: MappingOptions = .strict) throws(MappingError) {
        var model = Self()
        try model.fill(from: dictionary, options: options, whenMissing: Self.fillMissing)
        self = model
    }

    /// Sets the properties whose keys a dictionary has, and leaves the others as they are. All or nothing: when it
    /// throws, nothing has changed.
    ///
    /// The options' defaults do not matter here.
    ///
    /// - Throws: `unknownKey` for an alias that leads to no property; the first error in the order of the table: `duplicateKey`,
    ///   or what ``CoercionPolicy`` says; then, in the order of the keys, `unknownKey`.
    public mutating func setValuesForKeys(
        _ dictionary: [String: Value],
        options: MappingOptions = .strict
    ) throws(MappingError) {
        var copy = self
        try copy.fill(from: dictionary, options: options) { (_, _, _, _) throws(MappingError) in }
        self = copy
    }

    /// Sets one property, from a value of any kind.
    ///
    /// A key that no property has is treated as `unknownKeys` says: by default it goes to the extras.
    ///
    /// - Throws: what ``CoercionPolicy`` says, or `unknownKey`; nothing has changed then.
    public mutating func setValue(
        _ value: Value,
        forKey key: String,
        policy: CoercionPolicy = .strict,
        unknownKeys: UnknownKeyPolicy = .keep
    ) throws(MappingError) {
        if let property = Self.properties[key] {
            try property.set(value, in: &self, policy: policy)
        } else {
            try setUnknown(value, forKey: key, policy: unknownKeys)
        }
    }

    /// The value of a property, or of a key in the extras.
    ///
    /// - Throws: `unknownKey`.
    public func value(forKey key: String) throws(MappingError) -> Value {
        if let property = Self.properties[key] { return property.value(in: self) }
        if let value = Self.properties.extras?.get(self)[key] { return value }
        throw .unknownKey(key, known: Self.properties.keys)
    }

    /// The value at the end of a path of keys, joined by dots, through dictionaries and objects.
    ///
    /// A path that goes on behind null gives null, as a message to nil does.
    ///
    /// - Throws: `unknownKey` with the path up to the key that is not there; `typeMismatch` with the path up to a
    ///   value that has no keys.
    public func value(forKeyPath keyPath: String) throws(MappingError) -> Value {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var value = try value(forKey: keys[0])
        for index in keys.indices.dropFirst() {
            let fields: [String: Value]
            switch value {
            case .null: return .null
            case .dictionary(let entries): fields = entries
            case .object(let object): fields = object.fields
            default:
                throw MappingError(
                    .typeMismatch,
                    key: keys[..<index].joined(separator: "."),
                    expected: "a dictionary, to find \"\(Redaction.name(keys[index]))\" in",
                    found: value.kind
                )
            }
            guard let next = fields[keys[index]] else {
                throw .unknownKey(keys[...index].joined(separator: "."), known: fields.keys.sorted())
            }
            value = next
        }
        return value
    }

    /// The values of some keys, as ``value(forKey:)`` gives them.
    ///
    /// - Throws: `unknownKey` for the first key that is not there.
    public func dictionaryWithValues(
        forKeys keys: some Sequence<String>
    ) throws(MappingError) -> [String: Value] {
        var result: [String: Value] = [:]
        for key in keys { result[key] = try value(forKey: key) }
        return result
    }

    /// All properties and extras. A property goes before an extra of the same key.
    public var dictionaryRepresentation: [String: Value] {
        var result = Self.properties.extras?.get(self) ?? [:]
        for property in Self.properties.properties { result[property.key] = property.value(in: self) }
        return result
    }
}

extension KeyValueCodable {
    /// Makes a model that is part of another, with strict options but for the policy.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        try self.init(coercing: value, options: MappingOptions(coercion: policy))
    }

    /// Makes a model that is part of another of a dictionary, or of the fields of an archived object of any class.
    public init(coercing value: Value, options: MappingOptions) throws(CoercionError) {
        let fields: [String: Value]
        switch value {
        case .dictionary(let entries): fields = entries
        case .object(let object): fields = object.fields
        case .null: throw CoercionError(.nullValue, expected: "an object with fields")
        default: throw CoercionError(.typeMismatch, expected: "an object with fields")
        }
        do throws(MappingError) {
            try self.init(dictionary: fields, options: options)
        } catch {
            throw CoercionError(error.code, expected: error.expected, found: error.found, path: "." + error.keyPath)
        }
    }

    /// The model as a dictionary, as ``dictionaryRepresentation`` has it.
    public var propertyValue: Value { .dictionary(dictionaryRepresentation) }
}

extension KeyValueCodable {
    /// What happens to a property whose key a dictionary lacks.
    private typealias MissingKeyRule = (
        inout Self, Property<Self>, [String: Value], MappingOptions
    ) throws(MappingError) -> Void

    private static func fillMissing(
        _ model: inout Self,
        _ property: Property<Self>,
        _ dictionary: [String: Value],
        _ options: MappingOptions
    ) throws(MappingError) {
        if let value = options.defaults[property.key] {
            return try property.set(value, in: &model, options: options)
        }
        switch property.presence {
        case .required: throw .missingKey(property.key, found: dictionary.keys)
        case .optional: return
        case .defaulted(let value): try property.set(value, in: &model, options: options)
        }
    }

    private mutating func fill(
        from dictionary: [String: Value],
        options: MappingOptions,
        whenMissing: MissingKeyRule
    ) throws(MappingError) {
        let table = Self.properties
        try options.checkAliases(of: dictionary.keys, known: table.keys)
        var used = 0
        for property in table.properties {
            if let value = try options.value(for: property.key, in: dictionary) {
                used += 1
                try property.set(value, in: &self, options: options)
            } else {
                try whenMissing(&self, property, dictionary, options)
            }
        }
        guard used < dictionary.count else { return }
        let unknown = dictionary.filter { table.index(ofKey: options.aliases[$0.key] ?? $0.key) == nil }
        for (key, value) in unknown.sorted(by: { $0.key < $1.key }) {
            try setUnknown(value, forKey: key, policy: options.unknownKeys)
        }
    }

    private mutating func setUnknown(
        _ value: Value,
        forKey key: String,
        policy: UnknownKeyPolicy
    ) throws(MappingError) {
        switch policy {
        case .drop: return
        case .keep:
            guard let extras = Self.properties.extras else { fallthrough }
            extras.insert(&self, key, value)
        case .reject: throw .unknownKey(key, known: Self.properties.keys)
        }
    }
}

extension MappingOptions {
    /// Refuses an alias of one of the keys to a property that does not exist, a mistake that must not pass for a key that is
    /// unknown, or for one that is missing under its own name.
    fileprivate func checkAliases(
        of keys: Dictionary<String, Value>.Keys,
        known: KeyIndex
    ) throws(MappingError) {
        let wrong = aliases.filter { keys.contains($0.key) && known.index(of: $0.value) == nil }
        guard let (key, target) = wrong.min(by: { $0.key < $1.key }) else { return }
        throw .unknownKey(target, known: known)
            .with(hint: "the alias of \"\(Redaction.name(key))\" has to lead to a property")
    }

    /// The value that a dictionary has for a property, under its own key or an alias; nil if there is none.
    fileprivate func value(
        for property: String,
        in dictionary: [String: Value]
    ) throws(MappingError) -> Value? {
        guard !aliases.isEmpty else { return dictionary[property] }
        let isItself = aliases[property, default: property] == property
        let keys = aliases.filter { $0.value == property && $0.key != property }.keys + (isItself ? [property] : [])
        let found = keys.filter { dictionary[$0] != nil }
        guard found.count <= 1 else { throw .duplicateKey(property, found: found) }
        return found.first.flatMap { dictionary[$0] }
    }
}
