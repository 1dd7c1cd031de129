internal import SQLiteBinding

/// Runs work that may block on a thread made for it, while the task waits without blocking one.
enum BlockingCall {
    static nonisolated(nonsending) func run<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output)
        async throws -> Output
    {
        let queue = WorkQueue<@Sendable () -> Void>(name: "store-open", capacity: 1) { jobs in
            for job in jobs { job() }
        }
        defer { queue.close() }
        do {
            try await queue.reserve()
        } catch is WorkQueue<@Sendable () -> Void>.NoThread {
            throw ConnectionPoolError.noThread
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.put { continuation.resume(with: Result { try body() }) }
        }
    }
}
