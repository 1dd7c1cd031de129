internal import AccountStorage

/// Text from files, users and databases, made safe for a line on a terminal.
enum DisplayText {
    /// The text with everything escaped that would break a line or steer a terminal.
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// A path as one line. Bytes that are no text are written `\xE9`.
    ///
    /// JSON that was given in place of a path is not shown: there may be a token in it.
    static func path(_ path: FilePath) -> String {
        if isJSON(path) { return "{…}" }
        var result = ""
        var rest = path.bytes[...]
        while let first = rest.first {
            var decoder = UTF8()
            var iterator = rest.makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&iterator) {
                append(scalar, to: &result)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                result += "\\x" + hex(UInt32(first), digits: 2)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func isJSON(_ path: FilePath) -> Bool {
        guard let first = path.bytes.first(where: { $0 > 0x20 }) else { return false }
        return (first == UInt8(ascii: "{") || first == UInt8(ascii: "[")) && path.bytes.contains(UInt8(ascii: "\""))
    }

    /// The text in quotation marks, with the escapes of JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            default: append(scalar, to: &result)
            }
        }
        return result + "\""
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            switch scalar.properties.generalCategory {
            // Also marks that reverse the direction of text, and separators of lines.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                result += "\\u{" + hex(scalar.value, digits: 1) + "}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// Words for a shell.
enum Shell {
    /// The word as a POSIX shell reads it back: as it is if nothing in it means anything to a shell, else in quotes.
    static func quote(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-./,:=+@%".utf8.contains(byte)
            }
        }
        if isPlain, !word.isEmpty { return word }
        let isPrintable = word.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPrintable else { return "$" + ansi(word) }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The word in the quotes that bash, zsh and ksh have for control characters.
    private static func ansi(_ word: String) -> String {
        var result = "'"
        for byte in word.utf8 {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"):
                result += "\\" + String(Unicode.Scalar(byte))
            case 0x20..<0x7F:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return result + "'"
    }
}
