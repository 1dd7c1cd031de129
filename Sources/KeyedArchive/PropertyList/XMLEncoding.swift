/// The encoding of an XML property list, with its byte order mark.
enum XMLEncoding: Sendable, Equatable {
    case utf8(byteOrderMark: Bool)
    case utf16(bigEndian: Bool, byteOrderMark: Bool)
}

extension XMLEncoding {
    /// The encoding that the first bytes of an XML file show: by a byte order mark or, in UTF-16, also by the
    /// zero byte beside the `<` that opens it.
    init(detecting bytes: ByteView) {
        let first = bytes[0]
        let second = bytes.count > 1 ? bytes[1] : 0
        switch (first, second) {
        case (0xFE, 0xFF): self = .utf16(bigEndian: true, byteOrderMark: true)
        case (0xFF, 0xFE): self = .utf16(bigEndian: false, byteOrderMark: true)
        case (0x00, UInt8(ascii: "<")) where bytes.count >= 4 && bytes[2] == 0:
            self = .utf16(bigEndian: true, byteOrderMark: false)
        case (UInt8(ascii: "<"), 0x00) where bytes.count >= 4 && bytes[3] == 0:
            self = .utf16(bigEndian: false, byteOrderMark: false)
        default: self = .utf8(byteOrderMark: bytes.matches("\u{FEFF}"))
        }
    }

    /// Whether this is UTF-16 of either byte order.
    var isUTF16: Bool {
        if case .utf16 = self { true } else { false }
    }

    /// The length in bytes of the byte order mark.
    var markSize: Int {
        switch self {
        case .utf8(let mark): mark ? 3 : 0
        case .utf16(_, let mark): mark ? 2 : 0
        }
    }

    /// Whether an XML declaration may call the encoding of the file by `name`.
    func admits(_ name: String) -> Bool {
        switch name.uppercased() {
        case "UTF-8", "UTF8", "US-ASCII", "ASCII": !isUTF16
        case "UTF-16", "UTF16": isUTF16
        case "UTF-16BE": if case .utf16(bigEndian: true, _) = self { true } else { false }
        case "UTF-16LE": if case .utf16(bigEndian: false, _) = self { true } else { false }
        default: false
        }
    }
}

extension XMLEncoding {
    /// UTF-16 bytes of a file, its mark left out, as UTF-8.
    ///
    /// - Throws: `badString` for a lone surrogate, or half a code unit at the end.
    static func utf8(fromUTF16 bytes: ByteView, bigEndian: Bool, from start: Int) throws(ArchiveError) -> [UInt8] {
        guard (bytes.count - start) % 2 == 0 else {
            throw ArchiveError(.truncated, at: bytes.count, "the file is UTF-16 text and ends within a character")
        }
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count - start) / 2)
        var position = start
        while position < bytes.count {
            let unit = self.unit(bytes, at: position, bigEndian: bigEndian)
            if unit < 0x80 {
                result.append(UInt8(unit))
                position += 2
                continue
            }
            var value = UInt32(unit)
            if 0xD800..<0xDC00 ~= unit, bytes.count - position >= 4 {
                let low = self.unit(bytes, at: position + 2, bigEndian: bigEndian)
                if 0xDC00..<0xE000 ~= low {
                    value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
                }
            }
            guard let scalar = Unicode.Scalar(value) else {
                throw ArchiveError(
                    .badString,
                    at: position,
                    "the surrogate 0x\(hex(unit)) stands without its other half"
                )
            }
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            position += value >= 0x10000 ? 4 : 2
        }
        return result
    }

    private static func unit(_ bytes: ByteView, at position: Int, bigEndian: Bool) -> UInt16 {
        let unit = UInt16(truncatingIfNeeded: bytes.unsigned(at: position, width: 2))
        return bigEndian ? unit : unit.byteSwapped
    }

    /// UTF-8 text in this encoding, with its byte order mark.
    func encode(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .utf8(let mark):
            return mark ? [0xEF, 0xBB, 0xBF] + text : text
        case .utf16(let bigEndian, let mark):
            var result: [UInt8] = []
            result.reserveCapacity(2 * text.count + 2)
            let units = String(decoding: text, as: UTF8.self).utf16
            for unit in mark ? [0xFEFF] + Array(units) : Array(units) {
                let high = UInt8(truncatingIfNeeded: unit >> 8)
                let low = UInt8(truncatingIfNeeded: unit)
                result.append(bigEndian ? high : low)
                result.append(bigEndian ? low : high)
            }
            return result
        }
    }
}
