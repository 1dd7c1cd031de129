import Foundation
import TestSupport
import Testing

@testable import KeyedArchive

/// Random property lists, held against Foundation's reader and writer.
@Suite("Property lists against Foundation's")
struct FoundationComparisonTests {
    /// The objects of Foundation that a property list stands for.
    private func foundation(_ list: PropertyList, _ index: Int) -> Any {
        func elements(_ range: Range<Int>) -> [Any] { list.references[range].map { foundation(list, $0) } }
        switch list.nodes[index] {
        case .bool(let value): return value
        case .integer(let integer):
            return Int64(exactly: integer.value).map { $0 as Any } ?? UInt64(clamping: integer.value) as Any
        case .real(let value, _): return value
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return Data(data)
        case .text(let text): return text
        case .uid(let uid): return uid
        case .array(let run), .set(let run): return elements(run.start..<(run.start + run.count))
        case .dictionary(let run):
            var result: [String: Any] = [:]
            for offset in run.start..<(run.start + run.count) {
                guard case .text(let key) = list.nodes[list.references[offset]] else { continue }
                result[key] = foundation(list, list.references[offset + run.count])
            }
            return result
        }
    }

    /// A list of random objects; keys in the order in which Foundation sorts them.
    private struct Generator {
        var random: SeededGenerator
        var list = PropertyList(format: .xml)

        mutating func text() -> String {
            let alphabet = Array("abcXYZ 019<>&\"'$中é😀\n\t")
            let count = Int.random(in: 0...20, using: &random)
            return String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "x" })
        }

        mutating func scalar() -> PropertyList.Node {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: return .bool(Bool.random(using: &random))
            case 1: return .integer(Int128(Int64.random(in: .min ... .max, using: &random) >> 40), width: 0)
            case 2: return .integer(Int128(UInt64.random(in: .min ... .max, using: &random)), width: 0)
            case 3:
                return .real(
                    Double.random(in: -1...1, using: &random) * pow(10, Double.random(in: -30...30, using: &random)),
                    single: false
                )
            case 4: return .date(Double(Int.random(in: -60_000_000_000...60_000_000_000, using: &random)))
            case 5:
                let count = Int.random(in: 0...120, using: &random)
                return .data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            default: return .text(text())
            }
        }

        mutating func append(depth: Int) -> Int {
            let index = list.nodes.count
            list.nodes.append(.bool(false))
            let count = Int.random(in: 0...4, using: &random)
            switch depth < 10 ? Int.random(in: 0..<4, using: &random) : 3 {
            case 0, 1:
                let children = (0..<count).map { _ in append(depth: depth + 1) }
                list.nodes[index] = .array(.init(start: list.references.count, count: count))
                list.references += children
            case 2:
                let keys = (0..<count).map { key -> Int in
                    list.nodes.append(.text("key \(key)"))
                    return list.nodes.count - 1
                }
                let values = keys.map { _ in append(depth: depth + 1) }
                list.nodes[index] = .dictionary(.init(start: list.references.count, count: count))
                list.references += keys + values
            default: list.nodes[index] = scalar()
            }
            return index
        }
    }

    @Test("300 random lists are written as Foundation writes them in XML, and read alike by both in either format")
    func randomLists() throws {
        for seed in 0..<300 {
            var generator = Generator(random: SeededGenerator(seed: UInt64(seed)))
            // A container at the top, since Foundation takes bare texts for its old format.
            generator.list.nodes = [.array(.init(start: 0, count: 3))]
            let children = (0..<3).map { _ in generator.append(depth: 1) }
            generator.list.nodes[0] = .array(.init(start: generator.list.references.count, count: 3))
            generator.list.references += children
            let list = generator.list
            let objects = foundation(list, 0)
            let theirs = try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
            let ours = try list.xml()
            #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self), "seed \(seed)")
            for bytes in [ours, try list.binary()] {
                let read = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
                #expect((read as? NSObject) == (objects as? NSArray), "seed \(seed)")
                let back = try PropertyList(reading: bytes)
                #expect(try back.xml() == ours, "seed \(seed)")
            }
            let binary = try PropertyListSerialization.data(fromPropertyList: objects, format: .binary, options: 0)
            let read = foundation(try PropertyList(reading: [UInt8](binary)), 0)
            #expect((read as? NSArray) == (objects as? NSArray), "seed \(seed)")
        }
    }

    @Test(
        "reals have Foundation's digits",
        arguments: [
            0.0, -0.0, 1, -1, 0.1, 1.5, 1e15, 1e16, 1e17, 1e-4, 1e-5, 123_456_789.123, 1e300, -2.5e-300,
            .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan, .pi,
        ]
    )
    func reals(value: Double) throws {
        let theirs = try PropertyListSerialization.data(fromPropertyList: [value], format: .xml, options: 0)
        #expect(String(decoding: theirs, as: UTF8.self).contains("<real>\(RealText.describe(value))</real>"))
    }

    @Test("a variant archive turned to XML is what Foundation gives, and holds the same values")
    func archives() throws {
        for path in try Fixtures.archives(in: "variants") + Fixtures.archives(in: "expected") {
            let list = try PropertyList(reading: Fixtures.bytes(path))
            let back = try PropertyList(reading: list.xml())
            #expect(back.format == .xml)
            #expect(try back.xml() == list.xml())
            #expect((foundation(back, back.top) as? NSDictionary) == (foundation(list, list.top) as? NSDictionary))
        }
    }
}
