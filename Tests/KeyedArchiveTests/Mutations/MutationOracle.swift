import TestSupport

@testable import KeyedArchive

/// Says of a mutation that was accepted whether what was read follows from the bytes that were changed.
///
/// It goes by where the objects of the good file stand. In a binary file an object has to be read from the place where it
/// was, and may be another only if it is a scalar one of whose bytes was changed; a reference, a UID and a container may
/// not. In XML, which has neither offsets nor references, the same holds for elements, and beside scalars an entry or an
/// element may be gone or new where its bytes are.
struct MutationOracle {
    /// What becomes of a mutation.
    enum Verdict: Equatable {
        case same
        /// Another value, which the changed bytes spell.
        case spelled
        /// Other references between objects that are referred to elsewhere too, which the bytes cannot tell from damage.
        case shared
        /// Two UIDs or runs of them in one another's places, which takes several bytes.
        case exchanged
        case wrong(String)
    }

    private let bytes: [UInt8]
    private let list: PropertyList

    /// Learns the good file.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        list = try PropertyList(reading: bytes)
    }

    func verdict(on mutated: MutatedBytes, read found: PropertyList) -> Verdict {
        guard found.format == list.format else { return .wrong("another format") }
        if found.nodes == list.nodes, found.references == list.references, found.top == list.top { return .same }
        return list.format == .binary ? binaryVerdict(mutated, found) : xmlVerdict(mutated, found)
    }

    // MARK: Binary

    private func binaryVerdict(_ mutated: MutatedBytes, _ found: PropertyList) -> Verdict {
        guard mutated.bytes.count == bytes.count else { return .wrong("another length gives another value") }
        guard found.nodes.count == list.nodes.count, found.top == list.top else { return .wrong("other objects") }
        var verdict = Verdict.same
        var changes: [(before: Target, after: Target)] = []
        for (index, node) in list.nodes.enumerated() {
            let source = list.sources[index]
            guard found.sources[index].lowerBound == source.lowerBound else {
                return .wrong("object \(index) was moved")
            }
            switch (node, found.nodes[index]) {
            case (.array(let run), .array(let other)) where run.count == other.count,
                (.dictionary(let run), .dictionary(let other)) where run.count == other.count:
                let count = node.isDictionary ? run.count * 2 : run.count
                for place in 0..<count {
                    let (before, after) = (list.references[run.start + place], found.references[other.start + place])
                    // A UID or a bool that is written twice may be referred to in either place.
                    guard before != after, list.nodes[before] != list.nodes[after] else { continue }
                    changes.append((.object(before), .object(after)))
                }
            case (.uid(let before), .uid(let after)):
                if before != after { changes.append((.element(before), .element(after))) }
            case (.array, _), (.set, _), (.dictionary, _), (.uid, _):
                return .wrong("object \(index), \(list.kind(of: index)), is \(found.kind(of: index))")
            case (let node, let other) where node != other:
                guard mutated.bytes[source] != bytes[source] else {
                    return .wrong("object \(index), whose bytes are as before")
                }
                verdict = .spelled
            default: continue
            }
        }
        guard !changes.isEmpty else { return verdict }
        if areExchanged(changes) { return .exchanged }
        return changes.allSatisfy { isElsewhere($0.before, in: found) && isElsewhere($0.after, in: list) }
            ? .shared : .wrong("\(changes)")
    }

    /// What a reference leads to: an object of the property list, or an element of `$objects`.
    private enum Target: Hashable {
        case object(Int)
        case element(UInt64)
    }

    /// Whether UIDs of the file have changed places, each of which leads to what some archiver could have meant.
    private func areExchanged(_ changes: [(before: Target, after: Target)]) -> Bool {
        func counts(_ targets: [Target]) -> [Target: Int] { Dictionary(targets.map { ($0, 1) }, uniquingKeysWith: +) }
        guard changes.count > 1, changes.allSatisfy({ if case .element = $0.before { true } else { false } }) else {
            return false
        }
        return counts(changes.map(\.before)) == counts(changes.map(\.after))
    }

    /// Whether something is referred to in a list, be it the good one or what was read.
    private func isElsewhere(_ target: Target, in list: PropertyList) -> Bool {
        switch target {
        case .object(let index): list.references.contains(index)
        case .element(let index): index == 0 || list.nodes.contains(.uid(index))
        }
    }

    // MARK: XML

    private func xmlVerdict(_ mutated: MutatedBytes, _ found: PropertyList) -> Verdict {
        let comparison = XMLComparison(
            old: list,
            new: found,
            touched: mutated.touchedPositions(),
            added: mutated.newPositions()
        )
        return comparison.areAlike(list.top, found.top) ? .spelled : .wrong("other elements")
    }
}

/// Compares two XML property lists, element by element.
private struct XMLComparison {
    let old: PropertyList
    let new: PropertyList
    let touched: [Bool]
    let added: [Bool]

    func areAlike(_ left: Int, _ right: Int) -> Bool {
        switch (old.nodes[left], new.nodes[right]) {
        case (.array(let left), .array(let right)):
            return areAlike(old.elements(of: left).map { [$0] }, new.elements(of: right).map { [$0] })
        case (.dictionary(let left), .dictionary(let right)):
            return areAlike(entries(left, in: old), entries(right, in: new))
        case (.array, _), (_, .array), (.dictionary, _), (_, .dictionary):
            return false
        case (.uid(let left), .uid(let right)):
            return left == right
        case (.uid, _), (_, .uid):
            return false
        case (let before, let after):
            return before == after || isTouched(left) && isAdded(right)
        }
    }

    private func entries(_ run: PropertyList.Run, in list: PropertyList) -> [[Int]] {
        (run.start..<(run.start + run.count)).map { [list.references[$0], list.references[$0 + run.count]] }
    }

    /// Whether entries or elements are the same, but for some next to one another that were touched.
    private func areAlike(_ left: [[Int]], _ right: [[Int]]) -> Bool {
        if left.count == right.count, zip(left, right).allSatisfy({ zip($0, $1).allSatisfy(areAlike) }) { return true }
        let atStart = zip(left, right).prefix { zip($0, $1).allSatisfy(areSame) }.count
        let most = min(left.count, right.count) - atStart
        let atEnd = zip(left.reversed(), right.reversed()).prefix(most).prefix { zip($0, $1).allSatisfy(areSame) }.count
        let gone = left[atStart..<(left.count - atEnd)]
        let come = right[atStart..<(right.count - atEnd)]
        return gone.allSatisfy { $0.contains(where: isTouched) && isScalar($0.last ?? 0, in: old) }
            && come.allSatisfy { $0.contains(where: isAdded) && isScalar($0.last ?? 0, in: new) }
    }

    private func areSame(_ left: Int, _ right: Int) -> Bool {
        if old.nodes[left].run == nil, new.nodes[right].run == nil { return old.nodes[left] == new.nodes[right] }
        return areAlike(left, right)
    }

    private func isScalar(_ node: Int, in list: PropertyList) -> Bool {
        if case .uid = list.nodes[node] { return false }
        return list.nodes[node].run == nil
    }

    private func isTouched(_ node: Int) -> Bool { touched[old.sources[node]].contains(true) }

    private func isAdded(_ node: Int) -> Bool { added[new.sources[node]].contains(true) }
}
