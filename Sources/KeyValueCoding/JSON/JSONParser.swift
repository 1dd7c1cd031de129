/// Reads one JSON text (RFC 8259) into a value.
///
/// Containers that are not yet closed are kept on a stack of its own, so that deep nesting costs no stack of the
/// thread's.
struct JSONParser {
    /// An array or object that is not yet closed.
    private struct Container {
        let isObject: Bool
        /// Where it begins.
        let start: Int
        var elements: [Value] = []
        var fields: [String: Value] = [:]
        /// The key whose value comes next.
        var key = ""
        var keyStart = 0
        /// Whether a key begins with `$`.
        var hasTag = false

        init(isObject: Bool, start: Int) {
            self.isObject = isObject
            self.start = start
            // Most objects have a few keys; growing from none would move them several times.
            if isObject { fields.reserveCapacity(6) }
        }
    }

    let dialect: JSONDialect
    let limits: JSONLimits
    var index = 0
    /// Where strings with escapes are put together.
    var scratch: [UInt8] = []
    private var stack: [Container] = []

    init(dialect: JSONDialect, limits: JSONLimits) {
        self.dialect = dialect
        self.limits = limits
    }

    /// Reads a whole text.
    mutating func parse(_ text: Span<UInt8>) throws(JSONError) -> Value {
        guard text.count <= limits.bytes else {
            throw JSONError(
                .tooLarge,
                byteOffset: 0,
                line: 1,
                column: 1,
                "\(text.count) bytes, at most \(limits.bytes)"
            )
        }
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { index = 3 }
        skipSpace(text)
        guard index < text.count else { throw JSONError(.empty, at: index, in: text, "no JSON value") }
        let value = try parseValue(text)
        skipSpace(text)
        guard index == text.count else {
            throw JSONError(.trailingBytes, at: index, in: text, "the value has ended, but more follows")
        }
        return value
    }

    private mutating func parseValue(_ text: Span<UInt8>) throws(JSONError) -> Value {
        while true {
            // At the first byte of a value.
            guard var value = try open(text) else { continue }
            // Behind a value: it goes to its container, and if that ends here, so does the container.
            while let depth = stack.indices.last {
                try add(value, to: depth, text)
                guard try close(text) else { break }
                let container = stack.removeLast()
                value = try finish(container, text)
            }
            if stack.isEmpty { return value }
        }
    }

    /// Reads a scalar or an empty container; nil when a container was opened whose first value comes next.
    private mutating func open(_ text: Span<UInt8>) throws(JSONError) -> Value? {
        switch peek(text) {
        case UInt8(ascii: "\""):
            index += 1
            return .text(try parseText(text))
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isObject = text[index] == UInt8(ascii: "{")
            guard stack.count < limits.depth else {
                throw JSONError(
                    .tooDeep,
                    at: index,
                    in: text,
                    "more than \(limits.depth) containers within one another"
                )
            }
            let container = Container(isObject: isObject, start: index)
            index += 1
            skipSpace(text)
            if peek(text) == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                index += 1
                return isObject ? .dictionary([:]) : .array([])
            }
            stack.append(container)
            if isObject { try parseKey(text) }
            return nil
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): return try parseNumber(text)
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true), text)
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false), text)
        case UInt8(ascii: "n"): return try parseWord("null", .null, text)
        default: throw unexpected(text, "a value")
        }
    }

    private mutating func add(_ value: Value, to depth: Int, _ text: Span<UInt8>) throws(JSONError) {
        guard stack[depth].isObject else {
            stack[depth].elements.append(value)
            return
        }
        guard stack[depth].fields.updateValue(value, forKey: stack[depth].key) == nil else {
            throw JSONError(.duplicateKey, at: stack[depth].keyStart, in: text, "the object has this key already")
        }
    }

    /// Reads what follows a value in the innermost container; true if that ends.
    private mutating func close(_ text: Span<UInt8>) throws(JSONError) -> Bool {
        let isObject = stack.last?.isObject ?? false
        skipSpace(text)
        let byte = peek(text)
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            index += 1
            return true
        }
        guard byte == UInt8(ascii: ",") else {
            throw unexpected(text, isObject ? "a comma or the end of the object" : "a comma or the end of the array")
        }
        index += 1
        skipSpace(text)
        if isObject { try parseKey(text) }
        return false
    }

    /// Reads a key and its colon, up to the value.
    private mutating func parseKey(_ text: Span<UInt8>) throws(JSONError) {
        guard peek(text) == UInt8(ascii: "\"") else { throw unexpected(text, "a key in quotation marks") }
        let start = index
        index += 1
        let key = try parseText(text)
        skipSpace(text)
        guard peek(text) == UInt8(ascii: ":") else { throw unexpected(text, "a colon") }
        index += 1
        skipSpace(text)
        let top = stack.count - 1
        stack[top].hasTag = stack[top].hasTag || key.utf8.first == UInt8(ascii: "$")
        stack[top].key = key
        stack[top].keyStart = start
    }

    private func finish(_ container: consuming Container, _ text: Span<UInt8>) throws(JSONError) -> Value {
        guard container.isObject else { return .array(container.elements) }
        guard container.hasTag, dialect == .tagged else { return .dictionary(container.fields) }
        do throws(JSONTags.Failure) {
            return try JSONTags.value(of: container.fields)
        } catch {
            throw JSONError(.badTag, at: container.start, in: text, error.reason)
        }
    }

    private mutating func parseWord(
        _ word: String,
        _ value: Value,
        _ text: Span<UInt8>
    ) throws(JSONError) -> Value {
        for byte in word.utf8 {
            guard peek(text) == byte else { throw unexpected(text, "the word \(word)") }
            index += 1
        }
        return value
    }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while index < text.count {
            switch text[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    /// The next byte; nil at the end.
    func peek(_ text: Span<UInt8>) -> UInt8? {
        index < text.count ? text[index] : nil
    }

    /// An error for the byte at hand, or for the end of the text.
    func unexpected(_ text: Span<UInt8>, _ expected: String, _ code: JSONError.Code = .unexpectedByte) -> JSONError {
        guard let byte = peek(text) else {
            return JSONError(.truncated, at: index, in: text, "the text ends where \(expected) is expected")
        }
        let found =
            (0x21...0x7E).contains(byte)
            ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x\(String(byte, radix: 16, uppercase: true))"
        return JSONError(code, at: index, in: text, "expected \(expected), found \(found)")
    }
}
