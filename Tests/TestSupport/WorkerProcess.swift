internal import Foundation
internal import Glibc
internal import SQLiteBinding

/// The program `StoreWorker` as a process of its own, and the lines that it says.
package final class WorkerProcess: Sendable {
    /// What it says, as it does, until it has ended.
    package let lines: AsyncStream<String>
    private let process: pid_t
    /// Whether it has ended and been waited for.
    private let waiting = Monitor(false)

    /// Held while there is a pipe that another process could be given too, which would keep it open.
    private static let starting = Monitor(())

    struct NotStarted: Error {
        var errorNumber: Int32
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: what it is told to do.
    ///   - launcher: a program, with its first arguments, that starts it in turn.
    package init(_ arguments: [String], launcher: [String] = []) throws {
        let words = launcher + [Self.program] + arguments
        let (process, output) = try Self.starting.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw NotStarted(errorNumber: errno) }
            defer { close(ends[1]) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            do {
                return (try Self.spawn(words, output: ends[1]), ends[0])
            } catch {
                close(ends[0])
                throw error
            }
        }
        self.process = process
        lines = Self.lines(from: output)
    }

    /// Ends it at once, by a signal that it cannot heed.
    package func kill() {
        // Once it is waited for, its number may be that of another one.
        waiting.withLock { isEnded in
            if !isEnded { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Waits for its end, and gives its exit status, or of a signal the negative number. To be called once.
    package func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var information = siginfo_t()
                while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                let status = waiting.withLock { isEnded in
                    isEnded = true
                    var status: Int32 = 0
                    waitpid(process, &status, 0)
                    return status
                }
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : -signal)
            }
        }
    }

    /// All that it says until it has ended, and how it has.
    package func outcome() async -> (lines: [String], status: Int32) {
        var all: [String] = []
        for await line in lines { all.append(line) }
        return (all, await end())
    }

    /// The program is built into the folder that the tests are in.
    package static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "StoreWorker").path(
            percentEncoded: false
        )
    }()

    private static func spawn(_ words: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for pointer in arguments { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        guard failure == 0 else { throw NotStarted(errorNumber: failure) }
        return process
    }

    /// Reads on a thread of its own: a pipe that is full would hold the process up.
    private static func lines(from descriptor: Int32) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { break }
                    rest += buffer[..<count]
                    let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    // What comes after the last line end is no line yet.
                    for line in parts.dropLast() { continuation.yield(String(decoding: line, as: UTF8.self)) }
                    rest = Array(parts.last ?? [])
                }
                close(descriptor)
                continuation.finish()
            }
        }
    }
}
