/// The encoding of an XML property list, with its byte order mark.
enum XMLEncoding: Sendable, Equatable {
    case utf8(byteOrderMark: Bool)
    case utf16(bigEndian: Bool, byteOrderMark: Bool)
}

extension XMLEncoding {
    /// Whether a file begins with a UTF-16 byte order mark, or with `<` and another ASCII character in UTF-16.
    static func isUTF16(_ bytes: ByteView) -> Bool {
        detect(bytes) != nil
    }

    /// The byte order of a file in UTF-16, and the length of its mark.
    static func detect(_ bytes: ByteView) -> (bigEndian: Bool, markSize: Int)? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): return (true, 2)
        case (0xFF, 0xFE): return (false, 2)
        case (0x00, UInt8(ascii: "<")) where bytes.count >= 4 && bytes[2] == 0: return (true, 0)
        case (UInt8(ascii: "<"), 0x00) where bytes.count >= 4 && bytes[3] == 0: return (false, 0)
        default: return nil
        }
    }
}
