extension JSONParser {
    /// Reads a number: an integer if it is written as one, else a real if a `Double` stands for exactly this number.
    mutating func parseNumber(_ text: Span<UInt8>) throws(JSONError) -> Value {
        let start = index
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        try skipDigits(text, "a digit")
        guard index == firstDigit + 1 || text[firstDigit] != UInt8(ascii: "0") else {
            throw JSONError(.badNumber, at: firstDigit, in: text, "a number may not begin with a zero and go on")
        }
        var isInteger = true
        if peek(text) == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            try skipDigits(text, "a digit behind the point")
        }
        let mantissaEnd = index
        if let byte = peek(text), byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            index += 1
            if peek(text) == UInt8(ascii: "-") || peek(text) == UInt8(ascii: "+") { index += 1 }
            try skipDigits(text, "a digit of the exponent")
        }
        let literal = text.extracting(start..<index)
        if isInteger { return Self.integer(literal, isNegative: isNegative) }
        return Self.real(literal, mantissa: mantissaEnd - firstDigit)
    }

    private mutating func skipDigits(_ text: Span<UInt8>, _ expected: String) throws(JSONError) {
        let start = index
        while index < text.count, text[index] &- 0x30 < 10 { index += 1 }
        guard index > start else { throw unexpected(text, expected, .badNumber) }
    }

    private static func integer(_ literal: Span<UInt8>, isNegative: Bool) -> Value {
        switch IntegerText.parse(literal) {
        // An integer has no negative zero; a real keeps the sign.
        case .value(0) where isNegative: .real(-0.0)
        case .value(let integer): Value(integer)
        case .outOfRange, .notAnInteger: .decimal(string(literal))
        }
    }

    /// - Parameter mantissa: the length of the digits and the point.
    private static func real(_ literal: Span<UInt8>, mantissa: Int) -> Value {
        let string = string(literal)
        guard let nearest = Double(string) else { return .decimal(string) }
        // A decimal of up to 15 digits is told from all others by its Double, away from the ends of Double's range.
        // (-5 for a sign, "e" and three digits with a sign.)
        if mantissa <= 16, literal.count - mantissa <= 5, (1e-90...1e90).contains(nearest.magnitude) {
            return .real(nearest)
        }
        guard let number = DecimalNumber(literal), number == DecimalNumber(shortest: nearest) else {
            return .decimal(string)
        }
        return .real(nearest)
    }

    private static func string(_ ascii: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ascii.count)
        for index in ascii.indices { bytes.append(ascii[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What a number's text is read as; nil if it is none.
    static func number(_ literal: String) -> Value? {
        var parser = JSONParser(dialect: .plain, limits: JSONLimits(bytes: .max))
        guard let value = try? parser.parse(literal.utf8.span) else { return nil }
        switch value {
        case .integer, .wideInteger, .real, .decimal: return value
        default: return nil
        }
    }
}
