/// The mutations of one file, in parts that run side by side.
///
/// The whole is every truncation, every byte inverted, every bit flipped and 100,000 random edits. Without
/// `ACCOUNTS_WHOLE_CHECKS` in the environment it is a part of each, so that a debug build is through with it in seconds.
public struct MutationPlan: Sendable, CustomStringConvertible {
    /// The file, as its test names it.
    public let file: String
    /// Which of the parts this is.
    private let part: Int

    private static let parts = Effort.isWhole ? 10 : 2
    private static let edits = Effort.isWhole ? 100_000 : 600
    /// How many flips and cuts a part of the check leaves some out of.
    private static let systematic = 900

    /// All parts of all files.
    public static func all(of files: [String]) -> [MutationPlan] {
        files.flatMap { file in (0..<parts).map { MutationPlan(file: file, part: $0) } }
    }

    /// The file and the part, for a test's name and a report.
    public var description: String { "\(file), part \(part + 1) of \(Self.parts)" }

    /// Shows what came of the whole check.
    public func report(_ tally: String) {
        if Effort.isWhole { print("\(self): \(tally)") }
    }

    /// Calls a closure with each mutation, and what was done.
    public func forEach(
        of original: [UInt8],
        _ body: (MutatedBytes, @autoclosure () -> String) throws -> Void
    ) rethrows {
        let flips = original.count * 10
        let step = Effort.isWhole ? 1 : max(1, flips / Self.systematic)
        for number in stride(from: part, to: flips, by: Self.parts * step) {
            let (place, kind) = (number / 10, number % 10)
            switch kind {
            case 9: try body(.cut(original, to: place), "cut to \(place) bytes")
            case 8: try body(.flip(original, at: place, mask: 0xFF), "byte \(place) inverted")
            default: try body(.flip(original, at: place, mask: 1 << UInt8(kind)), "bit \(kind) of byte \(place)")
            }
        }
        for number in stride(from: part, to: Self.edits, by: Self.parts) {
            let seed = UInt64(number) &* 0x9E37_79B9 &+ UInt64(original.count)
            try body(.random(original, seed: seed), "random edits of seed \(seed)")
        }
    }
}
