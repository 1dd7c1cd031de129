/// What the command line asks for.
struct Arguments {
    var names: [String] = []
    var isJSON = false
    var lists = false
    var helps = false
    var settings = Settings()

    /// Why a command line is not understood.
    struct UsageError: Error { let reason: String }

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--list": lists = true
            case "--quick": settings.isQuick = true
            case "--help", "-h": helps = true
            case "--rounds":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw UsageError(reason: "'--rounds' needs a number from 1 on")
                }
                settings.rounds = number
            case _ where argument.hasPrefix("--rounds="):
                rest = [String("--rounds"), String(argument.dropFirst("--rounds=".count))] + rest
            case _ where argument.hasPrefix("-"):
                throw UsageError(reason: "there is no option '\(argument)'")
            default:
                names.append(argument)
            }
        }
    }

    static let help = """
        Measures the library against baselines that do the same work in the same run.

        Usage: benchmarks [OPTIONS] [NAME...]

        Without a name all benchmarks are run. Figures are rates, and a ratio is how many times as fast ours is: above 1
        ours is faster than the baseline. The results of both are compared; if they differ, the benchmark fails.

        Options:
          --json       Give one JSON document on standard output.
          --list       List the benchmarks.
          --rounds N   Measure N times and take the medians; by default 5 to 21 times, by benchmark.
          --quick      Do a hundredth of the work, to see that everything runs. The figures mean little.
          -h, --help   Show this help.

        The exit status is 0, 1 if a benchmark failed, 64 for wrong usage.
        """
}
