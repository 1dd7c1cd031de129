internal import Dispatch
internal import SQLiteBinding
internal import Synchronization

/// Does something to each element, on threads of the system's own that may wait for a disk, and keeps the order.
///
/// - Parameters:
///   - elements: what it is done to.
///   - jobs: how many at the same time, at most.
///   - transform: what is done.
func parallelMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    jobs: Int,
    _ transform: @escaping @Sendable (Element) -> Result
) async -> [Result] {
    guard !elements.isEmpty else { return [] }
    let workers = min(max(jobs, 1), elements.count)
    let next = Atomic(0)
    let results = Monitor([Result?](repeating: nil, count: elements.count))
    return await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
            DispatchQueue.concurrentPerform(iterations: workers) { _ in
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < elements.count else { return }
                    let result = transform(elements[index])
                    results.withLock { $0[index] = result }
                }
            }
            continuation.resume(returning: results.withLock { $0.compactMap { $0 } })
        }
    }
}
