public import CSystemSQLite

/// The types in which SQLite stores values.
public enum StorageClass: String, Sendable, Hashable, CaseIterable {
    /// NULL.
    case null
    /// An integer of 64 bits with a sign.
    case integer
    /// A floating-point number of 64 bits.
    case real
    /// Text.
    case text
    /// Bytes.
    case blob

    /// The type that SQLite has a number for.
    @inlinable
    init(_ type: Int32) {
        switch type {
        case SQLITE_INTEGER: self = .integer
        case SQLITE_FLOAT: self = .real
        case SQLITE_TEXT: self = .text
        case SQLITE_BLOB: self = .blob
        default: self = .null
        }
    }
}

/// A value of any type that SQLite stores, for the places where speed does not matter.
public enum SQLValue: Sendable, Hashable {
    /// NULL.
    case null
    /// An integer of 64 bits with a sign.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// Text; a NUL inside is a character like any other.
    case text(String)
    /// Bytes; an empty blob is neither NULL nor an empty text.
    case blob([UInt8])

    /// The type of the value.
    public var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue: ExpressibleByNilLiteral {
    /// NULL.
    public init(nilLiteral: ()) { self = .null }
}
