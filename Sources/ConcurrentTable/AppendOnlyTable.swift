public import Synchronization

/// What an ``AppendOnlyTable`` holds.
public protocol AppendOnlyTableEntry: AnyObject, Sendable {
    /// What the entry is found by, together with others perhaps.
    var key: UInt64 { get }
}

/// Objects that are found by keys, from any number of threads.
///
/// Finding one takes no lock: a slot is set once, and what is in it stays until the table goes. When there is no room for another
/// entry, it is not kept.
@safe public final class AppendOnlyTable<Entry: AppendOnlyTableEntry>: Sendable {
    @usableFromInline typealias Slot = Atomic<Unmanaged<Entry>?>

    @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Slot>
    @usableFromInline let capacity: Int
    /// How many slots are tried for a key.
    @usableFromInline let probes: Int

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - capacity: how many entries there is room for, a power of two.
    ///   - probes: how many entries there is room for whose keys are the same.
    public init(capacity: Int = 512, probes: Int = 16) {
        self.capacity = capacity
        self.probes = min(probes, capacity)
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot(nil)) }
    }

    deinit {
        for index in 0..<capacity { unsafe slots[index].load(ordering: .acquiring)?.release() }
        unsafe slots.deinitialize(count: capacity)
        unsafe slots.deallocate()
    }

    /// What a closure gives for the first entry of a key for which it gives something.
    @inlinable
    @inline(__always)
    public func first<Result>(ofKey key: UInt64, _ body: (Entry) -> Result?) -> Result? {
        for probe in 0..<probes {
            guard let entry = unsafe slots[index(key, probe)].load(ordering: .acquiring) else { return nil }
            // The table keeps the entry for as long as it lives itself.
            let result = unsafe entry._withUnsafeGuaranteedRef { $0.key == key ? body($0) : nil }
            if let result { return result }
        }
        return nil
    }

    /// Whether there is room for another entry of a key.
    public func hasRoom(forKey key: UInt64) -> Bool {
        unsafe slots[index(key, probes - 1)].load(ordering: .relaxed) == nil
    }

    /// Adds an entry if there is room.
    public func add(_ entry: Entry) {
        let new = unsafe Unmanaged.passRetained(entry)
        for probe in 0..<probes {
            let slot = unsafe slots + index(entry.key, probe)
            if unsafe slot.pointee.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
                .exchanged
            {
                return
            }
        }
        unsafe new.release()
    }

    @inlinable
    @inline(__always)
    func index(_ key: UInt64, _ probe: Int) -> Int {
        (Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) &+ probe) & (capacity - 1)
    }
}
