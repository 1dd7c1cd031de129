/// What the command line asks for.
struct Arguments {
    var names: [String] = []
    var isJSON = false
    var lists = false
    var helps = false
    var settings = Settings()
    /// Whether instructions are counted; nil for where that is possible and the whole work is done.
    var countsInstructions: Bool?
    /// The file for the chart.
    var chart: String?

    /// The folder to import, to see how much memory that takes.
    var importedFolder: String?

    /// The option by which this program runs itself under valgrind.
    static let counting = "--count-instructions"
    /// The option by which it runs itself to do nothing but import a folder.
    static let importing = "--import"

    /// Why a command line is not understood.
    struct UsageError: Error { let reason: String }

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--list": lists = true
            case "--quick": settings.isQuick = true
            case "--instructions": countsInstructions = true
            case "--no-instructions": countsInstructions = false
            case "--help", "-h": helps = true
            case Self.counting: settings.counted = rest.popFirst().flatMap(Side.init)
            case Self.importing: importedFolder = rest.popFirst()
            case "--rounds":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw UsageError(reason: "'--rounds' needs a number from 1 on")
                }
                settings.rounds = number
            case "--chart":
                guard let path = rest.popFirst() else { throw UsageError(reason: "'--chart' needs a file") }
                chart = path
            case _ where argument.hasPrefix("--rounds=") || argument.hasPrefix("--chart="):
                rest =
                    argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                    + rest
            case _ where argument.hasPrefix("-"):
                throw UsageError(reason: "there is no option '\(argument)'")
            default:
                names.append(argument)
            }
        }
    }

    /// Whether the result of a benchmark is wanted.
    func asksFor(_ result: String, of benchmark: Benchmark) -> Bool {
        names.isEmpty || names.contains(result) || names.contains(benchmark.name)
    }

    static let help = """
        Measures the library against baselines that do the same work in the same run.

        Usage: benchmarks [OPTIONS] [NAME...]

        Without a name all benchmarks are run. Most figures are rates, and a ratio is how many times as fast ours is: above 1
        ours is faster than the baseline. The results of both are compared; if they differ, the benchmark fails.

        Options:
          --json             Give one JSON document on standard output.
          --chart FILE.svg   Draw the ratios, too.
          --list             List the benchmarks.
          --rounds N         Measure N times and take the medians; by default 3 to 15 times, by benchmark.
          --quick            Do a hundredth of the work, to see that everything runs. The figures mean little.
          --instructions     Count instructions, too, under valgrind; by default that is done where there is one, unless
                             the work is quick.
          --no-instructions  Do not count instructions.
          -h, --help         Show this help.

        The exit status is 0, 1 if a benchmark failed, 64 for wrong usage. A target that is missed is no failure.
        """
}
