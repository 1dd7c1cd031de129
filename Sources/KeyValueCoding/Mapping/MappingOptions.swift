/// What becomes of a key that the model does not have.
public enum UnknownKeyPolicy: String, Sendable, Hashable, CaseIterable {
    /// It is kept in the model's extras; an error, `unknownKey`, if the model has none.
    case keep
    /// It is left out.
    case drop
    /// It is an error, `unknownKey`.
    case reject
}

/// How a dictionary is mapped to a model.
///
/// A model inside another is mapped with the same policies. Aliases and defaults for it are given by the way to its keys,
/// joined by dots: `["user.screen_name": "name"]` reads `screen_name`, in what is under `user`, as the property `name`.
public struct MappingOptions: Sendable, Hashable {
    /// How values become the types of properties. Strict by default.
    public var coercion: CoercionPolicy
    /// What becomes of keys that the model does not have. They are kept by default.
    public var unknownKeys: UnknownKeyPolicy
    /// Keys that are to be read as others: the key that is found, and the property's. An alias goes before a property
    /// of the same key.
    public var aliases: [String: String]
    /// Values for properties whose keys are missing, by the property's key; they go before the property's own
    /// ``Presence``. Keys that no property has mean nothing here.
    public var defaults: [String: Value]

    /// Makes options.
    public init(
        coercion: CoercionPolicy = .strict,
        unknownKeys: UnknownKeyPolicy = .keep,
        aliases: [String: String] = [:],
        defaults: [String: Value] = [:]
    ) {
        self.coercion = coercion
        self.unknownKeys = unknownKeys
        self.aliases = aliases
        self.defaults = defaults
    }

    /// The options for what is under a key.
    func below(_ key: String) -> MappingOptions {
        guard !aliases.isEmpty || !defaults.isEmpty else { return self }
        let prefix = key + "."
        var options = MappingOptions(coercion: coercion, unknownKeys: unknownKeys)
        for (key, target) in aliases where key.hasPrefix(prefix) {
            options.aliases[String(key.dropFirst(prefix.count))] = target
        }
        for (key, value) in defaults where key.hasPrefix(prefix) {
            options.defaults[String(key.dropFirst(prefix.count))] = value
        }
        return options
    }

    /// Strict, unknown keys kept, no aliases, no defaults.
    public static let strict = MappingOptions()
}
