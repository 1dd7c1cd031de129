import Foundation
import SQLiteBinding
import Testing
import TestSupport

/// The error that a call throws; a failed expectation if it throws none, or another type.
func sqliteError(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws -> SQLiteError {
    let error = #expect(throws: SQLiteError.self, sourceLocation: sourceLocation) { try body() }
    return try #require(error, sourceLocation: sourceLocation)
}

/// An error of the tests' own.
struct Stop: Error, Equatable {
    var number = 0
}

extension Connection {
    /// How many rows a table has.
    func count(_ table: String) throws -> Int64? {
        guard case .integer(let count)? = try value("SELECT count(*) FROM \(table)") else { return nil }
        return count
    }
}

/// A flag that one thread opens and others wait for.
final class Latch: Sendable {
    fileprivate let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Whether it was opened in time; blocks the thread until then, and closes it again. A machine that runs all tests at once, with a
    /// sanitizer, may need long for the rest of a test.
    @discardableResult
    func wait() -> Bool { semaphore.wait(timeout: .now() + 1_800) == .success }
}

extension Latch {
    /// ``wait()`` for a task, which must not block its thread.
    func opened(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await until(sourceLocation) { semaphore.wait(timeout: .now()) == .success }
    }
}

/// Returns once the condition holds, which has to be in time.
func until(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) async throws {
    guard try await !happens(condition) else { return }
    Issue.record("it did not happen in time", sourceLocation: sourceLocation)
}

/// A count that threads share.
final class Counter: Sendable {
    private let count = Monitor(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Runs a closure on a thread of its own; what it throws is an issue.
func onThread(_ body: @escaping @Sendable () throws -> Void) -> Latch {
    let ended = Latch()
    Thread.detachNewThread {
        do { try body() } catch { Issue.record(error) }
        ended.open()
    }
    return ended
}

/// How the running thread is called.
func threadName() -> String {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .newlines) ?? ""
}
