import KeyValueCoding
import TestSupport
import Testing

@testable import KeyedArchive

@Suite("Random changes of random graphs")
struct RandomEditingTests {
    @Test(
        "a graph that is changed is what a value is that is changed in the same way",
        arguments: 0..<150 as Range<UInt64>
    )
    func changes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var value = Self.object(&random, depth: 0)
        var graph = ArchiveGraph(layout: Bool.random(using: &random) ? .ios12 : .ios13)
        graph.format = Bool.random(using: &random) ? .binary : .xml
        try graph.setTop(value)
        for _ in 0..<12 {
            // Now and then from the file, now and then from what is in memory.
            if Bool.random(using: &random) { graph = ArchiveGraph(try Archive(reading: try graph.data())) }
            try Self.change(&graph, &value, &random)
            let bytes = try graph.data()
            let archive = try Archive(reading: bytes)
            #expect(try archive.root.value().isIdentical(to: value))
            #expect(archive.referenceCounts.dropFirst().allSatisfy { $0 > 0 })
            #expect(try archive.data(format: archive.format) == bytes)
        }
    }

    /// Changes something somewhere in both.
    private static func change(
        _ graph: inout ArchiveGraph,
        _ value: inout Value,
        _ random: inout SeededGenerator
    ) throws {
        let path = value.paths.randomElement(using: &random) ?? []
        let place = ArchivePath(path)
        let new = Self.value(&random, depth: path.count)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !path.isEmpty:
            try graph.removeValue(at: place)
            value.change(path[...]) { _ in nil }
        case 1:
            switch value.part(path[...]) {
            case .array(let elements):
                let position = Int.random(in: 0...elements.count, using: &random)
                try graph.insert(new, at: place.appending(.index(position)))
                var grown = elements
                grown.insert(new, at: position)
                value.change(path[...]) { _ in .array(grown) }
            case .dictionary, .object:
                let key = ["new", "other", "another key that is long"].randomElement(using: &random) ?? ""
                let isInline = Bool.random(using: &random)
                try graph.setValue(new, at: place.appending(.key(key)), encoding: isInline ? .inline : .object)
                value.change(path[...]) { $0.with(new, under: key) }
            default: return
            }
        default:
            guard !path.isEmpty else { return }
            try graph.setValue(new, at: place)
            value.change(path[...]) { _ in new }
        }
    }

    private static func object(_ random: inout SeededGenerator, depth: Int) -> Value {
        let fields = fields(&random, depth: depth)
        return .object(
            Value.ObjectValue(className: "Class\(depth)", classes: ["Class\(depth)", "NSObject"], fields: fields)
        )
    }

    private static func fields(_ random: inout SeededGenerator, depth: Int) -> [String: Value] {
        var fields: [String: Value] = [:]
        for key in ["name", "id", "value", "$key", "a key of many letters"].prefix(
            Int.random(in: 0...5, using: &random)
        ) {
            fields[key] = value(&random, depth: depth + 1)
        }
        return fields
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> Value {
        switch Int.random(in: depth > 3 ? 4..<12 : 0..<12, using: &random) {
        case 0, 1: return object(&random, depth: depth)
        case 2: return .dictionary(fields(&random, depth: depth))
        case 3:
            var elements: [Value] = []
            for _ in 0..<Int.random(in: 0..<4, using: &random) { elements.append(value(&random, depth: depth + 1)) }
            return .array(elements)
        case 4: return .null
        case 5: return .bool(Bool.random(using: &random))
        case 6: return .integer(Int64.random(in: -3...3, using: &random))
        case 7: return .integer(Int64(bitPattern: random.next()))
        case 8: return .real(Double(Int.random(in: -4...4, using: &random)) / 4)
        case 9: return .data([UInt8](repeating: 1, count: Int.random(in: 0..<4, using: &random)))
        case 10: return .text(["", "a", "$null", "name"].randomElement(using: &random) ?? "")
        default: return .text("a text of many letters, \(Int.random(in: 0..<3, using: &random)) ü")
        }
    }
}

extension Value {
    /// The ways to all that is in the value, and to itself.
    fileprivate var paths: [[PathStep]] {
        let parts: [(PathStep, Value)] =
            switch self {
            case .array(let elements): elements.enumerated().map { (.index($0.offset), $0.element) }
            case .dictionary(let entries): entries.sorted { $0.key < $1.key }.map { (.key($0.key), $0.value) }
            case .object(let object): object.fields.sorted { $0.key < $1.key }.map { (.key($0.key), $0.value) }
            default: []
            }
        return [[]] + parts.flatMap { step, part in part.paths.map { [step] + $0 } }
    }

    fileprivate func part(_ path: ArraySlice<PathStep>) -> Value? { value(at: path) }

    fileprivate func with(_ new: Value?, under key: String) -> Value {
        switch self {
        case .dictionary(var entries):
            entries[key] = new
            return .dictionary(entries)
        case .object(var object):
            object.fields[key] = new
            return .object(object)
        default: return self
        }
    }

    /// Replaces what a path leads to, or takes it out.
    fileprivate mutating func change(_ path: ArraySlice<PathStep>, _ change: (Value) -> Value?) {
        guard let step = path.first else {
            self = change(self) ?? .null
            return
        }
        guard var inner = part(path.prefix(1)) else { return }
        var new: Value?
        if path.count == 1 {
            new = change(inner)
        } else {
            inner.change(path.dropFirst(), change)
            new = inner
        }
        switch (step, self) {
        case (.key(let key), _): self = with(new, under: key)
        case (.index(let index), .array(var elements)):
            elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
            self = .array(elements)
        default: break
        }
    }
}
