internal import Glibc

/// A moment of the system's monotonic clock, as a number that fits into an atomic.
///
/// The standard library's clocks cannot be asked for the coarse reading, which costs a few nanoseconds.
package struct MonotonicInstant: Sendable, Hashable, Comparable {
    /// Nanoseconds since some moment in the past.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// This moment.
    package static var now: MonotonicInstant { read(CLOCK_MONOTONIC) }

    /// This moment or some milliseconds before it.
    package static var coarse: MonotonicInstant { read(CLOCK_MONOTONIC_COARSE) }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }

    /// How long after another moment this one is; less than zero if it is before it.
    package func since(_ earlier: MonotonicInstant) -> Duration {
        .nanoseconds(nanoseconds.subtractingReportingOverflow(earlier.nanoseconds).partialValue)
    }

    var timespec: timespec {
        Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    private static func read(_ clock: clockid_t) -> MonotonicInstant {
        var time = Glibc.timespec()
        _ = unsafe clock_gettime(clock, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Duration {
    /// The duration in nanoseconds, as far as they reach: some 292 years.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
