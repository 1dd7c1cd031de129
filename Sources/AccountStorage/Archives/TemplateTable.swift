internal import KeyedArchive
internal import Synchronization

/// The templates of the files that a reader has met, found by their keys.
///
/// Reading takes no lock: a slot is set once, and what is in it stays until the table goes. When there is no room for another
/// template, it is not kept.
@safe final class TemplateTable: Sendable {
    /// A template and how the account in its files is read.
    final class Entry: Sendable {
        let template: FileTemplate
        let plan: AccountPlan

        init(_ template: FileTemplate, plan: AccountPlan) {
            self.template = template
            self.plan = plan
        }
    }

    private typealias Slot = Atomic<Unmanaged<Entry>?>

    /// How many templates there is room for, a power of two.
    private static let capacity = 512
    /// How many slots are tried.
    private static let mostProbes = 16

    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

    init() {
        unsafe slots = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { unsafe (slots + index).initialize(to: Slot(nil)) }
    }

    deinit {
        for index in 0..<Self.capacity { unsafe slots[index].load(ordering: .acquiring)?.release() }
        unsafe slots.deinitialize(count: Self.capacity)
        unsafe slots.deallocate()
    }

    /// What a closure gives for the first entry of a key for which it gives something.
    @inline(__always)
    func first<Result>(ofKey key: UInt64, _ body: (Entry) -> Result?) -> Result? {
        for probe in 0..<Self.mostProbes {
            guard let entry = unsafe slots[Self.index(key, probe)].load(ordering: .acquiring) else { return nil }
            // The table keeps the entry for as long as it lives itself.
            let result = unsafe entry._withUnsafeGuaranteedRef { $0.template.key == key ? body($0) : nil }
            if let result { return result }
        }
        return nil
    }

    /// Adds an entry if there is room.
    func add(_ entry: Entry) {
        let new = unsafe Unmanaged.passRetained(entry)
        for probe in 0..<Self.mostProbes {
            let slot = Self.index(entry.template.key, probe)
            if unsafe slots[slot].compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
                .exchanged
            {
                return
            }
        }
        unsafe new.release()
    }

    @inline(__always)
    private static func index(_ key: UInt64, _ probe: Int) -> Int {
        Int(truncatingIfNeeded: key >> 32 &+ UInt64(truncatingIfNeeded: probe)) & (capacity - 1)
    }
}
