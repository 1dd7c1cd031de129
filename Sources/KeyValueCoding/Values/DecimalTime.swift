internal import FoundationEssentials

/// A point in time as whole seconds and the decimal digits of the fraction, so that nothing is lost between a
/// `Date` and its text.
@usableFromInline
struct DecimalTime: Equatable {
    /// The seconds from 1970-01-01 to 2001-01-01, from which `Date` counts.
    @inlinable static var referenceOffset: Int64 { 978_307_200 }

    /// Whole seconds since 1970, rounded down.
    var seconds: Int64
    /// The digits behind the point in ASCII, without zeros at the end; always counted forwards in time.
    var fraction: [UInt8] = []

    init(unixSeconds: Int64) {
        seconds = unixSeconds
    }

    /// The time of a date; nil for what is not finite, or beyond ±10^18 seconds.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        // Most times are whole seconds.
        if interval.magnitude < 1e15, let whole = Int64(exactly: interval) {
            seconds = whole + Self.referenceOffset
            return
        }
        guard let number = DecimalNumber(shortest: interval), interval.magnitude <= 1e18 else { return nil }
        let wholeDigits = max(number.digits.count + min(number.exponent, 0), 0)
        // At most 19 digits, so that nothing here can overflow.
        var whole: Int128 = 0
        for digit in number.digits.prefix(wholeDigits) { whole = whole * 10 + Int128(digit &- 0x30) }
        for _ in 0..<max(number.exponent, 0) { whole *= 10 }
        // Zeros between the point and the first digit, as in 0.0025.
        let zeros = max(-number.exponent - number.digits.count, 0)
        fraction = [UInt8](repeating: 0x30, count: zeros) + number.digits.dropFirst(wholeDigits)
        if number.isNegative { Self.negate(&whole, &fraction) }
        seconds = Int64(clamping: whole + Int128(Self.referenceOffset))
    }

    /// The date; exact where the time came from a date.
    var date: Date {
        var whole = Int128(seconds) - Int128(Self.referenceOffset)
        var digits = fraction
        if fraction.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
        let isNegative = whole < 0
        if isNegative { Self.negate(&whole, &digits) }
        let literal = "\(isNegative ? "-" : "")\(whole).\(String(decoding: digits, as: UTF8.self))"
        // A text of this form is always a number; its nearest Double is what Date can hold.
        return Date(timeIntervalSinceReferenceDate: Double(literal) ?? .nan)
    }

    /// From "whole + fraction" to the same with the other sign, the fraction still counting forwards.
    private static func negate(_ whole: inout Int128, _ fraction: inout [UInt8]) {
        whole = -whole
        guard let last = fraction.indices.last else { return }
        whole -= 1
        // Ten's complement: 0.25 becomes 0.75. The last digit is not zero, so that nothing is carried on.
        for index in fraction.indices {
            fraction[index] = (index == last ? 0x3A : 0x39) &- (fraction[index] &- 0x30)
        }
    }
}
