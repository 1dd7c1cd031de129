import TestSupport
import Testing

@testable import KeyedArchive

/// Damage of every kind to good files, at the level of the property list: what is read can be written.
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

    @Test("what is read of a damaged file is written and read again", arguments: paths, [false, true])
    func randomEdits(path: String, allowsGaps: Bool) throws {
        let good = try Fixtures.bytes(path)
        let limits = ArchiveLimits(allowsGaps: allowsGaps)
        var refused = 0
        for seed in 0..<1_500 where !survives(MutatedBytes.random(good, seed: UInt64(seed)).bytes, limits) {
            refused += 1
        }
        #expect(refused > 750)
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
