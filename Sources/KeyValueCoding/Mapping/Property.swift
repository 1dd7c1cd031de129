public import FoundationEssentials

/// What it means when a dictionary or an archive does not have a property's key.
public enum Presence: Sendable, Hashable {
    /// An error, `missingKey`.
    case required
    /// The property keeps the value that a new model has.
    case optional
    /// The property gets this value.
    case defaulted(Value)
}

/// One property of a model: the key under which dictionaries, archives and rows have it, and how to get and set it.
///
/// ```swift
/// Property("uid", \Account.uid)
/// Property("access_token", \.accessToken, secret: true)
/// ```
///
/// Write the key path as a literal in the call: the compiler then turns it into direct access. A key path that
/// comes from a variable works too, but each access then interprets it at run time.
public struct Property<Root>: Sendable {
    /// Ways to get and set the property, each with the type that needs no conversion.
    ///
    /// Decoders that have an integer or a text at hand set it through the typed closures, without a ``Value``.
    public enum Accessor: Sendable {
        /// The property is an `Int64`.
        case integer(get: @Sendable (Root) -> Int64, set: @Sendable (inout Root, Int64) -> Void)
        /// The property is a `String`.
        case text(get: @Sendable (Root) -> String, set: @Sendable (inout Root, consuming String) -> Void)
        /// The property is a `String?`.
        case optionalText(get: @Sendable (Root) -> String?, set: @Sendable (inout Root, consuming String?) -> Void)
        /// The property is a `Date?`.
        case optionalDate(get: @Sendable (Root) -> Date?, set: @Sendable (inout Root, Date?) -> Void)
        /// The property is of another type that is a ``PropertyValue``.
        case value(
            get: @Sendable (Root) -> Value,
            set: @Sendable (inout Root, Value, MappingOptions) throws(CoercionError) -> Void
        )
    }

    /// The key.
    public let key: String
    /// The path from the model to the property.
    public var keyPath: any PartialKeyPath<Root> & Sendable { makeKeyPath() }
    /// What it means when the key is missing.
    public let presence: Presence
    /// Whether the value is secret: no error ever shows any of it.
    public let isSecret: Bool
    /// How to get and set the property.
    public let accessor: Accessor
    /// Where the property is in the model's memory, in bytes; nil for one that is not stored there, a computed one, say.
    public var offset: Int? { memory?.lowerBound }
    /// Which bytes of the model's memory the property is; nil as ``offset`` is.
    @usableFromInline package let memory: Range<Int>?
    @usableFromInline let makeKeyPath: @Sendable () -> any PartialKeyPath<Root> & Sendable

    // The initialisers take the key path as an autoclosure, and each closure below has a literal of its own that way.
    // The optimizer turns a closure's key path into direct access only if nothing else uses that key path.

    @inlinable
    init(
        key: String,
        makeKeyPath: @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable,
        presence: Presence,
        isSecret: Bool,
        accessor: Accessor
    ) {
        self.key = key
        self.makeKeyPath = makeKeyPath
        self.presence = presence
        self.isSecret = isSecret
        self.accessor = accessor
        self.memory = Self.memory(of: makeKeyPath())
    }

    /// Maps a key to an `Int64` property.
    @inlinable
    public init(
        _ key: String,
        _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Int64> & Sendable,
        _ presence: Presence = .required,
        secret: Bool = false
    ) {
        let accessor = Accessor.integer(get: { $0[keyPath: keyPath()] }, set: { $0[keyPath: keyPath()] = $1 })
        self.init(key: key, makeKeyPath: keyPath, presence: presence, isSecret: secret, accessor: accessor)
    }

    /// Maps a key to a `String` property.
    @inlinable
    public init(
        _ key: String,
        _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, String> & Sendable,
        _ presence: Presence = .required,
        secret: Bool = false
    ) {
        let accessor = Accessor.text(get: { $0[keyPath: keyPath()] }, set: { $0[keyPath: keyPath()] = $1 })
        self.init(key: key, makeKeyPath: keyPath, presence: presence, isSecret: secret, accessor: accessor)
    }

    /// Maps a key to a `String?` property.
    @inlinable
    public init(
        _ key: String,
        _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, String?> & Sendable,
        _ presence: Presence = .required,
        secret: Bool = false
    ) {
        let accessor = Accessor.optionalText(get: { $0[keyPath: keyPath()] }, set: { $0[keyPath: keyPath()] = $1 })
        self.init(key: key, makeKeyPath: keyPath, presence: presence, isSecret: secret, accessor: accessor)
    }

    /// Maps a key to a `Date?` property.
    @inlinable
    public init(
        _ key: String,
        _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Date?> & Sendable,
        _ presence: Presence = .required,
        secret: Bool = false
    ) {
        let accessor = Accessor.optionalDate(get: { $0[keyPath: keyPath()] }, set: { $0[keyPath: keyPath()] = $1 })
        self.init(key: key, makeKeyPath: keyPath, presence: presence, isSecret: secret, accessor: accessor)
    }

    /// Maps a key to a property of any other type that can be coerced.
    @inlinable
    public init<T: PropertyValue>(
        _ key: String,
        _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, T> & Sendable,
        _ presence: Presence = .required,
        secret: Bool = false
    ) {
        let accessor = Accessor.value(
            get: { $0[keyPath: keyPath()].propertyValue },
            set: { (root: inout Root, value: Value, options: MappingOptions) throws(CoercionError) in
                root[keyPath: keyPath()] = try T(coercing: value, options: options)
            }
        )
        self.init(key: key, makeKeyPath: keyPath, presence: presence, isSecret: secret, accessor: accessor)
    }
}

extension Property {
    /// The property's value, whatever its type.
    public func value(in root: Root) -> Value {
        switch accessor {
        case .integer(let get, _): .integer(get(root))
        case .text(let get, _): .text(get(root))
        case .optionalText(let get, _): get(root).propertyValue
        case .optionalDate(let get, _): get(root).propertyValue
        case .value(let get, _): get(root)
        }
    }

    /// Sets the property from a value of any kind.
    ///
    /// - Throws: a ``MappingError`` as the table of ``CoercionPolicy`` says; the model is unchanged then.
    public func set(_ value: Value, in root: inout Root, policy: CoercionPolicy = .strict) throws(MappingError) {
        try set(value, in: &root, options: MappingOptions(coercion: policy))
    }

    /// Sets the property as the options for the whole model say.
    package func set(_ value: Value, in root: inout Root, options: MappingOptions) throws(MappingError) {
        let policy = options.coercion
        do throws(CoercionError) {
            switch accessor {
            case .integer(_, let set): set(&root, try Coercion.integer(from: value, policy: policy))
            case .text(_, let set): set(&root, try Coercion.text(from: value, policy: policy))
            case .optionalText(_, let set): set(&root, try String?(coercing: value, policy: policy))
            case .optionalDate(_, let set): set(&root, try Date?(coercing: value, policy: policy))
            case .value(_, let set): try set(&root, value, options.below(key))
            }
        } catch {
            throw MappingError(error, key: key, value: value, isSecret: isSecret)
        }
    }
}

extension Property: CustomStringConvertible {
    /// The key and the path.
    public var description: String { "\(Redaction.name(key)) → \(keyPath)" }
}

extension Property {
    @usableFromInline
    static func memory(of keyPath: any PartialKeyPath<Root> & Sendable) -> Range<Int>? {
        func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
        return MemoryLayout<Root>.offset(of: keyPath).map {
            $0..<($0 + _openExistential(type(of: keyPath).valueType, do: size))
        }
    }
}
