/// A step of a database's schema: a file of SQL with a number.
public struct Migration: Sendable, Hashable {
    /// The number by which it is known and ordered; the first is 1.
    public var version: Int
    /// What it does, in a word or two.
    public var name: String
    /// Its statements. Line ends are those of Unix, whatever the file had.
    public var sql: String

    /// Makes a migration. Line ends of Windows and old Macs become those of Unix.
    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = Self.normalisingLineEnds(sql)
    }

    /// Makes a migration from a file named as in `V0001__accounts.sql`; nil for any other name.
    public init?(fileName: String, sql: String) {
        guard fileName.hasPrefix("V"), fileName.hasSuffix(".sql") else { return nil }
        let stem = fileName.dropFirst().dropLast(4)
        let digits = stem.prefix { $0.isASCII && $0.isNumber }
        let rest = stem.dropFirst(digits.count)
        guard digits.count >= 4, let version = Int(digits), version > 0, rest.hasPrefix("__"), rest.count > 2 else {
            return nil
        }
        self.init(version: version, name: String(rest.dropFirst(2)), sql: sql)
    }

    /// The name of the file, as in `V0001__accounts.sql`.
    public var fileName: String { Self.fileName(version: version, name: name) }

    static func fileName(version: some BinaryInteger, name: String) -> String {
        let digits = String(version)
        return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "__\(name).sql"
    }

    static func normalisingLineEnds(_ text: String) -> String {
        // A carriage return and a line feed are one character of Swift's, so this works on the bytes.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
            } else if byte != UInt8(ascii: "\n") || previous != UInt8(ascii: "\r") {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
