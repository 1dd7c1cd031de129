/// A measurement that can be asked for by its name.
struct Benchmark: Sendable {
    /// The name on the command line and in the results.
    let name: String
    /// What is measured, in a line.
    let summary: String
    /// Measures.
    let measure: @Sendable (Settings) async throws -> Figures

    init(_ name: String, _ summary: String, measure: @escaping @Sendable (Settings) async throws -> Figures) {
        self.name = name
        self.summary = summary
        self.measure = measure
    }
}

/// How much is measured.
struct Settings: Sendable {
    /// How often; nil for as often as each benchmark needs.
    var rounds: Int?
    /// Whether the least amount of work will do: to see that everything runs, not how fast.
    var isQuick = false

    /// The number of rounds, of a benchmark that needs `usual` for a steady figure.
    func rounds(usual: Int) -> Int { rounds ?? (isQuick ? 2 : usual) }

    /// The amount of work, of a benchmark that is for `full` pieces of it.
    func amount(_ full: Int) -> Int { isQuick ? max(1, full / 100) : full }
}

/// What was measured.
struct Figures: Sendable {
    /// What the figures count.
    var unit: String
    /// The library's figure.
    var ours: Double
    /// The baseline's figure; 0 where there is none.
    var baseline: Double
    /// What the baseline is.
    var baselineName: String
    /// How many times as fast ours is; nil without a baseline.
    var ratio: Double?
}

/// Why a benchmark gave no figures.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Fails the benchmark unless `condition` holds.
func check(_ condition: Bool, _ reason: @autoclosure () -> String) throws(BenchmarkError) {
    if !condition { throw BenchmarkError(reason()) }
}
