/// Integers that are written as text.
@usableFromInline
enum IntegerText {
    /// What a text turned out to be.
    @usableFromInline
    enum Outcome: Equatable {
        case value(Int128)
        case outOfRange
        case notAnInteger
    }

    /// Reads a text that is, as a whole, `[+-]?[0-9]+`.
    @usableFromInline
    static func parse(_ text: Span<UInt8>) -> Outcome {
        var index = 0
        var isNegative = false
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index += 1
        }
        guard index < text.count else { return .notAnInteger }
        // 18 digits always fit in 64 bits, whose arithmetic is several times as fast.
        let short = min(text.count, index + 18)
        var narrow: Int64 = 0
        while index < short {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return .notAnInteger }
            narrow = narrow &* 10 &+ Int64(digit)
            index += 1
        }
        var total = isNegative ? -Int128(narrow) : Int128(narrow)
        var overflows = false
        while index < text.count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return .notAnInteger }
            overflows = !append(digit, to: &total, isNegative: isNegative) || overflows
            index += 1
        }
        return overflows ? .outOfRange : .value(total)
    }

    /// Reads as `-[NSString longLongValue]` does: white space, a sign, digits; saturates to 128 bits; 0 if there are none.
    @usableFromInline
    static func scan(_ text: String) -> Int128 {
        var scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        var isNegative = false
        if let sign = scalars.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            scalars.removeFirst()
        }
        var total: Int128 = 0
        for scalar in scalars {
            guard let digit = UInt8(exactly: scalar.value).map({ $0 &- 0x30 }), digit < 10 else { break }
            guard append(digit, to: &total, isNegative: isNegative) else { return isNegative ? .min : .max }
        }
        return total
    }

    /// Adds a decimal digit at the end; false, and nothing meaningful in `total`, if that overflows.
    static func append(_ digit: UInt8, to total: inout Int128, isNegative: Bool) -> Bool {
        let (scaled, overflow) = total.multipliedReportingOverflow(by: 10)
        let (sum, carry) =
            isNegative
            ? scaled.subtractingReportingOverflow(Int128(digit)) : scaled.addingReportingOverflow(Int128(digit))
        total = sum
        return !overflow && !carry
    }
}
