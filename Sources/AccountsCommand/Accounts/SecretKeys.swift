internal import KeyValueCoding

/// Which keys hold secrets, in archives and extras whose meaning nobody has declared.
enum SecretKeys {
    private static let words = ["token", "secret", "password", "passwd", "credential"].map { Array($0.utf8) }

    /// Whether the text under a key is not for everyone's eyes.
    ///
    /// A listing asks it for every key of every account, so that it works on bytes.
    static func isSecret(_ key: String) -> Bool {
        let bytes = key.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return words.contains { word in
            bytes.count >= word.count
                && (0...(bytes.count - word.count)).contains { bytes[$0...].starts(with: word) }
        }
    }
}

extension Value {
    /// The value with texts and data cut down to their beginnings wherever a key says that they are secret.
    ///
    /// - Parameter isSecret: whether a key above this value says so already.
    func redactingSecrets(isSecret: Bool = false) -> Value {
        switch self {
        case .text(let text):
            return isSecret ? .text(Redaction.prefix(of: text)) : self
        case .data(let bytes):
            return isSecret && !bytes.isEmpty ? .text("…") : self
        case .array(let elements):
            return .array(elements.map { $0.redactingSecrets(isSecret: isSecret) })
        case .dictionary(let entries):
            return .dictionary(Self.redacting(entries, isSecret))
        case .pairs(let pairs):
            return .pairs(pairs.map { Self.redacting($0, isSecret) })
        case .object(var object):
            object.fields = Self.redacting(object.fields, isSecret)
            return .object(object)
        case .null, .bool, .integer, .wideInteger, .real, .decimal, .date, .reference:
            return self
        }
    }

    private static func redacting(_ pair: Pair, _ isSecret: Bool) -> Pair {
        let isNamedSecret = if case .text(let key) = pair.key { SecretKeys.isSecret(key) } else { false }
        return Pair(key: pair.key, value: pair.value.redactingSecrets(isSecret: isSecret || isNamedSecret))
    }

    private static func redacting(_ entries: [String: Value], _ isSecret: Bool) -> [String: Value] {
        var result = entries
        for (key, value) in entries {
            result[key] = value.redactingSecrets(isSecret: isSecret || SecretKeys.isSecret(key))
        }
        return result
    }
}
