extension FileSignature {
    /// Recognises a file that no fixed bytes give away.
    static func text(_ bytes: ByteView) -> FileSignature {
        if XMLEncoding(detecting: bytes).isUTF16 { return .xml }
        var start = bytes.matches("\u{FEFF}") ? 3 : 0
        while start < bytes.count, isSpace(bytes[start]) { start += 1 }
        guard start < bytes.count else {
            return notAPropertyList("the file holds white space and nothing else", at: 0)
        }
        switch bytes[start] {
        case UInt8(ascii: "<"): return markup(bytes, at: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return isOpenStep(bytes, from: start) ? openStep(at: start) : json(at: start)
        case UInt8(ascii: "("): return openStep(at: start)
        case UInt8(ascii: "/") where bytes.matches("/*", at: start) || bytes.matches("//", at: start):
            return openStep(at: start)
        case UInt8(ascii: "Y") where bytes.matches("YnBsaXN0", at: start):
            return notAPropertyList(
                "the file is a binary property list in base64 text; decode it first (base64 -d)",
                at: start
            )
        default: return unknown(bytes)
        }
    }

    static func notAPropertyList(_ reason: String, at offset: Int) -> FileSignature {
        .other(ArchiveError(.notAPropertyList, at: offset, reason))
    }

    private static func json(at offset: Int) -> FileSignature {
        notAPropertyList(
            "the file is JSON, not a property list; a reply of the API is taken in with \"accounts add\"",
            at: offset
        )
    }

    private static func openStep(at offset: Int) -> FileSignature {
        notAPropertyList(
            "the file is an OpenStep text property list, which cannot hold an archive; convert it with"
                + " \"plutil -convert xml1\" if it is one of yours",
            at: offset
        )
    }

    /// The first bytes only: more could be a part of a token.
    private static func unknown(_ bytes: ByteView) -> FileSignature {
        let first = (0..<min(4, bytes.count)).map { hex(bytes[$0]) }.joined(separator: " ")
        return notAPropertyList(
            "the file is no property list: it begins with the bytes \(first), where \"bplist00\" or XML was expected",
            at: 0
        )
    }

    /// Tells markup that may be a property list from HTML and OpenStep's `<…>` data.
    private static func markup(_ bytes: ByteView, at start: Int) -> FileSignature {
        if bytes.matches("<?xml", at: start) || bytes.matches("<!DOCTYPE plist", at: start) { return .xml }
        let head = String(decoding: bytes.bytes(start..<min(start + 64, bytes.count)), as: UTF8.self).lowercased()
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") {
            return notAPropertyList(
                "the file is an HTML page, perhaps an error page that was saved in its place",
                at: start
            )
        }
        return isHexData(bytes, from: start + 1) ? openStep(at: start) : .xml
    }

    /// Whether hexadecimal digits and white space up to a `>` follow.
    private static func isHexData(_ bytes: ByteView, from start: Int) -> Bool {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ">"): return true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                position += 1
            case let byte where isSpace(byte): position += 1
            default: return false
            }
        }
        return false
    }

    /// Whether `{` is followed by a key and `=`, as in OpenStep's format, rather than by JSON.
    private static func isOpenStep(_ bytes: ByteView, from start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "{") else { return false }
        var position = start + 1
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { return false }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return quote != UInt8(ascii: "}")
        }
        position += 1
        while position < bytes.count, bytes[position] != quote {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        return position < bytes.count && bytes[position] == UInt8(ascii: "=")
    }
}

/// Whether a byte is white space to XML, JSON and OpenStep text.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool {
    // Tab, line feed, carriage return and space, a bit for each.
    byte <= 0x20 && (0x1_0000_2600 as UInt64) &>> UInt64(byte) & 1 == 1
}
