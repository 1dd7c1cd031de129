import ConcurrentTable
import Foundation
import Testing

private final class Entry: AppendOnlyTableEntry {
    let key: UInt64
    let name: String
    private let onEnd: (@Sendable () -> Void)?

    init(_ key: UInt64, _ name: String, onEnd: (@Sendable () -> Void)? = nil) {
        self.key = key
        self.name = name
        self.onEnd = onEnd
    }

    deinit { onEnd?() }
}

@Suite("A table that is read without a lock")
struct AppendOnlyTableTests {
    @Test("gives the entries of a key in the order in which they came, and no others")
    func find() {
        let table = AppendOnlyTable<Entry>(capacity: 8, probes: 8)
        table.add(Entry(1, "a"))
        table.add(Entry(2, "b"))
        table.add(Entry(1, "c"))
        #expect(table.first(ofKey: 1) { $0.name } == "a")
        #expect(table.first(ofKey: 1) { $0.name == "c" ? $0.name : nil } == "c")
        #expect(table.first(ofKey: 2) { $0.name } == "b")
        #expect(table.first(ofKey: 3) { $0.name } == nil)
    }

    @Test("keeps no more than there is room for, and lets go of all of them in the end")
    func room() {
        nonisolated(unsafe) var ended = 0
        do {
            let table = AppendOnlyTable<Entry>(capacity: 4, probes: 2)
            #expect(table.hasRoom(forKey: 7))
            for name in ["a", "b", "c"] { table.add(Entry(7, name) { ended += 1 }) }
            #expect(!table.hasRoom(forKey: 7))
            #expect(table.first(ofKey: 7) { $0.name == "c" ? true : nil } == nil)
            #expect(ended == 1)
        }
        #expect(ended == 3)
    }

    @Test("threads that add and look at the same time find what was added")
    func threads() {
        let table = AppendOnlyTable<Entry>(capacity: 1_024)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<50 {
                let key = UInt64(thread * 50 + number)
                table.add(Entry(key, "\(key)"))
                #expect(table.first(ofKey: key) { $0.name } == "\(key)")
                for other in 0..<400 {
                    let name = table.first(ofKey: UInt64(other)) { $0.name }
                    #expect(name == nil || name == "\(other)")
                }
            }
        }
        for key in 0..<400 { #expect(table.first(ofKey: UInt64(key)) { $0.name } == "\(key)") }
    }
}
