public import FoundationEssentials

/// A value as a dictionary, an archive or a row holds it, before a model's property has given it a type.
///
/// Integers are exact at any width that the formats here can hold: a value that fits `Int64` is always
/// ``integer(_:)``, and only one that does not is ``wideInteger(_:)``, so equal numbers compare equal. Build
/// integers with ``init(_:)-(Int128)`` to keep that so.
public enum Value: Sendable, Hashable {
    /// JSON `null`, `NSNull`, `nil` in an archive, SQL `NULL`.
    case null
    /// A truth value; never interchangeable with a number.
    case bool(Bool)
    /// An integer that fits in 64 bits with a sign.
    case integer(Int64)
    /// An integer outside the range of `Int64`.
    indirect case wideInteger(Int128)
    /// A floating-point number.
    case real(Double)
    /// A JSON number that neither `Int128` nor `Double` holds exactly, as it was written.
    indirect case decimal(String)
    /// Text of any length; `U+0000` inside is a character like any other.
    case text(String)
    /// A point in time, with all the precision that it came with.
    case date(Date)
    /// Raw bytes.
    case data([UInt8])
    /// Values in order. A set is one too.
    case array([Value])
    /// Values by text.
    case dictionary([String: Value])
    /// Keys and values in order, for a dictionary whose keys are not all text.
    indirect case pairs([Pair])
    /// An archived object of a class that has no closer equivalent here.
    indirect case object(ObjectValue)
    /// An object that occurs earlier in the same archive, by its index there.
    case reference(Int)

    /// An integer of up to 128 bits, in its one proper case.
    @inlinable
    public init(_ integer: Int128) {
        if let narrow = Int64(exactly: integer) {
            self = .integer(narrow)
        } else {
            self = .wideInteger(integer)
        }
    }

    /// A key of any kind with its value.
    public struct Pair: Sendable, Hashable {
        /// The key.
        public var key: Value
        /// The value under the key.
        public var value: Value

        /// Makes a pair.
        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// An archived object that is kept by its class names and its fields.
    public struct ObjectValue: Sendable, Hashable {
        /// The name of the class.
        public var className: String
        /// The class and its superclasses, from the class up; empty when the archive does not say.
        public var classes: [String]
        /// The fields by key.
        public var fields: [String: Value]

        /// Makes an object's value.
        public init(className: String, classes: [String], fields: [String: Value]) {
            self.className = className
            self.classes = classes
            self.fields = fields
        }
    }
}
