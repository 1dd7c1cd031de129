public import FoundationEssentials

/// Points in time as ISO 8601 writes them, in UTC and the proleptic Gregorian calendar, without ICU.
///
/// Nothing is rounded: the fraction of a second has as many digits as bring the same `Date` back.
public enum Timestamp {
    /// The time as `2015-08-23T05:33:20.25Z`.
    ///
    /// A year outside 0…9999 is written with a sign (`+12026-…`, `-0044-…`). What no calendar can name, nan, an infinity or a
    /// time beyond ±10¹⁸ seconds, is written as seconds: `inf seconds since 2001`.
    public static func format(_ date: Date) -> String {
        guard let moment = DecimalTime(date) else {
            return "\(date.timeIntervalSinceReferenceDate) seconds since 2001"
        }
        return moment.iso8601
    }

    /// The time as `2015-08-23T05:33:20Z`, of any whole number of seconds since 1970.
    public static func format(unixSeconds: Int64) -> String {
        DecimalTime(unixSeconds: unixSeconds).iso8601
    }

    /// Reads a day (`2026-01-02`, its start in UTC) or a time with its offset (`2026-01-02T03:04:05.25+08:00`).
    ///
    /// The seconds may be missing; `T` and `Z` may be in lower case, and `T` a space. A year outside 0…9999 has a sign. Nil for anything
    /// else, for a day, hour, minute or offset that does not exist, and for a time without an offset, which names no point in time.
    public static func parse(_ text: String) -> Date? {
        DecimalTime(iso8601: text.utf8.span)?.date
    }

    /// The year and the month, from 1 to 12, of a number of seconds since 1970.
    public static func month(unixSeconds: Int64) -> (year: Int64, month: Int) {
        let day = CivilDate(daysSince1970: unixSeconds.flooringQuotient(86_400))
        return (day.year, Int(day.month))
    }

    /// The whole seconds since 1970, rounded down; the nearest limit for a time beyond `Int64`; nil for nan.
    public static func unixSeconds(_ date: Date) -> Int64? {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        guard !seconds.isNaN else { return nil }
        guard let whole = Int64(exactly: seconds) else { return seconds < 0 ? .min : .max }
        let (sum, overflow) = whole.addingReportingOverflow(DecimalTime.referenceOffset)
        return overflow ? .max : sum
    }

    /// The date of a number of seconds since 1970; exact up to 2^53.
    @inlinable
    public static func date(unixSeconds: Int64) -> Date {
        let (seconds, overflow) = unixSeconds.subtractingReportingOverflow(DecimalTime.referenceOffset)
        if !overflow { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        return Date(timeIntervalSinceReferenceDate: Double(Int128(unixSeconds) - Int128(DecimalTime.referenceOffset)))
    }
}
