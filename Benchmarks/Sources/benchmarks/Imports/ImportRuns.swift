import AccountStorage
import CStoreBaselines

/// Imports of one folder, by the library and by the baseline in C; afterwards both stores have to have the same in them.
///
/// Closing the store is timed too: what was written is in the database then, and no longer in the log.
struct ImportRuns {
    let folder: LegacyFolder
    private let stores: StoreFolder
    private let decoder: CDecoder
    /// A store without anything in it.
    private let empty: String
    /// A store into which the folder was imported, and what had become of the accounts.
    private let filled: (path: String, counts: SaveCounts)

    /// Runs a closure with a new folder.
    static func with<Output>(
        _ settings: Settings,
        _ body: (ImportRuns) async throws -> Output
    ) async throws -> Output {
        try await LegacyFolder.with(settings.amount(SampleAccounts.count)) { folder in
            try await StoreFolder.with { stores in try await body(ImportRuns(folder, stores)) }
        }
    }

    private init(_ folder: LegacyFolder, _ stores: StoreFolder) async throws {
        self.folder = folder
        self.stores = stores
        decoder = CDecoder(
            [],
            classes: ["Account"] + SampleForm.classes,
            aliases: SampleForm.aliases,
            remindMayBeMissing: true
        )
        empty = try await stores.makeStore("empty")
        let path = try stores.copy(empty, as: "filled")
        filled = (path, try await Self.run(path, folder, Rounds.Turn(round: 0)).report.outcomes)
    }

    // MARK: Ours

    /// Imports into an empty store.
    func first(_ turn: Rounds.Turn) async throws -> Measurement {
        let path = try stores.copy(empty, as: "ours")
        let (report, time) = try await Self.run(path, folder, turn)
        let isWhole = report.imported == folder.count
        try check(isWhole, "not all files were imported: \(report.failures.first?.description ?? "\(report.imported)")")
        return try measurement(path, report.outcomes, time)
    }

    /// Imports once more.
    func second(_ turn: Rounds.Turn) async throws -> Measurement {
        let path = try stores.copy(filled.path, as: "ours")
        let (report, time) = try await Self.run(path, folder, turn)
        try check(report.skipped == folder.count, "only \(report.skipped) files were skipped")
        return try measurement(path, filled.counts, time)
    }

    private static func run(
        _ path: String,
        _ folder: LegacyFolder,
        _ turn: Rounds.Turn
    ) async throws -> (report: ImportReport, time: Duration) {
        let store = try await AccountStore(path: path)
        let (report, time) = try await turn.stopwatch.time {
            let report = try await Importer(into: store, options: LegacyFolder.options).run([FilePath(folder.path)])
            try await store.close()
            return report
        }
        return (report, time)
    }

    // MARK: The baseline

    /// Imports into an empty store.
    func firstInC(_ turn: Rounds.Turn) async throws -> Measurement {
        let path = try stores.copy(empty, as: "baseline")
        let (counts, time) = try await runInC(path, turn)
        var outcomes = SaveCounts()
        (outcomes.inserted, outcomes.updated, outcomes.kept) = (counts.inserted, counts.updated, counts.kept)
        return try measurement(path, outcomes, time)
    }

    /// Imports once more.
    func secondInC(_ turn: Rounds.Turn) async throws -> Measurement {
        let path = try stores.copy(filled.path, as: "baseline")
        let (counts, time) = try await runInC(path, turn)
        try check(counts.skipped == folder.count, "C has skipped only \(counts.skipped) files")
        return try measurement(path, filled.counts, time)
    }

    private func runInC(_ path: String, _ turn: Rounds.Turn) async throws -> (cs_import_counts, Duration) {
        var store: CStore? = try CStore.writer(path)
        return try await turn.stopwatch.time {
            defer { store = nil }
            return try store?.importFolder(folder.path, decoder) ?? cs_import_counts()
        }
    }

    private func measurement(_ path: String, _ counts: SaveCounts, _ time: Duration) throws -> Measurement {
        var hasher = FixedHasher(try CStore.reader(path).importChecksum())
        for count in [counts.inserted, counts.updated, counts.kept, counts.unchanged] { hasher.combine(count) }
        return Measurement(operations: [Double(folder.count)], time: time, digest: hasher.value)
    }
}
