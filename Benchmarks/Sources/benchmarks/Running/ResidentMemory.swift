import CInstruments
import Foundation
import Synchronization

/// The bytes of this process that are in memory.
func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
        throw BenchmarkError("/proc/self/statm is not as expected")
    }
    return pages * Int(getpagesize())
}

/// The most bytes of this process that were in memory at any time.
func peakResidentBytes() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0.isWhitespace } ?? []
    guard words.count == 3, words[2] == "kB", let size = Int(words[1]) else {
        throw BenchmarkError("/proc/self/status is not as expected")
    }
    return size * 1_024
}

/// Runs a closure, and says by how many bytes more were in memory at some time meanwhile than before.
func peakGrowth(during body: () async throws -> Void) async throws -> Int {
    // What is free in the allocator's stock counts as used otherwise, and could be used without anything growing.
    malloc_trim(0)
    let before = try residentBytes()
    let watcher = MemoryWatcher()
    do {
        try await body()
    } catch {
        _ = try watcher.stop()
        throw error
    }
    return max(0, try watcher.stop() - before)
}

/// A thread that looks, some thousand times a second, how much memory the process has.
private final class MemoryWatcher: Sendable {
    private let isOver = Flag()
    private let peak = Mutex<Result<Int, any Error>>(.success(0))
    private let isDone = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while !isOver.isSet {
                look()
                usleep(300)
            }
            isDone.signal()
        }
    }

    /// Ends the thread, and gives the most that it has seen.
    func stop() throws -> Int {
        isOver.set()
        isDone.wait()
        look()
        return try peak.withLock { $0 }.get()
    }

    private func look() {
        let now = Result { try residentBytes() }
        peak.withLock { peak in
            guard case (.success(let old), .success(let new)) = (peak, now) else { return peak = now }
            peak = .success(max(old, new))
        }
    }
}
