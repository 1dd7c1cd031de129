import Foundation

@main
enum Benchmarks {
    /// All benchmarks, in the order in which they are run.
    static let all =
        accountBenchmarks + graphBenchmarks + memoryBenchmarks + bulkBenchmarks + readBenchmarks + durableBenchmarks

    static func main() async {
        do throws(Arguments.UsageError) {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.helps { return print(Arguments.help) }
            let chosen = try choose(arguments.names)
            if arguments.lists {
                for benchmark in chosen { print(benchmark.name, benchmark.summary, separator: "\t") }
                return
            }
            exit(await run(chosen, arguments) ? 0 : 1)
        } catch {
            say("benchmarks: \(error.reason)\nSee 'benchmarks --help'.")
            exit(64)
        }
    }

    private static func choose(_ names: [String]) throws(Arguments.UsageError) -> [Benchmark] {
        for name in names where !all.contains(where: { $0.name == name }) {
            throw Arguments.UsageError(reason: "there is no benchmark '\(name)'; '--list' shows them")
        }
        return names.isEmpty ? all : all.filter { names.contains($0.name) }
    }

    /// Runs benchmarks and prints what they measure; false if one failed.
    private static func run(_ benchmarks: [Benchmark], _ arguments: Arguments) async -> Bool {
        #if DEBUG
            say("benchmarks: a debug build; build with '-c release' for figures that mean something")
        #endif
        var report = Report()
        var succeeded = true
        if !arguments.isJSON { print(Report.header) }
        for benchmark in benchmarks {
            do {
                let figures = try await benchmark.measure(arguments.settings)
                report.add(figures, for: benchmark.name)
                if !arguments.isJSON { print(Report.line(benchmark.name, figures)) }
            } catch {
                say("benchmarks: \(benchmark.name): \(error)")
                succeeded = false
            }
        }
        if arguments.isJSON { print(report.json()) }
        return succeeded
    }

    private static func say(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
