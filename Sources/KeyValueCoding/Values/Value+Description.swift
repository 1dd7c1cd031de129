extension Value {
    /// The kind of the value, in one word or two.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a bool"
        case .integer, .wideInteger: "an integer"
        case .real: "a real"
        case .decimal: "a decimal"
        case .text: "text"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary, .pairs: "a dictionary"
        case .object: "an object"
        case .reference: "a reference"
        }
    }

    /// The kind, with a number's value, a size, or the first characters of a text; on one line and short.
    public var summary: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "the bool \(bool)"
        case .integer(let integer): "the integer \(integer)"
        case .wideInteger(let integer): "the integer \(integer)"
        case .real(let real): "the real \(real)"
        case .decimal(let literal): "the decimal \(Self.short(literal))"
        case .text(let text): "the text \(Redaction.redact(text))"
        case .date(let date): "the date \(Timestamp.format(date))"
        case .data(let bytes): "data of \(bytes.count) bytes"
        case .array(let elements): "an array of \(elements.count)"
        case .dictionary(let entries): "a dictionary of \(entries.count)"
        case .pairs(let pairs): "a dictionary of \(pairs.count)"
        case .object(let object): "an object of class \(Redaction.name(object.className))"
        case .reference(let index): "a reference to object \(index)"
        }
    }

    private static func short(_ literal: String) -> String {
        literal.utf8.count <= 40 ? Redaction.name(literal) : "\(Redaction.name(String(literal.prefix(40))))…"
    }
}

extension Value: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value on one line, for people. A text may be a token, so only its first 4 characters are shown, and of
    /// data only the size; long containers are cut. Use JSON for all of it.
    public var description: String {
        var budget = 64
        return describe(depth: 0, budget: &budget)
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, since these would show texts whole.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// - Parameter budget: how many more elements of containers may be shown.
    private func describe(depth: Int, budget: inout Int) -> String {
        switch self {
        case .null: return "null"
        case .bool(let bool): return String(bool)
        case .integer(let integer): return String(integer)
        case .wideInteger(let integer): return String(integer)
        case .real(let real): return real.description
        case .decimal(let literal): return Self.short(literal)
        case .text(let text): return Redaction.redact(text)
        case .date(let date): return Timestamp.format(date)
        case .reference, .data: return "<\(summary)>"
        case .array, .dictionary, .pairs, .object: break
        }
        guard depth < 8 else { return "<\(summary)>" }
        switch self {
        case .array(let elements):
            return Self.list("[", elements, "]", &budget) { $0.describe(depth: depth + 1, budget: &$1) }
        case .pairs(let pairs):
            return Self.list("{", pairs, "}", &budget) {
                let key = $0.key.describe(depth: depth + 1, budget: &$1)
                return "\(key): \($0.value.describe(depth: depth + 1, budget: &$1))"
            }
        case .dictionary(let entries): return Self.fields("{", entries, depth, &budget)
        case .object(let object):
            return Self.fields("\(Redaction.name(object.className)){", object.fields, depth, &budget)
        default: return kind
        }
    }

    private static func fields(_ open: String, _ entries: [String: Value], _ depth: Int, _ budget: inout Int) -> String
    {
        list(open, entries.sorted { $0.key < $1.key }, "}", &budget) {
            "\(Redaction.name($0.key)): \($0.value.describe(depth: depth + 1, budget: &$1))"
        }
    }

    private static func list<T>(
        _ open: String,
        _ elements: [T],
        _ close: String,
        _ budget: inout Int,
        _ describe: (T, inout Int) -> String
    ) -> String {
        var shown: [String] = []
        for element in elements {
            guard budget > 0 else {
                shown.append("… \(elements.count - shown.count) more")
                break
            }
            budget -= 1
            shown.append(describe(element, &budget))
        }
        return open + shown.joined(separator: ", ") + close
    }
}
