internal import KeyValueCoding

/// Which texts are secrets, or have secrets in them, by what they are, whatever their key.
enum SecretTexts {
    private static let bearer = Array("bearer".utf8)

    /// A text as it may be shown: cut as a whole if a token is in it, else where it names a secret.
    static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        if holdsToken(bytes) { return Redaction.prefix(of: text) }
        let secrets = NamedSecrets.ranges(in: bytes)
        return secrets.isEmpty ? text : cut(secrets, of: bytes)
    }

    /// A text with its secrets cut.
    static func cut(_ secrets: [Range<Int>], of bytes: [UInt8]) -> String {
        var result = ""
        var end = 0
        for secret in secrets {
            result += String(decoding: bytes[end..<secret.lowerBound], as: UTF8.self)
            result += Redaction.prefix(of: String(decoding: bytes[secret], as: UTF8.self))
            end = secret.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// Whether a JSON Web Token (RFC 7519) or a bearer's token (RFC 6750) is in a text's UTF-8.
    static func holdsToken(_ bytes: [UInt8]) -> Bool {
        // The shortest of them is longer.
        guard bytes.count >= 12 else { return false }
        return bytes.indices.contains { index in
            (index == 0 || !isTokenByte(bytes[index - 1]))
                && (isWebToken(bytes[index...]) || isBearer(bytes[index...]))
        }
    }

    /// Whether bytes begin as a JSON object in base 64 does, and go on with two dots and what may stand between them.
    private static func isWebToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "eyJ".utf8) else { return false }
        var dots = 0
        for byte in bytes {
            if byte == UInt8(ascii: ".") { dots += 1 } else if !isTokenByte(byte) { break }
            if dots == 2 { return true }
        }
        return false
    }

    /// Whether bytes begin with the word and eight more that are no space.
    private static func isBearer(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.prefix(bearer.count).lazy.map({ $0 | 0x20 }).elementsEqual(bearer) else { return false }
        let rest = bytes.dropFirst(bearer.count)
        let token = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
        return token.count < rest.count
            && token.prefix(8).count(where: { isTokenByte($0) || $0 == UInt8(ascii: ".") }) == 8
    }

    /// A letter, a digit, or one of the two other characters of base 64 for URLs.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
