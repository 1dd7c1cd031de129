import Foundation

/// One run of benchmarks, whose results are shown as they come.
struct BenchmarkRun {
    private let arguments: Arguments
    private var report = Report()

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// Runs benchmarks; false if one failed.
    mutating func run(_ benchmarks: [Benchmark]) async -> Bool {
        #if DEBUG
            Benchmarks.say("benchmarks: a debug build; build with '-c release' for figures that mean something")
        #endif
        showInTable(Report.header)
        var succeeded = true
        for benchmark in benchmarks {
            do {
                try await run(benchmark)
            } catch {
                Benchmarks.say("benchmarks: \(benchmark.name): \(error)")
                succeeded = false
            }
        }
        if arguments.isJSON { print(report.json()) }
        return drawChart() && succeeded
    }

    private mutating func run(_ benchmark: Benchmark) async throws {
        var figures = try await benchmark.measure(arguments.settings)
        figures[0].instructions = try await instructions(of: benchmark, figures)
        for (name, figures) in zip(benchmark.results, figures) {
            let result = Report.Result(name: name.name, target: name.target, figures: figures)
            guard arguments.asksFor(result.name, of: benchmark) else { continue }
            report.add(result)
            showInTable(Report.line(result, judges: !arguments.settings.isQuick))
        }
    }

    /// Shows a line of the table at once, also where the output is a file.
    private func showInTable(_ line: String) {
        if arguments.isJSON { return }
        print(line)
        fflush(nil)
    }

    /// Instructions of a benchmark that counts operations of one kind against a baseline.
    private func instructions(
        of benchmark: Benchmark,
        _ figures: [Figures]
    ) async throws -> (ours: Double, baseline: Double)? {
        guard arguments.countsInstructions ?? !arguments.settings.isQuick else { return nil }
        guard figures.count == 1, figures[0].ratio != nil else { return nil }
        do {
            return try await StoreFolder.with { try InstructionCounter(in: $0).count(benchmark) }
        } catch {
            // Without valgrind there are no such figures, which is a failure only if they were asked for.
            if arguments.countsInstructions == true { throw error }
            return nil
        }
    }

    private func drawChart() -> Bool {
        guard let path = arguments.chart else { return true }
        do {
            try Chart(report.results).svg().write(toFile: path, atomically: true, encoding: .utf8)
            return true
        } catch {
            Benchmarks.say("benchmarks: \(path): \(error)")
            return false
        }
    }
}
