internal import FoundationEssentials

/// Writes a value as JSON at the end of an array of bytes.
struct JSONWriter {
    let dialect: JSONDialect
    let isPretty: Bool
    /// How many containers are open.
    private var depth = 0

    init(dialect: JSONDialect, isPretty: Bool) {
        self.dialect = dialect
        self.isPretty = isPretty
    }

    mutating func write(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .null: Self.append("null", to: &bytes)
        case .bool(let bool): Self.append(bool ? "true" : "false", to: &bytes)
        case .integer(let integer): Self.append(String(integer), to: &bytes)
        case .wideInteger(let integer): Self.append(String(integer), to: &bytes)
        case .real(let real) where real.isFinite: Self.append(real.description, to: &bytes)
        case .real(let real): writeTag("$real", text: JSONTags.name(ofNonFinite: real), to: &bytes)
        case .decimal(let literal): writeDecimal(literal, to: &bytes)
        case .text(let text): Self.writeText(text, to: &bytes)
        case .date(let date): writeDate(date, to: &bytes)
        case .data(let data):
            Self.append("{\"$data\":\"", to: &bytes)
            Base64.encode(data, into: &bytes)
            Self.append("\"}", to: &bytes)
        case .array(let elements):
            writeContainer("[", "]", elements, to: &bytes) { $0.write($1, to: &$2) }
        case .dictionary(let entries):
            writeContainer("{", "}", Self.sorted(entries), to: &bytes) { $0.writeField($1, to: &$2) }
        case .pairs(let pairs):
            Self.append(isPretty ? "{\"$pairs\": " : "{\"$pairs\":", to: &bytes)
            writeContainer("[", "]", pairs, to: &bytes) { writer, pair, bytes in
                bytes.append(UInt8(ascii: "["))
                writer.write(pair.key, to: &bytes)
                bytes.append(UInt8(ascii: ","))
                if writer.isPretty { bytes.append(0x20) }
                writer.write(pair.value, to: &bytes)
                bytes.append(UInt8(ascii: "]"))
            }
            bytes.append(UInt8(ascii: "}"))
        case .object(let object): writeObject(object, to: &bytes)
        case .reference(let index): Self.append("{\"$ref\":\(index)}", to: &bytes)
        }
    }

    private typealias Field = (key: String, value: Value, isTag: Bool)

    private mutating func writeObject(_ object: Value.ObjectValue, to bytes: inout [UInt8]) {
        var fields: [Field] = [("$class", .text(object.className), true)]
        if !object.classes.isEmpty { fields.append(("$classes", .array(object.classes.map(Value.text)), true)) }
        fields += Self.sorted(object.fields)
        writeContainer("{", "}", fields, to: &bytes) { $0.writeField($1, to: &$2) }
    }

    /// By the bytes of the keys, an order that no version of Unicode changes.
    private static func sorted(_ entries: [String: Value]) -> [Field] {
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value, false) }
    }

    private mutating func writeField(_ field: Field, to bytes: inout [UInt8]) {
        let isEscaped = dialect == .tagged && !field.isTag && field.key.utf8.first == UInt8(ascii: "$")
        Self.writeText(isEscaped ? "$" + field.key : field.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(0x20) }
        write(field.value, to: &bytes)
    }

    private mutating func writeContainer<T>(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ elements: [T],
        to bytes: inout [UInt8],
        _ write: (inout JSONWriter, T, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        depth += 1
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            breakLine(&bytes)
            write(&self, element, &bytes)
        }
        depth -= 1
        if !isFirst { breakLine(&bytes) }
        bytes.append(UInt8(ascii: close))
    }

    private func breakLine(_ bytes: inout [UInt8]) {
        guard isPretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private func writeTag(_ tag: String, text: String, to bytes: inout [UInt8]) {
        Self.append("{\"\(tag)\":", to: &bytes)
        Self.writeText(text, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private func writeDecimal(_ literal: String, to bytes: inout [UInt8]) {
        let read = JSONParser.number(literal)
        if dialect == .plain ? read != nil : read == .decimal(literal) {
            Self.append(literal, to: &bytes)
        } else {
            writeTag("$decimal", text: literal, to: &bytes)
        }
    }

    private func writeDate(_ date: Date, to bytes: inout [UInt8]) {
        let seconds = date.timeIntervalSinceReferenceDate
        // A date near the reference date can have hundreds of digits behind the point, which nobody reads.
        if let time = DecimalTime(date), time.hasFourDigitYear, time.fraction.count <= 30,
            seconds != 0 || seconds.sign == .plus
        {
            writeTag("$date", text: time.iso8601, to: &bytes)
        } else if seconds.isFinite {
            Self.append("{\"$date\":\(seconds)}", to: &bytes)
        } else {
            writeTag("$date", text: JSONTags.name(ofNonFinite: seconds), to: &bytes)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a string; what has to be escaped is escaped, everything else stands as it is.
    static func writeText(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: mustEscape) {
            for byte in text.utf8 { writeByte(byte, to: &bytes) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeByte(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard mustEscape(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default: append("u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))", to: &bytes)
        }
    }
}

extension DecimalTime {
    /// Whether the year is one of 1 to 9999.
    fileprivate var hasFourDigitYear: Bool {
        (1...9_999).contains(CivilDate(daysSince1970: seconds.flooringQuotient(86_400)).year)
    }
}
