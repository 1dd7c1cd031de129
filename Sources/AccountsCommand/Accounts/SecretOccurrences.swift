internal import KeyValueCoding

/// The texts and data of a document that are secret in one place, and so in every other, names and parts of others included.
struct SecretOccurrences {
    private var patterns = BytePatterns()
    private var texts: Set<String> = []
    /// What is shown for each name that was met, and all of that.
    private var names: [String: String] = [:]
    private var shownNames: Set<String> = []

    /// Shorter ones are words and numbers that stand for other things elsewhere.
    private static let shortest = 8
    /// A part of a secret, such as the token behind `Bearer`, is one itself if it is as long as this.
    private static let shortestPart = 16

    /// Takes note of what was cut in a value.
    ///
    /// - Parameters:
    ///   - value: the value as it was.
    ///   - redacted: the same with its secrets cut.
    mutating func insert(_ value: Value, redacted: Value) {
        switch (value, redacted) {
        case (.text(let text), .text(let cut)):
            if text != cut { insert(text, isWhole: cut == Redaction.prefix(of: text)) }
        case (.integer, .text), (.wideInteger, .text): insert(value.description, isWhole: true)
        case (.data(let bytes), _):
            if value != redacted, bytes.count >= Self.shortest { patterns.insert(bytes) }
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

    /// Takes note of a text that was cut, as a whole or where secrets are in it.
    private mutating func insert(_ text: String, isWhole: Bool) {
        guard texts.insert(text).inserted else { return }
        let bytes = Array(text.utf8)
        for range in NamedSecrets.ranges(in: bytes) where range.count >= Self.shortest { patterns.insert(bytes[range]) }
        guard isWhole, text.unicodeScalars.count >= Self.shortest else { return }
        patterns.insert(bytes)
        for part in bytes.split(whereSeparator: { !SecretTexts.isTokenByte($0) && $0 != UInt8(ascii: ".") })
        where part.count >= Self.shortestPart { patterns.insert(part) }
        // Texts in ASCII are found in UTF-16 by leaving its zeros out.
        if !bytes.allSatisfy({ $0 < 0x80 }) {
            patterns.insert(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
            patterns.insert(text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
        }
    }

    /// The text with these texts, and what is secret whatever its key, cut wherever they stand in it.
    func cut(_ text: String) -> String {
        let bytes = Array(SecretTexts.redacted(text).utf8)
        return SecretTexts.cut(patterns.ranges(in: bytes), of: bytes)
    }

    /// The value with these texts cut wherever they stand, in names too. Names that differ stay different.
    mutating func cut(in value: Value) -> Value {
        switch value {
        case .text(let text): return patterns.isEmpty ? value : .text(cut(text))
        case .integer, .wideInteger:
            return patterns.match(in: Array(value.description.utf8)) ? .text("…") : value
        case .data(let bytes):
            return patterns.match(in: bytes) || patterns.match(in: bytes.filter { $0 != 0 }) ? .omittedData : value
        case .array(let elements): return .array(elements.map { cut(in: $0) })
        case .pairs(let pairs): return .pairs(pairs.map { Value.Pair(key: cut(in: $0.key), value: cut(in: $0.value)) })
        case .dictionary(let entries): return .dictionary(cut(in: entries))
        case .object(let object):
            return .object(
                Value.ObjectValue(
                    className: cut(object.className),
                    classes: object.classes.map(cut),
                    fields: cut(in: object.fields)
                )
            )
        default: return value
        }
    }

    private mutating func cut(in entries: [String: Value]) -> [String: Value] {
        var result: [String: Value] = [:]
        for key in entries.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            if let value = entries[key] { result[shownName(assigning: key)] = cut(in: value) }
        }
        return result
    }

    // MARK: Names

    /// What is shown for a name, which is then shown for no other.
    mutating func shownName(assigning name: String) -> String {
        if let known = names[name] { return known }
        let cut = cut(name)
        var shown = cut
        var number = 1
        while !shownNames.insert(shown).inserted {
            number += 1
            shown = "\(cut) (\(number))"
        }
        names[name] = shown
        return shown
    }

    /// What was shown for a name.
    func shownName(_ name: String) -> String { names[name] ?? cut(name) }
}
