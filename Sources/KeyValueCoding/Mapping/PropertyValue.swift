public import FoundationEssentials

/// A type that a model's property may have.
///
/// The integers, `Double`, `Float`, `Bool`, `String`, `[UInt8]`, `Data`, `Date`, `UUID`, `URL`, ``Value``, every ``KeyValueCodable`` model, and optionals,
/// arrays and dictionaries (by `String`) of them conform. So does an enumeration with a raw value of one of these, once it says so. For a type of an app's own:
///
/// ```swift
/// extension UserID: PropertyValue {
///     init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
///         self.init(rawValue: try Int64(coercing: value, policy: policy))
///     }
///     var propertyValue: Value { .integer(rawValue) }
/// }
/// ```
public protocol PropertyValue: Sendable {
    /// Makes the value from one of any kind.
    ///
    /// - Throws: if the coercion table of ``CoercionPolicy`` has no entry for it.
    init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError)

    /// Makes the value from one of any kind, as the options say; what is no model and has none in it needs the policy only.
    init(coercing value: Value, options: MappingOptions) throws(CoercionError)

    /// The value in the form that dictionaries have.
    var propertyValue: Value { get }
}

extension PropertyValue {
    /// Makes the value as the policy of the options says.
    public init(coercing value: Value, options: MappingOptions) throws(CoercionError) {
        try self.init(coercing: value, policy: options.coercion)
    }
}

extension PropertyValue where Self: FixedWidthInteger {
    /// Makes an integer as the coercion table says.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self = try Coercion.integer(from: value, policy: policy)
    }
}

extension PropertyValue where Self: BinaryInteger {
    /// The integer; exact, also above `Int64.max`.
    public var propertyValue: Value { Value(Int128(self)) }
}

extension Int: PropertyValue {}
extension Int8: PropertyValue {}
extension Int16: PropertyValue {}
extension Int32: PropertyValue {}
extension Int64: PropertyValue {}
extension Int128: PropertyValue {}
extension UInt: PropertyValue {}
extension UInt8: PropertyValue {}
extension UInt16: PropertyValue {}
extension UInt32: PropertyValue {}
extension UInt64: PropertyValue {}

extension Double: PropertyValue {
    /// Makes a number as the coercion table says.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self = try Coercion.real(from: value, policy: policy)
    }

    /// The number.
    public var propertyValue: Value { .real(self) }
}

extension Float: PropertyValue {
    /// Makes a number as the coercion table says for a `Double`, rounded to the nearest `Float`.
    ///
    /// - Throws: `outOfRange` for a number that is too large for a `Float`.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        let number = try Coercion.real(from: value, policy: policy)
        self.init(number)
        guard isFinite || !number.isFinite else {
            throw CoercionError(.outOfRange, expected: "a number that a Float holds")
        }
    }

    /// The number.
    public var propertyValue: Value { .real(Double(self)) }
}

extension Bool: PropertyValue {
    /// Makes a truth value as the coercion table says.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self = try Coercion.bool(from: value, policy: policy)
    }

    /// The truth value.
    public var propertyValue: Value { .bool(self) }
}

extension String: PropertyValue {
    /// Makes a text as the coercion table says.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self = try Coercion.text(from: value, policy: policy)
    }

    /// The text.
    public var propertyValue: Value { .text(self) }
}

extension Date: PropertyValue {
    /// Makes a date as the coercion table says: from a date alone.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        switch value {
        case .date(let date): self = date
        case .null: throw CoercionError(.nullValue, expected: "a date")
        default: throw CoercionError(.typeMismatch, expected: "a date")
        }
    }

    /// The date.
    public var propertyValue: Value { .date(self) }
}

extension Data: PropertyValue {
    /// Makes data as the coercion table says: from data alone.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self.init(try [UInt8](coercing: value, policy: policy))
    }

    /// The data.
    public var propertyValue: Value { .data([UInt8](self)) }
}

extension Value: PropertyValue {
    /// The value itself, of whatever kind.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        self = value
    }

    /// The value itself.
    public var propertyValue: Value { self }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    /// Nil from null; otherwise as the wrapped type.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        if case .null = value {
            self = nil
        } else {
            self = try Wrapped(coercing: value, policy: policy)
        }
    }

    /// Nil from null; otherwise as the wrapped type.
    public init(coercing value: Value, options: MappingOptions) throws(CoercionError) {
        if case .null = value {
            self = nil
        } else {
            self = try Wrapped(coercing: value, options: options)
        }
    }

    /// The value, or null.
    public var propertyValue: Value { self?.propertyValue ?? .null }
}

extension PropertyValue where Self: RawRepresentable, RawValue: PropertyValue {
    /// Makes the value from its raw value.
    ///
    /// - Throws: `outOfRange` for a raw value that stands for nothing.
    public init(coercing value: Value, policy: CoercionPolicy) throws(CoercionError) {
        guard let known = Self(rawValue: try RawValue(coercing: value, policy: policy)) else {
            throw CoercionError(.outOfRange, expected: "a value that \(Self.self) has")
        }
        self = known
    }

    /// The raw value.
    public var propertyValue: Value { rawValue.propertyValue }
}
