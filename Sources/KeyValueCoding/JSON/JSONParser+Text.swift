extension JSONParser {
    /// Reads a string from behind its opening quotation mark to behind the closing one.
    mutating func parseText(_ text: Span<UInt8>) throws(JSONError) -> String {
        let start = index
        skipPlain(text)
        if peek(text) == UInt8(ascii: "\"") {
            index += 1
            return try string(text, start..<index - 1)
        }
        scratch.removeAll(keepingCapacity: true)
        try appendRun(text, start..<index)
        while true {
            switch peek(text) {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "\\"): try parseEscape(text)
            case nil: throw unexpected(text, "the end of a string")
            default:
                let reason = "a control character in a string has to be escaped"
                throw JSONError(.badString, at: index, in: text, reason)
            }
            let run = index
            skipPlain(text)
            try appendRun(text, run..<index)
        }
    }

    /// Moves to the next quotation mark, backslash or control character, or to the end.
    private mutating func skipPlain(_ text: Span<UInt8>) {
        let bytes = unsafe text.bytes
        while index + 8 <= text.count {
            // In bounds, as just checked. Finds whether one of eight bytes ends the run; a byte above 0x7F may
            // seem to, and is then looked at below.
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let ones: UInt64 = 0x0101_0101_0101_0101
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let hits =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            guard hits & (ones &* 0x80) == 0 else { break }
            index += 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            index += 1
        }
    }

    private func string(_ text: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: text.extracting(range)))
        } catch {
            let offset = range.lowerBound + error.byteOffsets.lowerBound
            throw JSONError(.badString, at: offset, in: text, "the string is not UTF-8")
        }
    }

    private mutating func appendRun(_ text: Span<UInt8>, _ range: Range<Int>) throws(JSONError) {
        var isASCII = true
        for index in range {
            scratch.append(text[index])
            isASCII = isASCII && text[index] < 0x80
        }
        if !isASCII { _ = try string(text, range) }
    }

    /// Reads an escape, from its backslash on.
    private mutating func parseEscape(_ text: Span<UInt8>) throws(JSONError) {
        let start = index
        index += 1
        guard let byte = peek(text) else { throw unexpected(text, "an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try parseScalar(text, start)
            scratch.append(contentsOf: String(scalar).utf8)
        default: throw JSONError(.badString, at: start, in: text, "an escape that JSON does not have")
        }
    }

    /// Reads the digits of a `\u` escape, and with a high surrogate the low one that has to follow.
    private mutating func parseScalar(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try parseHex(text)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let lone = JSONError(.badString, at: start, in: text, "half of a surrogate pair")
        guard unit < 0xDC00, peek(text) == UInt8(ascii: "\\"), index + 1 < text.count,
            text[index + 1] == UInt8(ascii: "u")
        else { throw lone }
        index += 2
        let low = try parseHex(text)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw lone }
        return scalar
    }

    private mutating func parseHex(_ text: Span<UInt8>) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let expected = "four hexadecimal digits"
            guard let byte = peek(text), let digit = Self.hexDigit(byte) else {
                throw unexpected(text, expected, .badString)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x61 + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x41 + 10
        default: nil
        }
    }
}
