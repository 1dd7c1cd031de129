/// Integers as text, in the one spelling that has neither a plus sign nor zeros in front.
enum Digits {
    private static let zero: UInt8 = 0x30
    private static let minus: UInt8 = 0x2D

    /// The integer whose spelling is at a range of the bytes; nil if something else is there.
    static func integer(in bytes: ByteView, _ range: Range<Int>) -> Int64? {
        guard !range.isEmpty else { return nil }
        let isNegative = bytes[range.lowerBound] == minus
        var position = isNegative ? range.lowerBound + 1 : range.lowerBound
        let length = range.upperBound - position
        guard 1...19 ~= length else { return nil }
        if bytes[position] == zero { return length == 1 && !isNegative ? 0 : nil }
        // Nineteen digits are less than 2^64.
        var magnitude: UInt64 = 0
        while position < range.upperBound {
            let digit = bytes[position] &- zero
            guard digit < 10 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            position += 1
        }
        let limit = UInt64(Int64.max) + (isNegative ? 1 : 0)
        guard magnitude <= limit else { return nil }
        return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
    }

    /// How many bytes the spelling of an integer has.
    static func count(of integer: Int64) -> Int {
        var count = integer < 0 ? 2 : 1
        var rest = integer.magnitude
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// Writes the spelling of an integer into just as many bytes.
    static func write(_ integer: Int64, to bytes: UnsafeMutableRawBufferPointer) {
        var rest = integer.magnitude
        for position in (0..<bytes.count).reversed() {
            unsafe bytes[position] = zero + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        if integer < 0 { unsafe bytes[0] = minus }
    }
}
