internal import KeyValueCoding
internal import KeyedArchive

/// Draws values as an indented tree, a line each: what is where, of which kind, and what it is.
struct ValueTree {
    private let style: TreeStyle
    private var lines: [String] = []
    /// What is still to be drawn, the next one last. A stack of its own, since graphs can be deep.
    private var pending: [Item] = []

    private struct Item {
        var label: String
        var value: Value
        var depth: Int
    }

    /// Prepares to draw, with the colours of a terminal or without.
    init(usesColour: Bool) {
        style = TreeStyle(usesColour: usesColour)
    }

    /// The lines of a value and what is in it.
    mutating func draw(_ value: Value, label: String) -> [String] {
        lines = []
        pending = [Item(label: label, value: value, depth: 0)]
        while let item = pending.popLast() { draw(item) }
        return lines
    }

    private mutating func draw(_ item: Item) {
        let isReference = if case .reference = item.value { true } else { false }
        let start = style.start(depth: item.depth, label: item.label)
        lines.append(start + (isReference ? " " : " = ") + text(of: item.value))
        for (label, value) in children(of: item.value).reversed() {
            pending.append(Item(label: label, value: value, depth: item.depth + 1))
        }
    }

    /// What the line says of a value.
    private func text(of value: Value) -> String {
        switch value {
        case .null: style.nothing(name: nil)
        case .array(let elements): style.type("array of \(TreeStyle.count(elements.count, "element"))")
        case .dictionary(let entries): style.type("dictionary of \(TreeStyle.count(entries.count, "entry", "entries"))")
        case .pairs(let pairs): style.type("dictionary of \(TreeStyle.count(pairs.count, "entry", "entries"))")
        case .object(let object): style.type(ArchivedClass(name: object.className, chain: object.classes))
        case .reference(let index): style.reference(to: index, note: "met before")
        default: style.scalar(value, of: value, kind: Self.kind(of: value))
        }
    }

    private static func kind(of value: Value) -> String {
        switch value {
        case .bool: "bool"
        case .integer: "integer"
        case .wideInteger: "integer of more than 64 bits"
        case .real: "real"
        case .decimal: "decimal"
        case .date: "date"
        case .data: "data"
        default: "text"
        }
    }

    private func children(of value: Value) -> [(String, Value)] {
        switch value {
        case .array(let elements):
            elements.enumerated().map { ("[\($0.offset)]", $0.element) }
        case .dictionary(let entries):
            Self.sorted(entries)
        case .object(let object):
            Self.sorted(object.fields)
        case .pairs(let pairs):
            pairs.enumerated().flatMap { index, pair in
                [("key [\(index)]", pair.key), ("value [\(index)]", pair.value)]
            }
        default:
            []
        }
    }

    private static func sorted(_ entries: [String: Value]) -> [(String, Value)] {
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { (DisplayText.line($0.key), $0.value) }
    }
}
