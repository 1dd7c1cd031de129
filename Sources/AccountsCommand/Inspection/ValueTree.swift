internal import KeyValueCoding

/// Draws values as an indented tree, a line each: what is where, of which kind, and what it is.
struct ValueTree {
    /// Whether the lines have the colours of a terminal.
    let usesColour: Bool
    private var lines: [String] = []
    /// What is still to be drawn, the next one last. A stack of its own, since graphs can be deep.
    private var pending: [Item] = []

    private struct Item {
        var label: String
        var value: Value
        var depth: Int
    }

    /// Beyond this depth lines are not moved further to the right, but say how deep they are.
    private static let deepest = 24

    init(usesColour: Bool) {
        self.usesColour = usesColour
    }

    /// The lines of a value and what is in it.
    mutating func draw(_ value: Value, label: String) -> [String] {
        lines = []
        pending = [Item(label: label, value: value, depth: 0)]
        while let item = pending.popLast() { draw(item) }
        return lines
    }

    private mutating func draw(_ item: Item) {
        let place =
            item.depth <= Self.deepest
            ? String(repeating: "  ", count: item.depth)
            : String(repeating: "  ", count: Self.deepest) + "(\(item.depth) deep) "
        lines.append(place + colour(item.label, .key) + " = " + text(of: item.value))
        for (label, value) in children(of: item.value).reversed() {
            pending.append(Item(label: label, value: value, depth: item.depth + 1))
        }
    }

    /// What the line says of a value.
    private func text(of value: Value) -> String {
        switch value {
        case .null: colour("nil", .faint)
        case .bool(let bool): "\(bool)" + kind("bool")
        case .integer(let integer): "\(integer)" + kind("integer")
        case .wideInteger(let integer): "\(integer)" + kind("integer of more than 64 bits")
        case .real(let real): "\(real)" + kind("real")
        case .decimal(let literal): DisplayText.line(literal) + kind("decimal")
        case .text(let text): DisplayText.quoted(text) + kind("text")
        case .date(let date): Timestamp.format(date) + kind("date")
        case .data(let bytes): dataText(bytes) + kind("data, \(Self.count(bytes.count, "byte"))")
        case .array(let elements): colour("array of \(Self.count(elements.count, "element"))", .type)
        case .dictionary(let entries): colour("dictionary of \(Self.count(entries.count, "entry", "entries"))", .type)
        case .pairs(let pairs): colour("dictionary of \(Self.count(pairs.count, "entry", "entries"))", .type)
        case .object(let object): objectText(object)
        case .reference(let index): colour("-> object \(index), which was met before", .faint)
        }
    }

    private func objectText(_ object: Value.ObjectValue) -> String {
        let chain = object.classes.first == object.className ? object.classes.dropFirst() : object.classes[...]
        let parents = chain.map { " : " + DisplayText.line($0) }.joined()
        return colour(DisplayText.line(object.className), .type) + colour(parents, .faint)
    }

    private func dataText(_ bytes: [UInt8]) -> String {
        let shown = bytes.prefix(16).map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        return shown.joined(separator: " ") + (bytes.count > 16 ? " …" : "")
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

    private static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }

    // MARK: Colours

    private enum Role: String {
        case key = "36"
        case type = "33"
        case faint = "2"
    }

    private func kind(_ kind: String) -> String { colour("  (\(kind))", .faint) }

    private func colour(_ text: String, _ role: Role) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
