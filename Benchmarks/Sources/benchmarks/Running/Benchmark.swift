/// A measurement that can be asked for by its name.
struct Benchmark: Sendable {
    /// The name on the command line.
    let name: String
    /// What is measured, in a line.
    let summary: String
    /// The names of its results, each with what is to be reached: one of the benchmark's own name, or several.
    let results: [(name: String, target: Target?)]
    /// Measures, and gives figures for each of the results.
    let measure: @Sendable (Settings) async throws -> [Figures]

    init(
        _ name: String,
        _ summary: String,
        reach target: Target?,
        measure: @escaping @Sendable (Settings) async throws -> [Figures]
    ) {
        self.init(name, summary, reach: [(name, target)], measure: measure)
    }

    init(
        _ name: String,
        _ summary: String,
        reach results: [(name: String, target: Target?)],
        measure: @escaping @Sendable (Settings) async throws -> [Figures]
    ) {
        self.name = name
        self.summary = summary
        self.results = results
        self.measure = measure
    }

    /// Whether a name on the command line is that of the benchmark or of one of its results.
    func isMeant(by name: String) -> Bool { name == self.name || results.contains { $0.name == name } }
}

/// What is to be reached: by the ratio, or by the library's figure where there is none.
enum Target: Sendable {
    case atLeast(Double)
    case atMost(Double)

    var limit: Double {
        switch self {
        case .atLeast(let limit), .atMost(let limit): limit
        }
    }

    /// Whether figures reach it.
    func isReached(by figures: Figures) -> Bool {
        let value = figures.ratio ?? figures.ours
        return switch self {
        case .atLeast(let limit): value >= limit
        case .atMost(let limit): value <= limit
        }
    }
}

/// How much is measured.
struct Settings: Sendable {
    /// How often; nil for as often as each benchmark needs.
    var rounds: Int?
    /// Whether the least amount of work will do: to see that everything runs, not how fast.
    var isQuick = false
    /// Whose instructions are counted instead; nil where the time is taken.
    var counted: Side?

    /// The number of rounds, of a benchmark that needs `usual` for a steady figure.
    func rounds(usual: Int) -> Int { rounds ?? (isQuick ? 2 : usual) }

    /// The amount of work, of a benchmark that is for `full` pieces of it.
    func amount(_ full: Int) -> Int { max(1, full / (isQuick ? 100 : counted == nil ? 1 : 10)) }
}

/// Who does the work.
enum Side: String, Sendable { case ours, baseline }

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
    /// The library's figure by the baseline's; nil without a baseline.
    var ratio: Double?
    /// How many instructions of the processor an operation takes, where they were counted.
    var instructions: (ours: Double, baseline: Double)?
}

extension Figures {
    /// A number of bytes, which nothing is held against.
    init(bytes: Int) {
        self.init(unit: "bytes", ours: Double(bytes), baseline: 0, baselineName: "none", ratio: nil)
    }
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
