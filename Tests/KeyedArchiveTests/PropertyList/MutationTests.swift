import TestSupport
import Testing

@testable import KeyedArchive

/// Damage of every kind to good files: each outcome is a list or an error, in time.
@Suite("Mutations of property lists")
struct MutationTests {
    private static let paths = [
        "expected/normal.apple64-old.data", "variants/13_Swift_WDK.data", "expected/cjk.apple64-new.data",
        "bad/xml_entities_std.data",
    ]

    /// Reads and, if that succeeds, checks that the result can be written and read again.
    ///
    /// - Returns: Whether the file was read.
    private func survives(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) -> Bool {
        do {
            let list = try PropertyList(reading: bytes, limits: limits)
            #expect(list.sources.count == list.nodes.count)
            let back = try PropertyList(
                reading: list.format == .xml ? list.xml() : list.binary(widths: .asRead),
                limits: limits
            )
            #expect(back.nodes.count == list.nodes.count)
            #expect(back.references == list.references)
            return true
        } catch {
            #expect(!error.reason.isEmpty)
            return false
        }
    }

    @Test("every bit flipped and every byte inverted", arguments: paths)
    func flips(path: String) throws {
        let good = try Fixtures.bytes(path)
        var refused = 0
        for position in good.indices {
            for bit in 0...8 {
                var bytes = good
                bytes[position] ^= bit == 8 ? 0xFF : 1 << UInt8(bit)
                if !survives(bytes) { refused += 1 }
            }
        }
        #expect(refused > good.count)
    }

    @Test("a flip that is not refused changes only the object in which it stands, or the trailer's unused bytes")
    func flipsStayLocal() throws {
        let good = try Fixtures.bytes("expected/normal.apple64-old.data")
        let list = try PropertyList(reading: good)
        for position in 8..<good.count {
            for bit in 0..<8 {
                var bytes = good
                bytes[position] ^= 1 << UInt8(bit)
                guard let changed = try? PropertyList(reading: bytes) else { continue }
                let inside = list.sources.firstIndex { $0.contains(position) }
                if inside == nil {
                    // The first six bytes of the trailer are unused, and any object may be the top.
                    let field = position - (good.count - 32)
                    #expect(0..<6 ~= field || field == 23, "byte \(position), bit \(bit)")
                }
                #expect(changed.nodes.count == list.nodes.count)
                for index in list.nodes.indices where index != inside {
                    let (before, after) = (list.nodes[index], changed.nodes[index])
                    #expect(
                        before == after || before.run != nil && after.run != nil,
                        "byte \(position), object \(index)"
                    )
                    #expect(list.sources[index] == changed.sources[index])
                }
            }
        }
    }

    @Test("5,000 seeded random edits of each file, and fewer where gaps are accepted", arguments: paths, [false, true])
    func randomEdits(path: String, allowsGaps: Bool) throws {
        let good = try Fixtures.bytes(path)
        var generator = SeededGenerator(seed: UInt64(good.count))
        let limits = ArchiveLimits(allowsGaps: allowsGaps)
        let edits = allowsGaps ? 1_500 : 5_000
        var refused = 0
        for _ in 0..<edits {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                Self.edit(&bytes, &generator)
            }
            if !survives(bytes, limits) { refused += 1 }
        }
        #expect(refused > edits / 2)
    }

    private static func edit(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[position] = .random(in: 0...255, using: &generator)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes[position] = [0x00, 0x7F, 0x80, 0xFF, 0x0F, 0xD1, 0xA1].randomElement(using: &generator) ?? 0
        case 3: bytes.remove(at: position)
        case 4: bytes.insert(.random(in: 0...255, using: &generator), at: position)
        default:
            let other = Int.random(in: 0..<bytes.count, using: &generator)
            bytes.swapAt(position, other)
        }
    }

    @Test("random bytes after a good header")
    func noise() {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...120, using: &generator)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = survives(Array("bplist00".utf8) + noise)
            _ = survives(Array("<plist>".utf8) + noise)
            _ = survives(noise)
        }
    }
}
