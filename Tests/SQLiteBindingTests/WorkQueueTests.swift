import Foundation
import SQLiteBinding
import Testing

@Suite("Work queue", .timeLimit(.minutes(10)))
struct WorkQueueTests {
    /// Keeps the batches that a handler got.
    private final class Log: Sendable {
        private let batches = Monitor<[[Int]]>([])

        func append(_ batch: [Int]) { batches.withLock { $0.append(batch) } }
        var all: [[Int]] { batches.withLock { $0 } }
        var jobs: [Int] { all.flatMap(\.self) }
    }

    @Test("jobs run in order, and what waits is taken in one batch")
    func batches() async throws {
        let log = Log()
        let started = Latch()
        let gate = Latch()
        let queue = WorkQueue<Int>(name: "test", capacity: 100, maximumBatch: 4) { batch in
            if batch == [0] {
                started.open()
                gate.wait()
            }
            log.append(batch)
        }
        for job in 0...9 {
            try await queue.reserve()
            queue.put(job)
            if job == 0 { try await started.opened() }
        }
        #expect(queue.depth == (9, 0))
        gate.open()
        await queue.finish()
        #expect(log.all == [[0], [1, 2, 3, 4], [5, 6, 7, 8], [9]])
    }

    @Test("a full queue lets callers wait, in order, and a cancelled one goes")
    func backPressure() async throws {
        let log = Log()
        let gate = Latch()
        let queue = WorkQueue<Int>(name: "test", capacity: 1) { batch in
            gate.wait()
            log.append(batch)
        }
        try await queue.reserve()
        queue.put(0)
        try await until { queue.depth.jobs == 0 }
        try await queue.reserve()
        queue.put(1)
        var callers: [Task<Void, any Error>] = []
        for job in 2...4 {
            callers.append(
                Task {
                    try await queue.reserve()
                    queue.put(job)
                }
            )
            try await until { queue.depth.callers >= job - 1 }
        }
        callers[1].cancel()
        await #expect(throws: CancellationError.self) { try await callers[1].value }
        #expect(queue.depth == (1, 2))
        // A thread waits in the same line.
        let blocked = onThread {
            try queue.reserveBlocking()
            queue.put(5)
        }
        try await until { queue.depth.callers >= 3 }
        for _ in 0..<5 { gate.open() }
        try await blocked.opened()
        await queue.finish()
        #expect(log.jobs == [0, 1, 2, 4, 5])
    }

    @Test("a closed queue runs what it has and takes no more")
    func closes() async throws {
        let log = Log()
        let gate = Latch()
        let queue = WorkQueue<Int>(name: "test", capacity: 1) { batch in
            gate.wait()
            log.append(batch)
        }
        try await queue.reserve()
        queue.put(0)
        try await until { queue.depth.jobs == 0 }
        try await queue.reserve()
        queue.put(1)
        let waiting = Task {
            try await queue.reserve()
            queue.put(2)
        }
        try await until { queue.depth.callers > 0 }
        queue.close()
        await #expect(throws: WorkQueue<Int>.Closed.self) { try await queue.reserve() }
        #expect(throws: WorkQueue<Int>.Closed.self) { try queue.reserveBlocking() }
        for _ in 0..<3 { gate.open() }
        try await waiting.value
        await queue.finish()
        await queue.finish()
        #expect(log.jobs == [0, 1, 2])
    }

    @Test("a place that is given up goes to the next, and an unused queue ends")
    func reservations() async throws {
        let log = Log()
        let queue = WorkQueue<Int>(name: "test", capacity: 1) { log.append($0) }
        try await queue.reserve()
        let next = Task {
            try await queue.reserve()
            queue.put(7)
        }
        try await until { queue.depth.callers > 0 }
        queue.cancelReservation()
        try await next.value
        await queue.finish()
        #expect(log.jobs == [7])
        let unused = WorkQueue<Int>(name: "test", capacity: 1) { _ in }
        await unused.finish()
        unused.finishBlocking()
    }

    @Test("several threads run jobs at once, no more than allowed")
    func threads() async throws {
        let running = Monitor((now: 0, most: 0))
        let queue = WorkQueue<Int>(name: "test", maximumThreads: 3, capacity: 100) { _ in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            Thread.sleep(forTimeInterval: 0.02)
            running.withLock { $0.now -= 1 }
        }
        for job in 0..<30 {
            try await queue.reserve()
            queue.put(job)
        }
        await queue.finish()
        #expect(running.withLock { $0.most } == 3)
    }
}
