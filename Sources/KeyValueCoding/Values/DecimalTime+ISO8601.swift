extension DecimalTime {
    /// The time as `2015-08-23T05:33:20.25Z`.
    var iso8601: String {
        let second = seconds.flooringRemainder(86_400)
        let date = CivilDate(daysSince1970: seconds.flooringQuotient(86_400))
        var text: [UInt8] = []
        text.reserveCapacity(24 + fraction.count)
        if date.year < 0 || date.year > 9_999 { text.append(UInt8(ascii: date.year < 0 ? "-" : "+")) }
        Self.append(date.year.magnitude, digits: 4, to: &text)
        let fields: [(Unicode.Scalar, Int64)] = [
            ("-", date.month), ("-", date.day), ("T", second / 3_600), (":", second / 60 % 60), (":", second % 60),
        ]
        for (separator, field) in fields {
            text.append(UInt8(ascii: separator))
            Self.append(field.magnitude, digits: 2, to: &text)
        }
        if !fraction.isEmpty {
            text.append(UInt8(ascii: "."))
            text.append(contentsOf: fraction)
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a number with at least so many digits.
    private static func append(_ number: UInt64, digits: Int, to text: inout [UInt8]) {
        if number > 9 || digits > 1 { append(number / 10, digits: digits - 1, to: &text) }
        text.append(0x30 + UInt8(number % 10))
    }

    /// Reads what ``Timestamp/parse(_:)`` documents.
    init?(iso8601 text: Span<UInt8>) {
        var index = 0
        guard let days = Self.readDay(text, &index) else { return nil }
        guard index < text.count else {
            self.init(unixSeconds: days * 86_400)
            return
        }
        guard text[index] | 0x20 == UInt8(ascii: "t") || text[index] == UInt8(ascii: " ") else { return nil }
        index += 1
        guard let hour = Self.readNumber(text, &index, below: 24), Self.skip(":", text, &index),
            let minute = Self.readNumber(text, &index, below: 60)
        else { return nil }
        var second: Int64 = 0
        var digits: [UInt8] = []
        if Self.skip(":", text, &index) {
            guard let read = Self.readNumber(text, &index, below: 60) else { return nil }
            second = read
            if Self.skip(".", text, &index) || Self.skip(",", text, &index) {
                guard let read = Self.readFraction(text, &index) else { return nil }
                digits = read
            }
        }
        guard let offset = Self.readOffset(text, &index), index == text.count else { return nil }
        self.init(unixSeconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset)
        fraction = digits
    }

    private static func skip(_ character: Unicode.Scalar, _ text: Span<UInt8>, _ index: inout Int) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads digits, as many as there are up to `most`; nil if they are fewer than `least`.
    private static func readDigits(
        _ text: Span<UInt8>,
        _ index: inout Int,
        _ least: Int,
        _ most: Int
    ) -> Int64? {
        var number: Int64 = 0
        var count = 0
        while index < text.count, count < most, text[index] &- 0x30 < 10 {
            number = number * 10 + Int64(text[index] &- 0x30)
            index += 1
            count += 1
        }
        return count >= least ? number : nil
    }

    /// Reads two digits.
    private static func readNumber(_ text: Span<UInt8>, _ index: inout Int, below limit: Int64) -> Int64? {
        guard let number = readDigits(text, &index, 2, 2), number < limit else { return nil }
        return number
    }

    /// Reads a day as the days since 1970. A year has 4 digits, or a sign and 4 to 11 of them.
    private static func readDay(_ text: Span<UInt8>, _ index: inout Int) -> Int64? {
        let isNegative = skip("-", text, &index)
        let hasSign = isNegative || skip("+", text, &index)
        guard let year = readDigits(text, &index, 4, hasSign ? 11 : 4), skip("-", text, &index),
            let month = readDigits(text, &index, 2, 2), skip("-", text, &index),
            let day = readDigits(text, &index, 2, 2)
        else { return nil }
        return CivilDate(year: isNegative ? -year : year, month: month, day: day)?.daysSince1970
    }

    private static func readFraction(_ text: Span<UInt8>, _ index: inout Int) -> [UInt8]? {
        var digits: [UInt8] = []
        while index < text.count, text[index] &- 0x30 < 10 {
            digits.append(text[index])
            index += 1
        }
        guard !digits.isEmpty else { return nil }
        digits.removeSubrange((digits.lastIndex { $0 != 0x30 } ?? -1).advanced(by: 1)...)
        return digits
    }

    /// Reads `Z`, `+08:00` or `+0800` as seconds east of UTC.
    private static func readOffset(_ text: Span<UInt8>, _ index: inout Int) -> Int64? {
        if skip("Z", text, &index) || skip("z", text, &index) { return 0 }
        let isWest = skip("-", text, &index)
        guard isWest || skip("+", text, &index), let hours = readNumber(text, &index, below: 24) else { return nil }
        _ = skip(":", text, &index)
        guard let minutes = readNumber(text, &index, below: 60) else { return nil }
        let offset = hours * 3_600 + minutes * 60
        return isWest ? -offset : offset
    }
}
