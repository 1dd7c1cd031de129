/// Ours and a baseline doing the same pieces of work, of which all are there before anything is timed.
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

    /// Runs both; see ``Rounds``.
    func run(_ settings: Settings, usually rounds: Int) async throws -> [Figures] {
        let parts = stride(from: 0, to: count, by: perRound).map { $0..<min($0 + perRound, count) }
        guard !parts.isEmpty else { throw BenchmarkError("there is nothing to measure") }
        return try await Rounds(
            units: [unit],
            baselineName: baselineName,
            ours: { turn in
                var result = try await measure(ours, parts, turn)
                result.measurement.digest = result.digests[turn.round % parts.count]
                return result.measurement
            },
            baseline: { turn in try await measure(baseline, [parts[turn.round % parts.count]], turn).measurement }
        ).run(settings, usually: rounds)
    }

    private func measure(
        _ contestant: Contestant,
        _ parts: [Range<Int>],
        _ turn: Rounds.Turn
    ) async throws -> (measurement: Measurement, digests: [UInt64]) {
        let (digests, time) = try await turn.stopwatch.time {
            var digests: [UInt64] = []
            for part in parts { digests.append(try await contestant(part)) }
            return digests
        }
        let pieces = parts.reduce(0) { $0 + $1.count }
        let measurement = Measurement(
            operations: [Double(pieces) * operationsPerPiece],
            time: time,
            digest: digests.reduce(0, &+)
        )
        return (measurement, digests)
    }
}
