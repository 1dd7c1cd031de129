import AccountStorage
import Foundation
import Glibc
import Synchronization

/// A folder with archives of all forms of ``SampleForm``, one in each file, as somebody has collected them from many devices: all in
/// one folder, and their names in another order than their uids and their times.
struct LegacyFolder: Sendable {
    let path: String
    /// How many files.
    let count: Int
    /// The sum of the digests of all accounts in them.
    let digest: UInt64

    /// Options that accept all of them.
    static let options = ImportOptions(reading: SampleForm.options)

    /// So many are made at a time, so that not all have to be in memory.
    private static let partSize = 10_000
    /// Six years, in which the files were changed last.
    private static let times = 1_500_000_000..<1_690_000_000
    /// How much a file takes of a file system, roughly.
    private static let fileSize = 8_192

    /// Runs a closure with a new folder of `count` files, which is gone afterwards. What is in them is the same in each run.
    ///
    /// The folder is in memory, where there is enough: it is all read from memory anyway, and there are disks on which it takes
    /// minutes to delete so many files.
    static func with<Output>(_ count: Int, _ body: (LegacyFolder) async throws -> Output) async throws -> Output {
        let memory = StoreFolder.memory(bytes: count * fileSize, files: count)
        return try await StoreFolder.with(in: memory) { try await body(LegacyFolder(in: $0, count: count)) }
    }

    private init(in folder: StoreFolder, count: Int) async throws {
        let path = folder.path + "/legacy"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let parts = (count + Self.partSize - 1) / Self.partSize
        let digests = try await inTasks(ProcessInfo.processInfo.activeProcessorCount, of: parts) { range in
            var sum: UInt64 = 0
            for part in range {
                let size = min(Self.partSize, count - part * Self.partSize)
                let files = try AccountFiles.mixed(size, seed: UInt64(part))
                try Self.write(files.contents, part: part, to: path)
                for account in files.accounts { sum &+= benchmarks.digest(account) }
            }
            return sum
        }
        (self.path, self.count, digest) = (path, count, digests.reduce(0, &+))
    }

    private static func write(_ contents: [[UInt8]], part: Int, to folder: String) throws {
        var random = SeededGenerator(seed: UInt64(part) + 1_000_000)
        for content in contents {
            let path = folder + "/account-\(String(random.next(), radix: 16)).data"
            var modified = timespec(tv_sec: Int.random(in: times, using: &random), tv_nsec: 0)
            modified.tv_nsec = Int.random(in: 0..<1_000_000_000, using: &random)
            // The time of last access stays later, so that reading does not change it.
            let accessed = timespec(tv_sec: time(nil), tv_nsec: 0)
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            defer { close(file) }
            let isWritten =
                file >= 0 && content.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == content.count
                && futimens(file, [accessed, modified]) == 0
            try check(isWritten, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
