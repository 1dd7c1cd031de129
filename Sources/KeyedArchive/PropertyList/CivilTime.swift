/// A date and time of day in UTC, by the Gregorian calendar without a beginning.
struct CivilTime: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// The days from 0000-03-01 to 2001-01-01.
    private static let daysTo2001 = 730_791
    private static let daysOfEra = 146_097

    /// The time `seconds` after 2001-01-01 00:00; before it if negative. For seconds within ±10^15.
    init(secondsSince2001 seconds: Int) {
        var days = seconds / 86400
        var rest = seconds % 86400
        if rest < 0 {
            rest += 86400
            days -= 1
        }
        // Years are counted from March, so that a leap day is the last of its year.
        days += Self.daysTo2001
        var era = days / Self.daysOfEra
        var dayOfEra = days % Self.daysOfEra
        if dayOfEra < 0 {
            dayOfEra += Self.daysOfEra
            era -= 1
        }
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// A time of these parts, which need not be one.
    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The seconds from 2001-01-01 00:00; nil if a part is out of its range. For years within ±10^9.
    var secondsSince2001: Int? {
        guard abs(year) <= 1_000_000_000, 1...12 ~= month, 1...daysInMonth ~= day, 0..<24 ~= hour, 0..<60 ~= minute,
            0..<60 ~= second
        else { return nil }
        let fromMarch = month > 2 ? year : year - 1
        let era = (fromMarch >= 0 ? fromMarch : fromMarch - 399) / 400
        let yearOfEra = fromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * Self.daysOfEra + dayOfEra - Self.daysTo2001
        return days * 86400 + hour * 3600 + minute * 60 + second
    }

    private var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
