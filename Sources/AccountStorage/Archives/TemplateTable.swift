internal import KeyedArchive
internal import Synchronization

/// What a ``TemplateTable`` holds.
protocol TemplateTableEntry: AnyObject, Sendable {
    /// What the entry is found by, together with others perhaps.
    var key: UInt64 { get }
}

/// Templates of files, found by their keys.
///
/// Finding one takes no lock: a slot is set once, and what is in it stays until the table goes. When there is no room for another
/// entry, it is not kept.
@safe final class TemplateTable<Entry: TemplateTableEntry>: Sendable {
    private typealias Slot = Atomic<Unmanaged<Entry>?>

    /// How many slots are tried.
    private static var mostProbes: Int { 16 }

    nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>
    private let capacity: Int

    /// Makes a table.
    ///
    /// - Parameter capacity: how many entries there is room for, a power of two.
    init(capacity: Int = 512) {
        self.capacity = capacity
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot(nil)) }
    }

    deinit {
        for index in 0..<capacity { unsafe slots[index].load(ordering: .acquiring)?.release() }
        unsafe slots.deinitialize(count: capacity)
        unsafe slots.deallocate()
    }

    /// What a closure gives for the first entry of a key for which it gives something.
    @inline(__always)
    func first<Result>(ofKey key: UInt64, _ body: (Entry) -> Result?) -> Result? {
        for probe in 0..<Self.mostProbes {
            guard let entry = unsafe slots[index(key, probe)].load(ordering: .acquiring) else { return nil }
            // The table keeps the entry for as long as it lives itself.
            let result = unsafe entry._withUnsafeGuaranteedRef { $0.key == key ? body($0) : nil }
            if let result { return result }
        }
        return nil
    }

    /// Adds an entry if there is room.
    func add(_ entry: Entry) {
        let new = unsafe Unmanaged.passRetained(entry)
        for probe in 0..<Self.mostProbes {
            let slot = unsafe slots + index(entry.key, probe)
            if unsafe slot.pointee.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
                .exchanged
            {
                return
            }
        }
        unsafe new.release()
    }

    @inline(__always)
    private func index(_ key: UInt64, _ probe: Int) -> Int {
        (Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) &+ probe) & (capacity - 1)
    }
}
