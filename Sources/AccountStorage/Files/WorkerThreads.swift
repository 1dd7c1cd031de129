internal import SQLiteBinding

/// A few threads of the system's that do what may wait for a disk.
///
/// What is begun is done in that order, and what it gave is awaited by whoever began it, in whatever order it likes.
final class WorkerThreads: Sendable {
    private typealias Job = @Sendable () -> Void

    private let queue: WorkQueue<Job>

    /// Makes threads; they start when there is something to do.
    ///
    /// - Parameters:
    ///   - count: how many at most.
    ///   - name: what they are called, for debuggers.
    init(_ count: Int, name: String) {
        queue = WorkQueue(name: name, maximumThreads: count, capacity: .max) { jobs in
            for job in jobs { job() }
        }
    }

    /// Something that was begun.
    struct Begun<Output: Sendable>: Sendable {
        fileprivate let state: Monitor<State>

        fileprivate enum State {
            case running
            case awaited(CheckedContinuation<Output, Never>)
            case done(Output)
        }

        /// Waits for what it gives. To be asked for once.
        var value: Output {
            get async {
                await withCheckedContinuation { continuation in
                    let output: Output? = state.withLock { state in
                        if case .done(let output) = state { return output }
                        state = .awaited(continuation)
                        return nil
                    }
                    if let output { continuation.resume(returning: output) }
                }
            }
        }

        fileprivate func finish(_ output: Output) {
            let continuation: CheckedContinuation<Output, Never>? = state.withLock { state in
                if case .awaited(let continuation) = state { return continuation }
                state = .done(output)
                return nil
            }
            continuation?.resume(returning: output)
        }
    }

    /// Begins something. How much of it waits is up to the caller.
    ///
    /// - Throws: if the system gives no thread.
    func begin<Output: Sendable>(_ body: @escaping @Sendable () -> Output) throws -> Begun<Output> {
        let begun = Begun<Output>(state: Monitor(.running))
        guard queue.putIfRoom({ begun.finish(body()) }) else { throw ConnectionPoolError.noThread }
        return begun
    }

    /// Waits until everything that was begun is done, and ends the threads.
    func finish() async {
        await queue.finish()
    }
}
