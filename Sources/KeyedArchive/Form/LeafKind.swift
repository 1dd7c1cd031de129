internal import FoundationEssentials
internal import KeyValueCoding

/// How a single value stands in an archive.
package enum LeafKind: String, Sendable {
    case bool
    case integer
    /// A real of 64 bits.
    case real
    /// A real of 32 bits.
    case single
    case date
    case data
    case text
    /// A date as an `NSDate` has it: a real, seconds since 2001-01-01 00:00 UTC.
    case referenceSeconds = "NS.time"
    /// Text as an old `NSMutableString` has it: its UTF-8 bytes, as data.
    case utf8Data = "NS.bytes"

    /// The kind of a node that stands for itself; nil for a container and for a reference.
    init?(_ node: PropertyList.Node) {
        switch node {
        case .bool: self = .bool
        case .integer: self = .integer
        case .real(_, let single): self = single ? .single : .real
        case .date: self = .date
        case .data: self = .data
        case .text: self = .text
        case .uid, .array, .set, .dictionary: return nil
        }
    }

    /// The node that holds a value in this way, or nil if the value is of another type.
    ///
    /// An integer may stand as text or as a real too, as some apps archived it.
    func node(for value: Value) -> PropertyList.Node? {
        switch (self, value) {
        case (.bool, .bool(let bool)): return .bool(bool)
        case (.integer, .integer(let integer)): return .integer(Int128(integer), width: 0)
        case (.integer, .wideInteger(let integer)): return .integer(integer, width: 0)
        case (.real, .real(let real)): return .real(real, single: false)
        case (.real, .integer(let integer)): return Double(exactly: integer).map { .real($0, single: false) }
        case (.single, .real(let real)):
            return real.isNaN || Double(Float(real)) == real ? .real(real, single: true) : nil
        case (.single, .integer(let integer)): return Float(exactly: integer).map { .real(Double($0), single: true) }
        case (.date, .date(let date)): return .date(date.timeIntervalSinceReferenceDate)
        case (.referenceSeconds, .date(let date)):
            return .real(date.timeIntervalSinceReferenceDate, single: false)
        case (.data, .data(let data)): return .data(data)
        case (.text, .text(let text)): return .text(text)
        case (.text, .integer(let integer)): return .text(String(integer))
        case (.utf8Data, .text(let text)): return .data(Array(text.utf8))
        case (.utf8Data, .integer(let integer)): return .data(Array(String(integer).utf8))
        default: return nil
        }
    }

    /// The value that a node of this kind stands for, or nil if the node is of another.
    func value(of node: PropertyList.Node) -> Value? {
        switch (self, node) {
        case (.bool, .bool(let bool)): .bool(bool)
        case (.integer, .integer(let integer)): Value(integer.value)
        case (.real, .real(let real, _)), (.single, .real(let real, _)): .real(real)
        case (.date, .date(let seconds)), (.referenceSeconds, .real(let seconds, _)):
            .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.data, .data(let data)): .data(data)
        case (.text, .text(let text)): .text(text)
        case (.utf8Data, .data(let data)): String(validating: data, as: UTF8.self).map(Value.text)
        default: nil
        }
    }
}
