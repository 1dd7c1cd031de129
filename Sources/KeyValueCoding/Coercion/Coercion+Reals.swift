extension Coercion {
    /// A value of any kind as a floating-point number.
    ///
    /// - Throws: as ``CoercionPolicy`` says.
    public static func real(from value: Value, policy: CoercionPolicy = .strict) throws(CoercionError) -> Double {
        switch value {
        case .real(let real): return real
        case .integer(let narrow): return try real(from: Int128(narrow), policy: policy)
        case .wideInteger(let wide): return try real(from: wide, policy: policy)
        case .decimal(let literal):
            guard let number = DecimalNumber(literal) else { throw notANumber }
            return try real(from: number, literal: literal, policy: policy)
        case .text(let text):
            if let number = DecimalNumber(text) { return try real(from: number, literal: text, policy: policy) }
            guard policy == .objectiveC else { throw notANumber }
            return leadingReal(text)
        case .bool(let bool) where policy == .objectiveC: return bool ? 1 : 0
        case .null: throw CoercionError(.nullValue, expected: "a number")
        case .bool, .date, .data, .array, .dictionary, .pairs, .object, .reference: throw notANumber
        }
    }

    private static var notANumber: CoercionError {
        CoercionError(.typeMismatch, expected: "a number, or text that is one")
    }

    private static var inexact: CoercionError {
        CoercionError(.outOfRange, expected: "a number that a Double holds")
    }

    private static func real(from integer: Int128, policy: CoercionPolicy) throws(CoercionError) -> Double {
        if let exact = Double(exactly: integer) { return exact }
        guard policy == .objectiveC else { throw inexact }
        return Double(integer)
    }

    private static func real(
        from number: DecimalNumber,
        literal: String,
        policy: CoercionPolicy
    ) throws(CoercionError) -> Double {
        guard let nearest = Double(literal) else { throw notANumber }
        if policy == .objectiveC { return nearest }
        guard nearest.isFinite else { throw inexact }
        switch number.integer {
        case .exact(let wide): return nearest == 0 ? nearest : try real(from: wide, policy: policy)
        case .notIntegral: return nearest
        case .outOfRange:
            guard DecimalNumber(shortest: nearest) == number else { throw inexact }
            return nearest
        }
    }

    /// The number at the start of a text, after white space; 0 if there is none.
    private static func leadingReal(_ text: String) -> Double {
        let bytes = Array(String(text.unicodeScalars.drop { $0.properties.isWhitespace }).utf8)
        var end = 0
        func skipSign(_ index: Int) -> Int {
            index < bytes.count && (bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+"))
                ? index + 1 : index
        }
        func skipDigits(_ index: Int) -> Int {
            bytes[index...].firstIndex { $0 &- 0x30 >= 10 } ?? bytes.count
        }
        let start = skipSign(0)
        end = skipDigits(start)
        var digits = end - start
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let fraction = skipDigits(end + 1)
            digits += fraction - end - 1
            end = fraction
        }
        guard digits > 0 else { return 0 }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            let power = skipSign(end + 1)
            let last = skipDigits(power)
            if last > power { end = last }
        }
        return Double(String(decoding: bytes[..<end], as: UTF8.self)) ?? 0
    }

    /// A value of any kind as a truth value.
    ///
    /// - Throws: as ``CoercionPolicy`` says.
    public static func bool(from value: Value, policy: CoercionPolicy = .strict) throws(CoercionError) -> Bool {
        let mismatch = CoercionError(.typeMismatch, expected: "a bool")
        switch (value, policy) {
        case (.bool(let bool), _): return bool
        case (.null, _): throw CoercionError(.nullValue, expected: "a bool")
        case (.integer(let integer), .objectiveC): return integer != 0
        case (.wideInteger, .objectiveC): return true
        case (.real(let real), .objectiveC): return real != 0
        case (.decimal(let literal), .objectiveC):
            guard let number = DecimalNumber(literal) else { throw mismatch }
            return !number.digits.isEmpty
        case (.text(let text), .objectiveC):
            var scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
            if scalars.first == "-" || scalars.first == "+" { scalars.removeFirst() }
            guard let first = scalars.first(where: { $0 != "0" }) else { return false }
            return "YyTt123456789".unicodeScalars.contains(first)
        default: throw mismatch
        }
    }
}
