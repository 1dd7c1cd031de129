/// The properties of a model, in the order in which they are written.
///
/// ```swift
/// static let properties = PropertyTable<Account>(
///     Property("access_token", \.accessToken, secret: true),
///     Property("uid", \.uid),
///     extras: \.extras
/// )
/// ```
public struct PropertyTable<Root>: Sendable {
    /// How to get and set the keys that the model lacks.
    public struct Extras: Sendable {
        /// The path from the model to its extras.
        public var keyPath: any WritableKeyPath<Root, [String: Value]> & Sendable { makeKeyPath() }
        /// Gets the extras.
        public let get: @Sendable (Root) -> [String: Value]
        /// Replaces the extras.
        public let set: @Sendable (inout Root, [String: Value]) -> Void
        @usableFromInline let insert: @Sendable (inout Root, String, Value) -> Void
        @usableFromInline let makeKeyPath: @Sendable () -> any WritableKeyPath<Root, [String: Value]> & Sendable

        /// Maps unknown keys to a property.
        @inlinable
        public init(
            _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, [String: Value]> & Sendable
        ) {
            self.init(makeKeyPath: keyPath)
        }

        @inlinable
        init(makeKeyPath: @escaping @Sendable () -> any WritableKeyPath<Root, [String: Value]> & Sendable) {
            self.makeKeyPath = makeKeyPath
            self.get = { $0[keyPath: makeKeyPath()] }
            self.set = { $0[keyPath: makeKeyPath()] = $1 }
            self.insert = { $0[keyPath: makeKeyPath()][$1] = $2 }
        }
    }

    /// The properties.
    public let properties: [Property<Root>]
    /// Where keys go that no property has; nil if the model has no place for them.
    public let extras: Extras?
    /// Finds properties by key.
    public let keys: KeyIndex

    /// Makes a table for a model that has no place for unknown keys.
    ///
    /// Two properties of one key are an error of the program, and stop it.
    public init(_ properties: Property<Root>...) {
        self.init(properties)
    }

    /// Makes a table for a model that keeps unknown keys.
    ///
    /// Two properties of one key are an error of the program, and stop it.
    @inlinable
    public init(
        _ properties: Property<Root>...,
        extras: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, [String: Value]> & Sendable
    ) {
        self.init(properties, extras: Extras(makeKeyPath: extras))
    }

    /// Makes a table. Two properties of one key are an error of the program, and stop it.
    public init(_ properties: [Property<Root>], extras: Extras? = nil) {
        self.properties = properties
        self.extras = extras
        self.keys = KeyIndex(properties.map(\.key))
    }

    /// How many properties there are.
    public var count: Int { properties.count }

    /// The property at an index, which ``index(ofKey:)-(String)`` gives.
    public subscript(index: Int) -> Property<Root> { properties[index] }

    /// The property of a key; nil if there is none.
    public subscript(key: String) -> Property<Root>? { keys.index(of: key).map { properties[$0] } }

    /// The index of the property that has a key. Allocates nothing; resolve once per statement or class.
    public func index(ofKey key: String) -> Int? { keys.index(of: key) }

    /// The index of the property that has a key, given in UTF-8. Allocates nothing.
    public func index(ofKey utf8: Span<UInt8>) -> Int? { keys.index(of: utf8) }

    /// The index of the property that has a key, given in UTF-8. Allocates nothing.
    ///
    /// The bytes are read during the call alone.
    public func index(ofKey utf8: UnsafeRawBufferPointer) -> Int? { unsafe keys.index(of: utf8) }
}

/// Keys by position; a linear search, which beats hashing for as many keys as models have.
public struct KeyIndex: Sendable, RandomAccessCollection {
    private let keys: [String]
    /// All keys in UTF-8, one after the other, and where each ends.
    private let bytes: [UInt8]
    private let ends: [Int]

    init(_ keys: [String]) {
        precondition(Set(keys).count == keys.count, "two properties have the same key")
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for key in keys {
            bytes.append(contentsOf: key.utf8)
            ends.append(bytes.count)
        }
        self.keys = keys
        self.bytes = bytes
        self.ends = ends
    }

    /// The first position: 0.
    public var startIndex: Int { 0 }
    /// The number of keys.
    public var endIndex: Int { keys.count }
    /// The key at a position.
    public subscript(position: Int) -> String { keys[position] }

    /// The position of a key.
    public func index(of key: String) -> Int? {
        keys.firstIndex(of: key)
    }

    /// The position of a key that is given in UTF-8.
    public func index(of utf8: Span<UInt8>) -> Int? {
        var start = 0
        for (index, end) in ends.enumerated() {
            if end - start == utf8.count, matches(utf8, at: start) { return index }
            start = end
        }
        return nil
    }

    /// The position of a key that is given in UTF-8; the bytes are read during the call alone.
    public func index(of utf8: UnsafeRawBufferPointer) -> Int? {
        unsafe utf8.withMemoryRebound(to: UInt8.self) { unsafe index(of: $0.span) }
    }

    private func matches(_ utf8: Span<UInt8>, at start: Int) -> Bool {
        for offset in utf8.indices where bytes[start + offset] != utf8[offset] { return false }
        return true
    }
}
