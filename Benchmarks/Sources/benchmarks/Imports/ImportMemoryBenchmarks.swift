import AccountStorage

/// How much memory a process of its own takes for an import, whatever the number of files.
let importMemoryBenchmarks = [
    Benchmark(
        "memory-import",
        "peak of the resident memory of a process that imports a million files, and how much more that is than for 10,000",
        reach: [("memory-import", .atMost(96_000_000)), ("memory-import-growth", .atMost(16_000_000))]
    ) { settings in
        let few = try await peakOfImport(count: settings.amount(10_000))
        let many = try await peakOfImport(count: settings.amount(1_000_000))
        return [Figures(bytes: many), Figures(bytes: many - few)]
    }
]

/// Has a process import a new folder, and gives the bytes of it that were in memory at most.
private func peakOfImport(count: Int) async throws -> Int {
    try await LegacyFolder.with(count) { folder in
        let output = try Program.run(Program.own(), [Arguments.importing, folder.path]).output
        let lines = output.split(separator: "\n").compactMap { Int($0) }
        try check(lines.count == 2 && lines[0] == count, "not all files were imported")
        return lines[1]
    }
}

/// Imports a folder into a new store; for a process that does nothing else.
///
/// - Returns: how many files were imported, and how many bytes of the process were in memory at most.
func importAlone(_ folder: String) async throws -> (files: Int, peak: Int) {
    try await StoreFolder.with { stores in
        let store = try await AccountStore(path: stores.database("store"))
        let report = try await Importer(into: store, options: LegacyFolder.options).run([FilePath(folder)])
        try await store.close()
        return (report.imported, try peakResidentBytes())
    }
}
