internal import KeyValueCoding

/// The texts of a document that are secret in one place, and so in every other.
struct SecretOccurrences {
    private var texts: Set<String> = []

    /// Shorter texts are words and numbers that stand for other things elsewhere.
    private static let shortest = 8

    /// Whether a text was secret somewhere.
    func contains(_ text: String) -> Bool { texts.contains(text) }

    /// Takes note of a text that was cut.
    mutating func insert(_ text: String) {
        if text.unicodeScalars.count >= Self.shortest { texts.insert(text) }
    }

    /// Takes note of the texts that were cut in a value.
    ///
    /// - Parameters:
    ///   - value: the value as it was.
    ///   - redacted: the same with its secrets cut.
    mutating func insert(_ value: Value, redacted: Value) {
        switch (value, redacted) {
        case (.text(let text), .text(let cut)):
            if text != cut { insert(text) }
        case (.array(let elements), .array(let others)):
            for (element, other) in zip(elements, others) { insert(element, redacted: other) }
        case (.pairs(let pairs), .pairs(let others)):
            for (pair, other) in zip(pairs, others) {
                insert(pair.key, redacted: other.key)
                insert(pair.value, redacted: other.value)
            }
        case (.dictionary(let entries), .dictionary(let others)): insert(entries, redacted: others)
        case (.object(let object), .object(let other)): insert(object.fields, redacted: other.fields)
        default: break
        }
    }

    private mutating func insert(_ entries: [String: Value], redacted others: [String: Value]) {
        for (key, value) in entries {
            if let other = others[key] { insert(value, redacted: other) }
        }
    }

    /// The value with these texts cut wherever they stand.
    func cut(in value: Value) -> Value {
        guard !texts.isEmpty else { return value }
        switch value {
        case .text(let text): return contains(text) ? .text(Redaction.prefix(of: text)) : value
        case .array(let elements): return .array(elements.map(cut))
        case .pairs(let pairs): return .pairs(pairs.map { Value.Pair(key: cut(in: $0.key), value: cut(in: $0.value)) })
        case .dictionary(let entries): return .dictionary(entries.mapValues(cut))
        case .object(var object):
            object.fields = object.fields.mapValues(cut)
            return .object(object)
        default: return value
        }
    }
}
