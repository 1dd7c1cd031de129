internal import Synchronization

/// Has tasks that read without ever waiting let others run.
///
/// A read that finds a free reader does not suspend its task. A few tasks that do nothing else would keep all threads of Swift's cooperative
/// pool, while a task whose save is done waits for one of them.
package final class Courtesy: Sendable {
    /// How many tasks were made ready to go on and have not done so yet.
    private let waiting = Atomic(0)

    /// Notes that a task was made ready to go on.
    func begin() { waiting.wrappingAdd(1, ordering: .relaxed) }

    /// Notes that it goes on.
    func end() { waiting.wrappingSubtract(1, ordering: .relaxed) }

    /// Whether somebody waits for a thread, so that a task that has not waited ought to give way.
    @inline(__always)
    package var isOwed: Bool { waiting.load(ordering: .relaxed) > 0 }
}
