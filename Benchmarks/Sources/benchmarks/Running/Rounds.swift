import CInstruments

/// Ours and a baseline taking turns, round by round.
///
/// The ratio is taken within each round, since the machine may be slower in the next; all figures are medians.
struct Rounds {
    /// One of the two: it does its work, timed by the stopwatch of its turn.
    typealias Contestant = (_ turn: Turn) async throws -> Measurement

    /// What is counted, as `archives/s`: a unit for each of the measurements' operations.
    var units: [String]
    /// What the baseline is.
    var baselineName: String
    var ours: Contestant
    var baseline: Contestant

    /// One of the turns of a contestant.
    struct Turn {
        /// The round, from 0 on; the first one, before anything counts, is a round 0 too.
        var round: Int
        var stopwatch = Stopwatch()
    }

    /// Runs both, each of which begins every other round, after a turn that does not count.
    ///
    /// - Returns: Figures for each of the units.
    /// - Throws: An error if the digests of the two differ.
    func run(_ settings: Settings, usually rounds: Int) async throws -> [Figures] {
        if let counted = settings.counted { return try await count(counted == .ours ? ours : baseline) }
        _ = try await ours(Turn(round: 0))
        _ = try await baseline(Turn(round: 0))
        var measured: [(ours: Measurement, baseline: Measurement)] = []
        for round in 0..<settings.rounds(usual: rounds) {
            let turn = Turn(round: round)
            let (mine, theirs): (Measurement, Measurement)
            if round % 2 == 0 {
                mine = try await ours(turn)
                theirs = try await baseline(turn)
            } else {
                theirs = try await baseline(turn)
                mine = try await ours(turn)
            }
            try check(mine.digest == theirs.digest, "ours and \(baselineName) came to different results")
            measured.append((mine, theirs))
        }
        return units.enumerated().map { index, unit in
            let rates = measured.map { (ours: $0.ours.rate(index), baseline: $0.baseline.rate(index)) }
            return Figures(
                unit: unit,
                ours: median(rates.map(\.ours)),
                baseline: median(rates.map(\.baseline)),
                baselineName: baselineName,
                ratio: median(rates.map { $0.ours / $0.baseline })
            )
        }
    }

    /// Has callgrind count the instructions of one of the two; the figures are the operations that they were for.
    private func count(_ contestant: Contestant) async throws -> [Figures] {
        _ = try await contestant(Turn(round: 0))
        let counted = try await contestant(Turn(round: 0, stopwatch: Stopwatch(countsInstructions: true)))
        return zip(units, counted.operations).map { unit, operations in
            Figures(unit: unit, ours: operations, baseline: 0, baselineName: baselineName)
        }
    }
}

/// What was done in how much time, and what came of it.
struct Measurement {
    /// How many operations, of each kind.
    var operations: [Double]
    var time: Duration
    /// Made of all that came out: the same for all that do the same work.
    var digest: UInt64

    /// Operations of a kind, a second.
    func rate(_ kind: Int) -> Double { operations[kind] / (time / .seconds(1)) }
}

/// Times the part of a turn that counts.
struct Stopwatch {
    /// Whether callgrind counts its instructions, if the process runs under it.
    var countsInstructions = false

    /// Runs a closure and says how long that took.
    func time<Output>(_ body: () async throws -> Output) async rethrows -> (output: Output, time: Duration) {
        if countsInstructions { cinstruments_start_counting() }
        defer { if countsInstructions { cinstruments_stop_counting() } }
        let clock = ContinuousClock()
        let start = clock.now
        let output = try await body()
        return (output, clock.now - start)
    }
}

/// The value in the middle; of two, their mean.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
