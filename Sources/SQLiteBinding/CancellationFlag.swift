internal import Synchronization

/// Tells a thread that what it does is not wanted any more.
///
/// Unlike an interrupt, which is lost when no statement runs at that moment, it stays until it is cleared.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }

    func clear() { flag.store(false, ordering: .relaxed) }
}
