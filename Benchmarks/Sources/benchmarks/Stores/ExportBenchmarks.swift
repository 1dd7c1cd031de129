import AccountStorage
import Foundation

/// All accounts of a store into files, against a loop in C that reads a row, writes its file and goes on to the next.
let exportBenchmarks = [
    Benchmark(
        "export-all",
        "100,000 accounts that were imported, each into a file of its own; against C on one thread, which syncs nothing",
        reach: .atLeast(1.5)
    ) { settings in
        let accounts = StoredAccounts.make(settings.amount(100_000), seed: 51)
        return try await StoreFolder.with { folder in
            let path = try await makeImportedStore(in: folder, accounts)
            let exports = Exports(folder: folder, count: accounts.count)
            return try await Rounds(
                units: ["files/s"],
                baselineName: "C",
                ours: { turn in
                    let store = try await AccountStore(path: path)
                    let measurement = try await exports.measure(turn) { target in
                        try await Exporter(from: store).writeAll(to: FilePath(target)).exported
                    }
                    try await store.close()
                    return measurement
                },
                baseline: { turn in
                    let store = try CStore.reader(path)
                    return try await exports.measure(turn) { try store.exportAll(to: $0) }
                }
            ).run(settings, usually: 3)
        }
    }
]

/// A store whose accounts came from archives, and have the form of these.
private func makeImportedStore(in folder: StoreFolder, _ accounts: [Account]) async throws -> String {
    let path = try await folder.makeStore("store")
    let store = try await AccountStore(path: path)
    let (writer, reader) = (AccountArchiveWriter(), AccountArchiveReader())
    let files = try accounts.map { account in
        let archive = try writer.data(for: StoredArchive(account: account))
        let identity = FileIdentity(path: Array("/\(account.uid)".utf8), size: 0, modifiedAt: 0)
        return ImportedFile(
            identity: identity,
            accounts: try reader.accounts(in: archive, obtainedAt: account.obtainedAt)
        )
    }
    for start in stride(from: 0, to: files.count, by: 10_000) {
        _ = try await store.save(Array(files[start..<min(start + 10_000, files.count)]), onConflict: .fail)
    }
    try check(try await store.count() == accounts.count, "not all accounts were imported")
    try await store.close()
    return path
}

/// Folders that are exported to.
private final class Exports {
    private let folder: StoreFolder
    private let count: Int
    private var turns = 0

    init(folder: StoreFolder, count: Int) {
        self.folder = folder
        self.count = count
    }

    /// Exports to a new folder, and reads what is there afterwards.
    ///
    /// The folders stay until the end, since a file system takes its time to give what was just removed away again.
    func measure(
        _ turn: Rounds.Turn,
        _ export: (_ target: String) async throws -> Int
    ) async throws -> Measurement {
        turns += 1
        let target = folder.path + "/out-\(turns)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        // What the turn before has left in memory is not to be written while this one is timed.
        sync()
        let (exported, time) = try await turn.stopwatch.time { try await export(target) }
        try check(exported == count, "\(exported) accounts were exported")
        return Measurement(operations: [Double(count)], time: time, digest: try digest(of: target))
    }

    /// Made of the names, the bytes and the times of all files.
    private func digest(of target: String) throws -> UInt64 {
        var hasher = FixedHasher(0)
        for name in try FileManager.default.contentsOfDirectory(atPath: target).sorted() {
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(target)/\(name)")
            try check(files == ["account.data"], "other files were made: \(name)/\(files)")
            let path = "\(target)/\(name)/account.data"
            guard let content = FileManager.default.contents(atPath: path) else {
                throw BenchmarkError("\(path) cannot be read")
            }
            var status = stat()
            try check(stat(path, &status) == 0, "\(path) cannot be read")
            for byte in [UInt8](name.utf8) + content { hasher.combine(Int(byte)) }
            hasher.combine(status.st_mtim.tv_sec)
        }
        return hasher.value
    }
}
