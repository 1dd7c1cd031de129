internal import KeyValueCoding

extension Value {
    /// The value with what is secret in it cut down: what is under a key that says so, as a whole, and what is secret
    /// in texts and data under other keys.
    ///
    /// - Parameter isSecret: whether a key above this value says that it is secret.
    func redactingSecrets(isSecret: Bool = false) -> Value {
        switch self {
        case .text(let text):
            return .text(isSecret ? Redaction.prefix(of: text) : SecretTexts.redacted(text))
        case .data(let bytes):
            return !bytes.isEmpty && (isSecret || SecretData.holdsSecrets(bytes)) ? .omittedData : self
        case .integer, .wideInteger, .real, .decimal:
            return isSecret ? .text("…") : self
        case .array(let elements):
            return .array(elements.map { $0.redactingSecrets(isSecret: isSecret) })
        case .dictionary(let entries):
            return .dictionary(Self.redacting(entries, isSecret))
        case .pairs(let pairs):
            return .pairs(pairs.map { Self.redacting($0, isSecret) })
        case .object(var object):
            object.fields = Self.redacting(object.fields, isSecret)
            return .object(object)
        case .null, .bool, .date, .reference:
            return self
        }
    }

    /// The same of a value that is under a key.
    func redactingSecrets(under key: String, isSecret: Bool = false) -> Value {
        switch self {
        case .integer(-999...999):
            // A flag or a count, as archives of tools have under such keys; too few digits for a secret.
            self
        case .integer, .wideInteger, .real, .decimal:
            (isSecret || SecretKeys.isSecret(key)) && !SecretKeys.isMeasure(key) ? .text("…") : self
        default:
            redactingSecrets(isSecret: isSecret || SecretKeys.isSecret(key))
        }
    }

    private static func redacting(_ pair: Pair, _ isSecret: Bool) -> Pair {
        guard case .text(let key) = pair.key else {
            return Pair(
                key: pair.key.redactingSecrets(isSecret: isSecret),
                value: pair.value.redactingSecrets(isSecret: isSecret)
            )
        }
        return Pair(key: pair.key, value: pair.value.redactingSecrets(under: key, isSecret: isSecret))
    }

    private static func redacting(_ entries: [String: Value], _ isSecret: Bool) -> [String: Value] {
        var result = entries
        for (key, value) in entries { result[key] = value.redactingSecrets(under: key, isSecret: isSecret) }
        return result
    }
}
