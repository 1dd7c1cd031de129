/// A decimal number, exactly: a sign, significant digits and a power of ten.
///
/// Two equal numbers are equal here however they were written (`1e2`, `100`, `100.0`), unless an exponent
/// lies beyond ±2^40, where it is cut off.
@usableFromInline
struct DecimalNumber: Equatable {
    @usableFromInline
    var isNegative = false
    /// ASCII digits with no zero at either end; empty for zero.
    var digits: [UInt8] = []
    /// The power of ten by which ``digits``, read as an integer, is multiplied; 0 for zero.
    var exponent = 0

    /// A decimal number as an integer.
    @usableFromInline
    enum IntegerOutcome: Equatable {
        case exact(Int128)
        case notIntegral
        case outOfRange
    }

    /// Reads `[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?`; nil for anything else.
    init?(_ text: Span<UInt8>) {
        var index = 0
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index += 1
        }
        var fractionDigits = 0
        guard readDigits(text, from: &index) > 0 else { return nil }
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            fractionDigits = readDigits(text, from: &index)
            guard fractionDigits > 0 else { return nil }
        }
        var power = 0
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            guard let read = Self.readExponent(text, from: &index) else { return nil }
            power = read
        }
        guard index == text.count else { return nil }
        normalize(power: power - fractionDigits)
    }

    /// Reads the text of a number.
    @usableFromInline
    init?(_ text: String) {
        self.init(text.utf8.span)
    }

    /// The number that a finite `Double`'s shortest description denotes.
    init?(shortest real: Double) {
        guard real.isFinite else { return nil }
        self.init(real.description)
    }

    /// Appends the digits at `index` and moves it behind them; gives how many they are.
    private mutating func readDigits(_ text: Span<UInt8>, from index: inout Int) -> Int {
        let start = index
        while index < text.count, text[index] &- 0x30 < 10 {
            digits.append(text[index])
            index += 1
        }
        return index - start
    }

    private static func readExponent(_ text: Span<UInt8>, from index: inout Int) -> Int? {
        var isNegative = false
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index += 1
        }
        let start = index
        var magnitude = 0
        while index < text.count, text[index] &- 0x30 < 10 {
            // Far beyond what any number type reaches, and far from overflow when digits are counted in.
            magnitude = min(magnitude * 10 + Int(text[index] &- 0x30), 1 << 40)
            index += 1
        }
        guard index > start else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func normalize(power: Int) {
        let end = digits.lastIndex { $0 != 0x30 }.map { $0 + 1 } ?? 0
        exponent = end == 0 ? 0 : power + (digits.count - end)
        digits.removeSubrange(end...)
        let start = digits.firstIndex { $0 != 0x30 } ?? 0
        digits.removeSubrange(..<start)
    }

    /// The number as an integer of up to 128 bits, in time that the exponent does not govern.
    @usableFromInline
    var integer: IntegerOutcome {
        guard !digits.isEmpty else { return .exact(0) }
        guard exponent >= 0 else { return .notIntegral }
        // Int128 has 39 digits.
        guard digits.count + exponent <= 39 else { return .outOfRange }
        return accumulate(digits, zeros: exponent).map(IntegerOutcome.exact) ?? .outOfRange
    }

    /// The integer part, cut towards zero; nil if it exceeds 128 bits.
    @usableFromInline
    var truncated: Int128? {
        guard digits.count + exponent > 0 else { return 0 }
        guard digits.count + exponent <= 39 else { return nil }
        return accumulate(digits.prefix(digits.count + min(exponent, 0)), zeros: max(exponent, 0))
    }

    private func accumulate(_ digits: some Sequence<UInt8>, zeros: Int) -> Int128? {
        var total: Int128 = 0
        func append(_ digit: UInt8) -> Bool { IntegerText.append(digit, to: &total, isNegative: isNegative) }
        for digit in digits where !append(digit &- 0x30) { return nil }
        for _ in 0..<zeros where !append(0) { return nil }
        return total
    }
}
