extension XMLScanner {
    /// The text of an element.
    enum Content {
        /// It stands in the file as it is.
        case plain(Range<Int>)
        /// It had entities or sections, and is put together here.
        case decoded([UInt8])
    }

    /// Reads the text of the element that `tag` opens, and its end tag.
    @inline(__always)
    mutating func content(of tag: Tag) throws(ArchiveError) -> Content {
        guard !tag.isEmpty else { return .plain(position..<position) }
        let start = position
        skipPlainText()
        if position < bytes.count, bytes[position] == UInt8(ascii: "<"), second == UInt8(ascii: "/") {
            let range = start..<position
            try endTag(of: tag)
            return .plain(range)
        }
        return .decoded(try decodedContent(of: tag, from: start))
    }

    @inline(__always)
    private mutating func skipPlainText() {
        position = bytes.firstIndex(of: UInt8(ascii: "<"), or: UInt8(ascii: "&"), from: position)
    }

    private mutating func decodedContent(of tag: Tag, from start: Int) throws(ArchiveError) -> [UInt8] {
        var text = bytes.bytes(start..<position)
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "&") {
                try appendReference(to: &text)
            } else if second == UInt8(ascii: "/") {
                try endTag(of: tag)
                return text
            } else if second == UInt8(ascii: "?") {
                try skipInstruction()
            } else if isNext("<![CDATA[") {
                try appendSection(to: &text)
            } else if second == UInt8(ascii: "!") {
                try skipDeclaration(in: "<\(shown(tag.name))>")
            } else {
                guard bytes.count - position > 1 else { break }
                throw error(at: position, "an element in <\(shown(tag.name))>, which holds text only")
            }
            let plain = position
            skipPlainText()
            bytes.append(plain..<position, to: &text)
        }
        throw cutOff("<\(shown(tag.name))>, opened at byte \(tag.start)")
    }

    private mutating func appendSection(to text: inout [UInt8]) throws(ArchiveError) {
        let start = position + 9
        position = start
        while !isNext("]]>") {
            guard !isAtEnd else { throw cutOff("the CDATA section that starts at byte \(start - 9)") }
            position += 1
        }
        bytes.append(start..<position, to: &text)
        position += 3
    }

    /// Appends the character that `&…;` stands for.
    private mutating func appendReference(to text: inout [UInt8]) throws(ArchiveError) {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: ";"), position - start < 64 {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "#") || byte >= 0x30 && byte != UInt8(ascii: "<") || byte == UInt8(ascii: "-")
            else {
                break
            }
            position += 1
        }
        guard !isAtEnd else { throw cutOff("an entity") }
        guard bytes[position] == UInt8(ascii: ";"), position > start + 1 else {
            throw error(at: start, "\"&\" without an entity after it; in text it is written &amp;")
        }
        let name = (start + 1)..<position
        position += 1
        text.append(contentsOf: UTF8.encode(try character(name, at: start)) ?? UTF8.encodedReplacementCharacter)
    }

    private func character(_ name: Range<Int>, at start: Int) throws(ArchiveError) -> Unicode.Scalar {
        let name = bytes.text(name)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else {
            throw error(
                .entityForbidden,
                at: start,
                "the entity &\(name); is none of the five that XML predefines; no other is ever followed"
            )
        }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard let first = digits.first, first.isHexDigit, let value = UInt32(digits, radix: isHex ? 16 : 10),
            XMLCharacters.contains(value), let scalar = Unicode.Scalar(value)
        else {
            throw error(at: start, "&\(name); stands for no character that XML may hold")
        }
        return scalar
    }
}
