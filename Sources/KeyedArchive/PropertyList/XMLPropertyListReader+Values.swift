extension XMLPropertyListReader {
    /// Reads the rest of the element that `tag` opens, which is no container.
    mutating func value(of element: XMLElement, tag: XMLScanner.Tag) throws(ArchiveError) -> PropertyList.Node {
        let content = try scanner.content(of: tag)
        switch element {
        case .key, .string:
            switch content {
            case .plain(let range): return .text(scanner.bytes.text(range))
            case .decoded(let text): return .text(String(decoding: text, as: UTF8.self))
            }
        case .integer:
            guard let value = parse(content, XMLValue.integer) else {
                throw malformed(tag, "decimal or 0x and hexadecimal digits, of a number that fits 128 bits")
            }
            return .integer(value, width: 0)
        case .real:
            guard let value = parse(content, XMLValue.real) else {
                throw malformed(tag, "a decimal number within the range of a double, nan, or infinity")
            }
            return .real(value, single: false)
        case .date:
            guard let value = parse(content, XMLValue.date) else {
                throw malformed(tag, "a date as YYYY-MM-DDTHH:MM:SSZ")
            }
            return .date(value)
        case .data:
            guard let value = parse(content, Base64.decode) else {
                throw malformed(tag, "base64 text, padded with \"=\" to groups of four")
            }
            return .data(value)
        default:
            guard parse(content, XMLValue.isBlank) == true else { throw malformed(tag, "nothing") }
            return .bool(element == .yes)
        }
    }

    private func parse<Value>(_ content: XMLScanner.Content, _ body: (ByteView, Range<Int>) -> Value?) -> Value? {
        switch content {
        case .plain(let range):
            return body(scanner.bytes, range)
        case .decoded(let text):
            return unsafe text.span.bytes.withUnsafeBytes { buffer in
                guard let view = unsafe ByteView(buffer) else { return body(scanner.bytes, 0..<0) }
                return body(view, 0..<view.count)
            }
        }
    }

    private func malformed(_ tag: XMLScanner.Tag, _ expected: String) -> ArchiveError {
        let name = scanner.shown(tag.name)
        return scanner.error(at: tag.start, "the content of <\(name)> is not what it has to be: \(expected)")
    }
}

/// The texts of values in XML property lists; each function gives nil for a text that is none.
enum XMLValue {
    /// `range` without the white space at its ends.
    private static func trimmed(_ bytes: ByteView, _ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, isSpace(bytes[lower]) { lower += 1 }
        while lower < upper, isSpace(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// True for white space or nothing.
    static func isBlank(_ bytes: ByteView, _ range: Range<Int>) -> Bool? {
        trimmed(bytes, range).isEmpty
    }

    /// An integer of decimal digits, or of hexadecimal ones after `0x`, with or without a sign.
    static func integer(_ bytes: ByteView, _ range: Range<Int>) -> Int128? {
        let range = trimmed(bytes, range)
        var position = range.lowerBound
        guard position < range.upperBound else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
        var radix: UInt8 = 10
        if range.upperBound - position > 2, bytes[position] == UInt8(ascii: "0"), bytes[position + 1] | 0x20 == 0x78 {
            radix = 16
            position += 2
        }
        guard position < range.upperBound, let magnitude = magnitude(bytes, position..<range.upperBound, radix: radix)
        else { return nil }
        guard isNegative else { return Int128(exactly: magnitude) }
        return magnitude == Int128.min.magnitude ? .min : Int128(exactly: magnitude).map { -$0 }
    }

    private static func magnitude(_ bytes: ByteView, _ range: Range<Int>, radix: UInt8) -> UInt128? {
        var small: UInt64 = 0
        // 15 digits of either radix fit.
        let middle = min(range.upperBound, range.lowerBound + 15)
        for position in range.lowerBound..<middle {
            guard let digit = digit(bytes[position], radix: radix) else { return nil }
            small = small * UInt64(radix) + UInt64(digit)
        }
        var value = UInt128(small)
        for position in middle..<range.upperBound {
            guard let digit = digit(bytes[position], radix: radix) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: UInt128(radix))
            let (sum, isOver) = product.addingReportingOverflow(UInt128(digit))
            guard !isTooLarge, !isOver else { return nil }
            value = sum
        }
        return value
    }

    @inline(__always)
    private static func digit(_ byte: UInt8, radix: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where radix == 16: byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A decimal number, `nan`, `inf` or `infinity` in either case, with or without a sign.
    static func real(_ bytes: ByteView, _ range: Range<Int>) -> Double? {
        let range = trimmed(bytes, range)
        // No number that is a double needs more digits than this.
        guard !range.isEmpty, range.count <= 4096 else { return nil }
        let text = bytes.text(range)
        let isSigned = text.hasPrefix("-") || text.hasPrefix("+")
        switch (isSigned ? String(text.dropFirst()) : text).lowercased() {
        case "nan": return .nan
        case "inf", "infinity": return text.hasPrefix("-") ? -.infinity : .infinity
        default: break
        }
        guard isDecimal(bytes, range), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whether `range` is sign, digits, point, digits and exponent, of which digits are needed and the rest is not.
    private static func isDecimal(_ bytes: ByteView, _ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        func next(_ characters: StaticString) -> Bool {
            guard position < range.upperBound else { return false }
            let matches = unsafe UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount)
                .contains(bytes[position])
            if matches { position += 1 }
            return matches
        }
        func digits() -> Int {
            let start = position
            while next("0123456789") {}
            return position - start
        }
        _ = next("+-")
        var count = digits()
        if next(".") { count += digits() }
        guard count > 0 else { return false }
        if next("eE") {
            _ = next("+-")
            guard digits() > 0 else { return false }
        }
        return position == range.upperBound
    }

    /// A date as `YYYY-MM-DDTHH:MM:SSZ`, in seconds since 2001.
    static func date(_ bytes: ByteView, _ range: Range<Int>) -> Double? {
        let range = trimmed(bytes, range)
        var position = range.lowerBound
        func byte(_ expected: UInt8) -> Bool {
            guard position < range.upperBound, bytes[position] == expected else { return false }
            position += 1
            return true
        }
        func number(_ digits: ClosedRange<Int>) -> Int? {
            let start = position
            var value = 0
            while position < range.upperBound, position - start < digits.upperBound,
                let digit = digit(bytes[position], radix: 10)
            {
                value = value * 10 + Int(digit)
                position += 1
            }
            return digits.contains(position - start) ? value : nil
        }
        let isNegative = byte(UInt8(ascii: "-"))
        guard let year = number(isNegative ? 3...9 : 4...9), byte(UInt8(ascii: "-")), let month = number(2...2),
            byte(UInt8(ascii: "-")), let day = number(2...2), byte(UInt8(ascii: "T")), let hour = number(2...2),
            byte(UInt8(ascii: ":")), let minute = number(2...2), byte(UInt8(ascii: ":")), let second = number(2...2),
            byte(UInt8(ascii: "Z")), position == range.upperBound
        else { return nil }
        let time = CivilTime(
            year: isNegative ? -year : year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        return time.secondsSince2001.map(Double.init)
    }
}
