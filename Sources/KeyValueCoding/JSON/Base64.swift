/// Base 64 of RFC 4648, with padding, without line breaks.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Appends the text of some bytes.
    static func encode(_ bytes: [UInt8], into text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let second = index + 1 < bytes.count ? bytes[index + 1] : 0
            let third = index + 2 < bytes.count ? bytes[index + 2] : 0
            let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(index + 1 < bytes.count ? alphabet[Int(group >> 6 & 63)] : padding)
            text.append(index + 2 < bytes.count ? alphabet[Int(group & 63)] : padding)
            index += 3
        }
    }

    /// The bytes of a text; nil if it is not exactly what ``encode(_:into:)`` writes.
    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var index = 0
        while index < text.count {
            let isLast = index + 4 == text.count
            let padded = isLast ? (text[index + 3] != padding ? 0 : text[index + 2] != padding ? 1 : 2) : 0
            var group: UInt32 = 0
            for offset in 0..<4 - padded {
                guard let digit = digit(text[index + offset]) else { return nil }
                group |= digit << UInt32(18 - 6 * offset)
            }
            // Bits that belong to no byte have to be zero, so that each value has one text.
            guard padded == 0 || group & (padded == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            if padded < 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
            if padded < 1 { bytes.append(UInt8(truncatingIfNeeded: group)) }
            index += 4
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
