/// Secrets that a text names itself: `access_token=…` of a URL or a header, `"token":"…"` of JSON, `<password>…` of XML.
///
/// Percent-encoded and escaped marks count as what they stand for.
enum NamedSecrets {
    /// Where the secrets are in a text's UTF-8.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard isKeyByte(bytes[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isKeyByte(bytes[index]) { index += 1 }
            guard index - start <= longestKey, let opening = opening(of: bytes, from: index) else { continue }
            let key = String(decoding: bytes[start..<index], as: UTF8.self)
            guard SecretKeys.isSecret(key) else { continue }
            let end = end(of: bytes, opening)
            if isSecret(bytes[opening.start..<end], under: key) {
                ranges.append(opening.start..<end)
                index = end
            }
        }
        return ranges
    }

    private static let longestKey = 64
    private static let marks = [
        "%3d": UInt8(ascii: "="), "%3a": UInt8(ascii: ":"), "%26": UInt8(ascii: "&"), "%22": quote,
    ]
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Where a value begins, and how.
    private struct Opening {
        var start: Int
        /// The quotation mark before the value.
        var quote: UInt8?
        var isEscaped = false
    }

    /// Passes over what stands between a key and its value; nil if something else follows than a value.
    private static func opening(of bytes: [UInt8], from keyEnd: Int) -> Opening? {
        var opening = Opening(start: keyEnd)
        var isNamed = false
        while opening.start < bytes.count {
            let (byte, length) = mark(bytes, at: opening.start)
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case backslash: opening.isEscaped = true
            case quote, UInt8(ascii: "'"):
                if opening.quote == byte, isNamed { return nil }
                opening.quote = isNamed ? byte : nil
            case UInt8(ascii: ":"):
                if bytes[(opening.start + length)...].starts(with: "//".utf8) { return nil }
                isNamed = true
            case UInt8(ascii: "="), UInt8(ascii: ">"): isNamed = true
            case UInt8(ascii: "<"):
                guard let end = bytes[opening.start...].prefix(longestKey).firstIndex(of: UInt8(ascii: ">")) else {
                    return nil
                }
                isNamed = true
                opening.start = end
            default: return isNamed ? opening : nil
            }
            opening.start += length
            if opening.start - keyEnd > 4 * longestKey { return nil }
        }
        return nil
    }

    private static func end(of bytes: [UInt8], _ opening: Opening) -> Int {
        var index = opening.start
        // What is in an object or an array below such a key is not for everyone's eyes either.
        if let first = bytes[index...].first, opening.quote == nil, "{[".utf8.contains(first) { return bytes.count }
        while index < bytes.count {
            let (byte, length) = mark(bytes, at: index)
            if let quote = opening.quote {
                if byte == quote || (opening.isEscaped && byte == backslash) { return index }
                index += byte == backslash ? 2 : length
            } else {
                if byte <= 0x20 || "\"'\\&;,<>{}[]()#".utf8.contains(byte) { return index }
                index += length
            }
        }
        return bytes.count
    }

    /// The byte at a place, or that which is percent-encoded there if it is one of ``marks``.
    private static func mark(_ bytes: [UInt8], at index: Int) -> (byte: UInt8, length: Int) {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return (bytes[index], 1) }
        let code = String(decoding: bytes[index...(index + 2)], as: UTF8.self).lowercased()
        return marks[code].map { ($0, 3) } ?? (bytes[index], 1)
    }

    /// Whether a value can be a secret; flags and counts are none, as in fields of archives.
    private static func isSecret(_ value: ArraySlice<UInt8>, under key: String) -> Bool {
        let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber { return value.count > 3 && !SecretKeys.isMeasure(key) }
        return !["true", "false", "null", "nil"].contains(String(decoding: value, as: UTF8.self).lowercased())
    }

    /// A byte of a key; those above ASCII belong to letters of other scripts.
    private static func isKeyByte(_ byte: UInt8) -> Bool {
        SecretTexts.isTokenByte(byte) || byte >= 0x80 || byte == UInt8(ascii: ".")
    }
}
