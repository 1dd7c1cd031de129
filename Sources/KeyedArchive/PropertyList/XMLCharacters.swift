/// The characters that XML 1.0 may hold.
enum XMLCharacters {
    /// Whether `value` is a character of XML: no control character but tab and line ends, no surrogate, no U+FFFE or U+FFFF.
    static func contains(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Checks that a file is UTF-8 of such characters from `start` on.
    ///
    /// - Throws: `badString` for bytes that are not UTF-8, `badXML` for a character that XML forbids.
    static func check(_ bytes: ByteView, from start: Int) throws(ArchiveError) {
        var position = bytes.skipASCIIText(from: start)
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                guard byte >= 0x20 || isSpace(byte) else { throw forbidden(UInt32(byte), at: position) }
                position = bytes.skipASCIIText(from: position + 1)
                continue
            }
            guard let (value, length) = sequence(bytes, at: position) else {
                throw ArchiveError(
                    .badString,
                    at: position,
                    "the byte 0x\(hex(byte)) starts no character in UTF-8, which XML is in unless it says otherwise"
                )
            }
            guard contains(value) else { throw forbidden(value, at: position) }
            position += length
        }
    }

    private static func forbidden(_ value: UInt32, at position: Int) -> ArchiveError {
        ArchiveError(
            .badXML,
            at: position,
            "the character U+\(hex(UInt16(truncatingIfNeeded: value))) may not stand in XML; the file is damaged"
        )
    }

    /// The character whose UTF-8 sequence of two bytes or more starts at `position`, and the sequence's length.
    private static func sequence(_ bytes: ByteView, at position: Int) -> (value: UInt32, length: Int)? {
        let lead = bytes[position]
        let (length, least): (Int, UInt32) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            default: (0, 0)
            }
        guard length > 0, bytes.count - position >= length else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= least, value <= 0x10FFFF, !(0xD800..<0xE000 ~= value) else { return nil }
        return (value, length)
    }
}
