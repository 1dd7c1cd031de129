import AccountStorage

/// Folders of archives into a store, with everything in memory that is read.
let importBenchmarks = [
    Benchmark(
        "import-folder",
        "100,000 files of twenty forms in one folder into an empty store; against C, one thread",
        reach: .atLeast(2)
    ) { settings in
        try await ImportRuns.with(settings) { runs in
            try await Rounds(
                units: ["files/s"],
                baselineName: "C",
                ours: { try await runs.first($0) },
                baseline: { try await runs.firstInC($0) }
            ).run(settings, usually: 5)
        }
    },
    Benchmark(
        "import-folder-again",
        "the same with all of them imported before; against ours of the first time, and against C that skips them, too",
        reach: [("import-folder-again", .atLeast(3)), ("import-folder-again-c", nil)]
    ) { settings in
        try await ImportRuns.with(settings) { runs in
            try await Rounds(
                units: ["files/s"],
                baselineName: "ours, the first time",
                ours: { try await runs.second($0) },
                baseline: { try await runs.first($0) }
            ).run(settings, usually: 5)
                + Rounds(
                    units: ["files/s"],
                    baselineName: "C",
                    ours: { try await runs.second($0) },
                    baseline: { try await runs.secondInC($0) }
                ).run(settings, usually: 5)
        }
    },
    Benchmark(
        "import-folder-foundation",
        "the same into an empty store; against Foundation, which lists, reads and unarchives, and saves nothing",
        reach: .atLeast(12)
    ) { settings in
        try await ImportRuns.with(settings) { runs in
            try await Rounds(
                units: ["files/s"],
                baselineName: "Foundation",
                ours: { turn in
                    var measurement = try await runs.first(turn)
                    // What is in the store is compared by the other benchmarks.
                    measurement.digest = runs.folder.digest
                    return measurement
                },
                baseline: { try await runs.folder.readWithFoundation($0) }
            ).run(settings, usually: 3)
        }
    },
]
