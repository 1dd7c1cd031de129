internal import FoundationEssentials
internal import KeyValueCoding

/// How many accounts end in which month.
public struct ExpiryMonths: Sendable, Hashable {
    /// A month of the Gregorian calendar in UTC.
    public struct Month: Sendable, Hashable, Comparable {
        /// The year, from 1970 to 2199.
        public var year: Int
        /// The month, from 1 to 12.
        public var month: Int

        /// Names a month.
        public init(year: Int, month: Int) {
            self.year = year
            self.month = month
        }

        /// Whether a month is before another.
        public static func < (left: Month, right: Month) -> Bool {
            (left.year, left.month) < (right.year, right.month)
        }
    }

    /// The accounts that end in each month in which some do.
    public private(set) var counts: [Month: Int] = [:]
    /// The accounts that end before 1970.
    public private(set) var earlier = 0
    /// The accounts that end after 2199.
    public private(set) var later = 0
    /// The accounts that are not known to end.
    public private(set) var unknown = 0
    /// The accounts that had ended at ``asOf``.
    public private(set) var ended = 0
    /// The time that is compared with, in Unix seconds: when the count began.
    public let asOf: Int64

    private static let years = 1970...2199

    init(asOf: Int64 = Timestamp.unixSeconds(Date()) ?? 0) {
        self.asOf = asOf
    }

    /// Counts an account that ends at a time, in Unix seconds; nil if that is not known.
    mutating func add(_ end: Int64?) {
        guard let end else {
            unknown += 1
            return
        }
        if end <= asOf { ended += 1 }
        let month = Self.month(of: end)
        if month.year < Self.years.lowerBound {
            earlier += 1
        } else if month.year > Self.years.upperBound {
            later += 1
        } else {
            counts[month, default: 0] += 1
        }
    }

    mutating func add(_ other: ExpiryMonths) {
        counts.merge(other.counts, uniquingKeysWith: +)
        earlier += other.earlier
        later += other.later
        unknown += other.unknown
        ended += other.ended
    }

    private static func month(of seconds: Int64) -> Month {
        let (year, month) = Timestamp.month(unixSeconds: seconds)
        return Month(year: Int(clamping: year), month: month)
    }
}
