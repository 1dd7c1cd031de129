import Synchronization

/// Splits work among tasks that run at the same time, and gives what came of each part.
func inTasks<Output: Sendable>(
    _ tasks: Int,
    of count: Int,
    _ body: @escaping @Sendable (Range<Int>) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: Output.self) { group in
        for task in 0..<tasks {
            let part = (count * task / tasks)..<(count * (task + 1) / tasks)
            group.addTask { try await body(part) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Tells tasks and threads that something is over.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
