public import KeyValueCoding

/// The order of the four keys in an archive's top dictionary, which tells the age of the system that wrote it.
public enum ArchiveLayout: String, Sendable, CaseIterable {
    /// `$version`, `$objects`, `$archiver`, `$top`: up to iOS 12 and macOS 10.14.
    case ios12
    /// `$version`, `$archiver`, `$top`, `$objects`: since iOS 13 and macOS 10.15.
    case ios13

    /// The keys in their order.
    var keys: [String] {
        switch self {
        case .ios12: ["$version", "$objects", "$archiver", "$top"]
        case .ios13: ["$version", "$archiver", "$top", "$objects"]
        }
    }
}

/// A field of an object that is to be archived.
public struct ArchiveField: Sendable {
    /// How a value is encoded.
    public enum Encoding: Sendable {
        /// Inside the object's own dictionary, as `encodeInt64:forKey:`, `encodeBool:forKey:`, `encodeDouble:forKey:` and
        /// `encodeBytes:length:forKey:` do. What cannot stand there, a date or a collection, becomes an object.
        case inline
        /// Inside the object's own dictionary, a real in 32 bits, as `encodeFloat:forKey:` does; what 32 bits do not hold as
        /// ``inline``.
        case float
        /// An array of references inside the object's own dictionary, as collections encode `NS.objects`. Only for arrays.
        case references
        /// As an object of its own, as `encodeObject:forKey:` does.
        case object
    }

    /// The key under which the class encodes the field.
    public var key: String
    /// The value.
    public var value: Value
    /// How the value is encoded.
    public var encoding: Encoding

    /// Makes a field.
    public init(_ key: String, _ value: Value, encoding: Encoding = .object) {
        self.key = key
        self.value = value
        self.encoding = encoding
    }
}
