import AccountStorage
import Dispatch
import Foundation
import Synchronization

/// A folder for the databases and files of a benchmark, in `$TMPDIR` or else the system's own.
struct StoreFolder: Sendable {
    let path: String

    /// Runs a closure with a new folder, which is gone afterwards, also when the process is interrupted meanwhile.
    ///
    /// - Parameter parent: where it is made; nil for its usual place.
    static func with<Output>(
        in parent: String? = nil,
        _ body: (StoreFolder) async throws -> Output
    ) async throws -> Output {
        let folder = try StoreFolder(in: parent ?? FileManager.default.temporaryDirectory.path)
        defer { folder.remove() }
        return try await body(folder)
    }

    private init(in parent: String) throws {
        Self.removeWhenInterrupted()
        var template = Array((parent + "/benchmarks-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchmarkError("no folder can be made in \(parent)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        Self.existing.withLock { [path] in _ = $0.insert(path) }
    }

    /// A folder in memory that has room; nil if there is none.
    static func memory(bytes: Int, files: Int) -> String? {
        let path = "/dev/shm"
        var state = statvfs()
        guard access(path, W_OK) == 0, statvfs(path, &state) == 0 else { return nil }
        let hasRoom = Int(state.f_bavail) * Int(state.f_frsize) > bytes && Int(state.f_favail) > files
        return hasRoom ? path : nil
    }

    private func remove() {
        Self.existing.withLock { [path] in _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let existing = Mutex<Set<String>>([])

    private static func removeWhenInterrupted() { _ = interruptions }

    /// Made once, and only kept afterwards.
    nonisolated(unsafe) private static let interruptions: [any DispatchSourceSignal] = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // What goes on writing finds no file any more.
            for path in existing.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
            exit(128 + number)
        }
        source.resume()
        return source
    }
}

extension StoreFolder {
    /// The path of a database in the folder.
    func database(_ name: String) -> String { path + "/\(name).sqlite" }

    /// Makes a store with accounts, or with none, and gives its path.
    func makeStore(_ name: String, with accounts: [Account] = []) async throws -> String {
        let path = database(name)
        let store = try await AccountStore(path: path)
        let counts = try await store.save(accounts)
        try await store.close()
        try check(counts.inserted == accounts.count, "not all accounts were inserted")
        return path
    }

    /// Copies a database that is not in use, in the place of an older copy. It is on disk, so that its pages are not
    /// written while something else is timed.
    func copy(_ database: String, as name: String) throws -> String {
        let copy = self.database(name)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
        try FileManager.default.copyItem(atPath: database, toPath: copy)
        guard let file = FileHandle(forUpdatingAtPath: copy) else { throw BenchmarkError("\(copy) cannot be opened") }
        try file.synchronize()
        try file.close()
        return copy
    }
}
