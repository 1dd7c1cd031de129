/// Text that came from a user, made safe for a line on a terminal.
enum Quotation {
    /// How many characters an argument has at most that a message shows whole. Longer ones may be tokens, or replies with
    /// tokens in them.
    static let limit = 31
    /// How many characters are shown of a longer one.
    static let shownOfLonger = 4

    /// The text in single quotes, escaped and shortened.
    static func quote(_ text: String) -> String {
        quote(Array(text.utf8))
    }

    /// The bytes in single quotes, escaped and shortened.
    static func quote(_ bytes: [UInt8]) -> String {
        let shown = bytes.count > 4 * limit ? Array(bytes.prefix(4 * limit)) : bytes
        var pieces = escape(shown)
        if pieces.count > limit || shown.count < bytes.count {
            pieces = pieces.prefix(shownOfLonger) + ["…"]
        }
        return "'" + pieces.joined() + "'"
    }

    /// One piece per character: the character itself, or its escape.
    private static func escape(_ bytes: [UInt8]) -> [String] {
        var pieces: [String] = []
        var rest = bytes[...]
        while let first = rest.first {
            if let (scalar, length) = leadingScalar(of: rest) {
                pieces.append(escape(scalar))
                rest = rest.dropFirst(length)
            } else {
                pieces.append("\\x" + hex(UInt32(first), digits: 2))
                rest = rest.dropFirst()
            }
        }
        return pieces
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        default:
            return String(Character(scalar))
        }
    }

    /// The scalar that the bytes begin with, and how many bytes it takes; `nil` if they begin with no scalar.
    private static func leadingScalar(of bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
