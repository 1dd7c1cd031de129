/// Ours and a baseline doing the same work in the same run.
struct Comparison {
    /// One of the two: it does a part of the work and gives a digest of all that came out of it.
    typealias Contestant = (_ part: Range<Int>) async throws -> UInt64

    /// What is counted, as `archives/s`.
    var unit: String
    /// How many pieces of work there are.
    var count: Int
    /// How many of them the baseline does in a round, of which ours does all; the rounds take them in turn. Slow baselines
    /// get fewer than all.
    var perRound: Int
    /// How many operations a piece of work is.
    var operationsPerPiece = 1.0
    /// What the baseline is.
    var baselineName: String
    var ours: Contestant
    var baseline: Contestant

    /// Runs both, in rounds, of which every other one begins with the baseline.
    ///
    /// The ratio is taken within each round, since the machine may be slower in the next; all figures are medians.
    ///
    /// - Throws: An error if the digests of the two differ.
    func run(rounds: Int) async throws -> Figures {
        let parts = stride(from: 0, to: count, by: perRound).map { $0..<min($0 + perRound, count) }
        guard let first = parts.first else { throw BenchmarkError("there is nothing to measure") }
        // Both are warm before anything counts.
        _ = try await time(ours, parts)
        _ = try await time(baseline, [first])
        var rates: [(ours: Double, baseline: Double)] = []
        for round in 0..<max(rounds, 1) {
            let number = round % parts.count
            let (mine, theirs): (Timing, Timing)
            if round % 2 == 0 {
                mine = try await time(ours, parts)
                theirs = try await time(baseline, [parts[number]])
            } else {
                theirs = try await time(baseline, [parts[number]])
                mine = try await time(ours, parts)
            }
            try check(mine.digests[number] == theirs.digests[0], "ours and \(baselineName) came to different results")
            rates.append((mine.rate * operationsPerPiece, theirs.rate * operationsPerPiece))
        }
        return Figures(
            unit: unit,
            ours: median(rates.map(\.ours)),
            baseline: median(rates.map(\.baseline)),
            baselineName: baselineName,
            ratio: median(rates.map { $0.ours / $0.baseline })
        )
    }

    private struct Timing {
        var rate: Double
        var digests: [UInt64]
    }

    private func time(_ contestant: Contestant, _ parts: [Range<Int>]) async throws -> Timing {
        let clock = ContinuousClock()
        let start = clock.now
        var digests: [UInt64] = []
        for part in parts { digests.append(try await contestant(part)) }
        let seconds = (clock.now - start) / .seconds(1)
        return Timing(rate: Double(parts.reduce(0) { $0 + $1.count }) / seconds, digests: digests)
    }
}

/// The value in the middle; of two, their mean.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
