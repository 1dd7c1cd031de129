internal import FoundationEssentials

/// The objects by which the tagged dialect stands for values that JSON lacks.
enum JSONTags {
    /// Why an object is none of them.
    struct Failure: Error {
        var reason: String
    }

    /// The value that an object with `$` keys stands for.
    static func value(of fields: [String: Value]) throws(Failure) -> Value {
        if fields["$class"] != nil { return try object(fields) }
        if fields.count == 1, let (key, value) = fields.first, let read = try single(key, value) { return read }
        return .dictionary(try unescaped(fields))
    }

    /// Reads an object of one key; nil if that is no tag.
    private static func single(_ key: String, _ value: Value) throws(Failure) -> Value? {
        switch (key, value) {
        case ("$date", _): return .date(try date(value))
        case ("$data", .text(let text)):
            guard let bytes = Base64.decode(text.utf8.span) else { throw Failure(reason: "$data is not base 64") }
            return .data(bytes)
        case ("$pairs", .array(let elements)): return .pairs(try pairs(elements))
        case ("$ref", .integer(let number)):
            guard let index = Int(exactly: number) else { throw Failure(reason: "$ref is out of range") }
            return .reference(index)
        case ("$real", .text(let text)):
            guard let real = nonFinite(text) else { throw Failure(reason: "$real is not nan, inf or -inf") }
            return .real(real)
        case ("$decimal", .text(let text)): return .decimal(text)
        case ("$data", _), ("$pairs", _), ("$ref", _), ("$real", _), ("$decimal", _):
            throw Failure(reason: "\(key) holds \(value.kind)")
        default: return nil
        }
    }

    private static func date(_ value: Value) throws(Failure) -> Date {
        switch value {
        case .real(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds):
            guard let exact = Double(exactly: seconds) else { break }
            return Date(timeIntervalSinceReferenceDate: exact)
        case .text(let text):
            if let seconds = nonFinite(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
            guard let time = Timestamp.parse(text) else { break }
            return time
        default: throw Failure(reason: "$date holds \(value.kind)")
        }
        throw Failure(reason: "$date is no time of ISO 8601")
    }

    /// Reads what ``name(ofNonFinite:)`` gives.
    static func nonFinite(_ text: String) -> Double? {
        switch text {
        case "nan": return .nan
        case "inf": return .infinity
        case "-inf": return -.infinity
        default:
            guard text.hasPrefix("nan:"), let bits = UInt64(text.dropFirst(4), radix: 16) else { return nil }
            let real = Double(bitPattern: bits)
            return real.isNaN ? real : nil
        }
    }

    /// The name of a number that JSON has no literal for. A nan with other bits than the usual one is named with them.
    static func name(ofNonFinite real: Double) -> String {
        guard real.isNaN else { return real < 0 ? "-inf" : "inf" }
        let bits = real.bitPattern
        return bits == Double.nan.bitPattern ? "nan" : "nan:" + String(bits, radix: 16)
    }

    private static func pairs(_ elements: [Value]) throws(Failure) -> [Value.Pair] {
        var pairs: [Value.Pair] = []
        pairs.reserveCapacity(elements.count)
        for element in elements {
            guard case .array(let pair) = element, pair.count == 2 else {
                throw Failure(reason: "$pairs is not an array of arrays of a key and a value")
            }
            pairs.append(Value.Pair(key: pair[0], value: pair[1]))
        }
        return pairs
    }

    private static func object(_ fields: [String: Value]) throws(Failure) -> Value {
        var fields = fields
        guard case .text(let name) = fields.removeValue(forKey: "$class") else {
            throw Failure(reason: "$class is not text")
        }
        var classes: [String] = []
        if let chain = fields.removeValue(forKey: "$classes") {
            guard case .array(let names) = chain else { throw Failure(reason: "$classes is not an array") }
            for name in names {
                guard case .text(let name) = name else { throw Failure(reason: "$classes holds \(name.kind)") }
                classes.append(name)
            }
        }
        return .object(.init(className: name, classes: classes, fields: try unescaped(fields)))
    }

    /// Takes one `$` from the front of each key that begins with two.
    private static func unescaped(_ fields: [String: Value]) throws(Failure) -> [String: Value] {
        var result: [String: Value] = [:]
        result.reserveCapacity(fields.count)
        for (key, value) in fields {
            guard key.utf8.first == UInt8(ascii: "$") else {
                result[key] = value
                continue
            }
            let rest = key.unicodeScalars.dropFirst()
            guard rest.first == "$" else {
                throw Failure(reason: "a key begins with $ and stands for nothing here; $$ stands for $")
            }
            result[String(rest)] = value
        }
        return result
    }
}
