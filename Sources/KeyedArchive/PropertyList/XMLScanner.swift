/// Reads the parts of XML that property lists are made of: tags, text, comments, the document type.
///
/// Nothing outside the bytes is ever read, and no entity is known but the five that XML predefines.
struct XMLScanner {
    let bytes: ByteView
    /// Where reading goes on.
    var position: Int

    /// A start tag.
    struct Tag {
        /// Where its `<` stands.
        var start: Int
        var name: Range<Int>
        /// Whether it ends with `/>`, so that there is no end tag.
        var isEmpty: Bool
    }

    /// An error at `offset`, with the line that it is on.
    func error(_ code: ArchiveError.Code = .badXML, at offset: Int, _ reason: String) -> ArchiveError {
        var line = 1
        for position in 0..<min(offset, bytes.count) where bytes[position] == UInt8(ascii: "\n") { line += 1 }
        return ArchiveError(code, at: offset, "line \(line): \(reason)")
    }

    /// The error for a file that ends before `part` does.
    func cutOff(_ part: String) -> ArchiveError {
        error(
            .truncated,
            at: bytes.count,
            "the file ends within \(part); it was cut off: take it from the source again"
        )
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Whether `text` comes next.
    func isNext(_ text: StaticString) -> Bool {
        bytes.matches(text, at: position)
    }

    /// Whether the file ends with a beginning of `text`.
    func isCut(_ text: String) -> Bool {
        let rest = bytes.count - position
        return rest < text.utf8.count && text.utf8.starts(with: bytes.bytes(position..<bytes.count))
    }

    /// The byte after the next one, or 0 at the end.
    var second: UInt8 { bytes.count - position > 1 ? bytes[position + 1] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    /// A name for a message, cut if it is long.
    func shown(_ name: Range<Int>) -> String {
        let short = bytes.text(name.lowerBound..<min(name.upperBound, name.lowerBound + 40))
        return name.count > 40 ? short + "…" : short
    }

    /// Goes on to the next tag, past white space, comments and processing instructions; `part` is where that is.
    ///
    /// - Returns: Whether there is one before the end of the file.
    mutating func skipToTag(in part: @autoclosure () -> String) throws(ArchiveError) -> Bool {
        while true {
            skipSpace()
            if isAtEnd { return false }
            guard bytes[position] == UInt8(ascii: "<") else {
                throw error(at: position, "text in \(part()), where only elements may be")
            }
            switch second {
            case UInt8(ascii: "?"): try skipInstruction()
            case UInt8(ascii: "!"): try skipDeclaration(in: part())
            default: return true
            }
        }
    }

    /// Skips a comment; `<!` may not begin anything else here.
    mutating func skipDeclaration(in part: String) throws(ArchiveError) {
        if isNext("<!--") { return try skipComment() }
        if isNext("<!ENTITY") { throw entityDeclaration(at: position) }
        if isCut("<!--") || isCut("<![CDATA[") { throw cutOff(part) }
        throw error(at: position, "a declaration or section (<!…) in \(part), where only elements may be")
    }

    private mutating func skipComment() throws(ArchiveError) {
        let start = position
        position += 4
        while !isNext("--") {
            position += 1
            if isAtEnd { throw cutOff("the comment that starts at byte \(start)") }
        }
        guard bytes.count - position > 2 else { throw cutOff("the comment that starts at byte \(start)") }
        guard isNext("-->") else { throw error(at: position, "a comment may not hold \"--\"") }
        position += 3
    }

    mutating func skipInstruction() throws(ArchiveError) {
        let start = position
        if isNext("<?xml"), bytes.count - position > 5, isSpace(bytes[position + 5]) {
            throw error(at: position, "an XML declaration may stand at the start of the file only")
        }
        position += 2
        while !isNext("?>") {
            position += 1
            if isAtEnd { throw cutOff("the processing instruction that starts at byte \(start)") }
        }
        position += 2
    }

    func entityDeclaration(at offset: Int) -> ArchiveError {
        error(
            .entityForbidden,
            at: offset,
            "the file declares entities of its own; property lists have none, and none is ever followed"
        )
    }
}

extension XMLScanner {
    /// Reads a start tag that holds nothing but the name of an element of property lists, as nearly all do; nil, and
    /// nothing is read, for any other.
    @inline(__always)
    mutating func plainStartTag() -> (tag: Tag, element: XMLElement)? {
        guard bytes.count - position > 9,
            let (element, length, isEmpty) = XMLElement.opened(by: bytes.unsigned(at: position + 1, width: 8))
        else { return nil }
        let name = (position + 1)..<(position + 1 + length)
        let tag = Tag(start: position, name: name, isEmpty: isEmpty)
        position = name.upperBound + (isEmpty ? 2 : 1)
        return (tag, element)
    }

    /// Reads the start tag of the root as nearly all files have it; nil, and nothing is read, for any other.
    mutating func plainRootTag() -> Tag? {
        let start = position
        guard skip("<plist version=\"1.0\">") else { return nil }
        return Tag(start: start, name: (start + 1)..<(start + 6), isEmpty: false)
    }

    /// Goes past `text` if it comes next; false if not.
    @inline(__always)
    mutating func skip(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    /// Goes past digits and gives the number that they are; nil if there are none, or more than 32 bits hold.
    mutating func skipDigits() -> UInt32? {
        let start = position
        var number: UInt64 = 0
        while position < bytes.count, position - start < 10 {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            number = number * 10 + UInt64(digit)
            position += 1
        }
        return position > start ? UInt32(exactly: number) : nil
    }

    /// Reads a start tag; its attributes are checked and passed over.
    mutating func startTag() throws(ArchiveError) -> Tag {
        let start = position
        position += 1
        let name = try name(after: start)
        if !isAtEnd, bytes[position] == UInt8(ascii: ">") {
            position += 1
            return Tag(start: start, name: name, isEmpty: false)
        }
        while true {
            let before = position
            skipSpace()
            guard !isAtEnd else { throw cutOff("the tag <\(shown(name))>") }
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                return Tag(start: start, name: name, isEmpty: false)
            case UInt8(ascii: "/"):
                guard bytes.count - position > 1 else { throw cutOff("the tag <\(shown(name))>") }
                guard second == UInt8(ascii: ">") else {
                    throw error(at: position, "\"/\" in a tag without \">\" after it")
                }
                position += 2
                return Tag(start: start, name: name, isEmpty: true)
            default:
                guard before < position else { throw error(at: position, "a character that no tag name has") }
                _ = try attribute()
            }
        }
    }

    /// Reads the end tag of the element whose start tag is `tag`.
    @inline(__always)
    mutating func endTag(of tag: Tag) throws(ArchiveError) {
        let start = position
        position += 2
        let length = tag.name.count
        let end = position + length
        if end < bytes.count, bytes[end] == UInt8(ascii: ">"), isSame(tag.name, at: position) {
            position = end + 1
        } else {
            try unusualEndTag(of: tag, at: start)
        }
    }

    /// Whether a name that was read before stands at `offset` too, where as many bytes are.
    @inline(__always)
    private func isSame(_ name: Range<Int>, at offset: Int) -> Bool {
        guard 1...8 ~= name.count, bytes.count - offset >= 8 else { return bytes.areEqual(name, at: offset) }
        let difference = bytes.unsigned(at: name.lowerBound, width: 8) ^ bytes.unsigned(at: offset, width: 8)
        return difference >> UInt64(64 - 8 * name.count) == 0
    }

    private mutating func unusualEndTag(of tag: Tag, at start: Int) throws(ArchiveError) {
        let name = try name(after: start + 1)
        skipSpace()
        guard !isAtEnd else { throw cutOff("the end tag </\(shown(name))>") }
        guard name.count == tag.name.count, bytes.areEqual(tag.name, at: name.lowerBound) else {
            throw error(
                at: start,
                "</\(shown(name))> where </\(shown(tag.name))> is due, since <\(shown(tag.name))> was opened at byte"
                    + " \(tag.start)"
            )
        }
        guard bytes[position] == UInt8(ascii: ">") else {
            throw error(at: position, "an end tag that holds more than a name")
        }
        position += 1
    }

    private mutating func name(after start: Int) throws(ArchiveError) -> Range<Int> {
        let first = position
        while position < bytes.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[position] { position += 1 }
        while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
        guard position > first else {
            guard !isAtEnd else { throw cutOff("a tag") }
            throw error(at: start, "\"<\" without the name of an element after it; in text it is written &lt;")
        }
        return first..<position
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF, UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Reads `name="value"`.
    mutating func attribute() throws(ArchiveError) -> (name: Range<Int>, value: Range<Int>) {
        let start = position
        while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
        let name = start..<position
        guard !name.isEmpty else { throw error(at: start, "a character that no attribute's name has") }
        skipSpace()
        guard !isAtEnd else { throw cutOff("an attribute") }
        guard bytes[position] == UInt8(ascii: "=") else { throw error(at: position, "an attribute without \"=\"") }
        position += 1
        skipSpace()
        let value = try literal(of: "the value of an attribute")
        for offset in value where bytes[offset] == UInt8(ascii: "<") {
            throw error(at: offset, "\"<\" in the value of an attribute")
        }
        return (name, value)
    }

    /// Reads text in quotes of either kind.
    mutating func literal(of part: @autoclosure () -> String) throws(ArchiveError) -> Range<Int> {
        guard !isAtEnd else { throw cutOff(part()) }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(at: position, "\(part()) has to be in quotes")
        }
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard !isAtEnd else { throw cutOff(part()) }
        position += 1
        return start..<(position - 1)
    }
}
