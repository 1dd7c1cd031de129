extension XMLScanner {
    /// Reads an XML declaration, if there is one, and checks that it names the encoding that the file has.
    mutating func skipXMLDeclaration(encoding: XMLEncoding) throws(ArchiveError) {
        // As Apple writes it, and most others.
        if !encoding.isUTF16, skip("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") { return }
        skipSpace()
        guard isNext("<?xml"), bytes.count - position > 5, isSpace(bytes[position + 5]) else { return }
        position += 5
        while true {
            skipSpace()
            if isNext("?>") { break }
            guard bytes.count - position > 1 else { throw cutOff("the XML declaration") }
            let (name, value) = try attribute()
            guard bytes.text(name) == "encoding" else { continue }
            guard encoding.admits(bytes.text(value)) else {
                throw error(
                    at: value.lowerBound,
                    "the file is declared to be in the encoding \(shown(value)) and found to be in"
                        + " \(encoding.isUTF16 ? "UTF-16" : "UTF-8 or another that extends ASCII"); only UTF-8 and"
                        + " UTF-16 are read, so convert it (iconv -t UTF-8) and correct the declaration"
                )
            }
        }
        position += 2
    }

    /// Goes to the root element, past comments and a document type.
    mutating func skipProlog() throws(ArchiveError) {
        skipSpace()
        // The declaration that Apple writes, and most others, needs no look at its parts.
        var hasDocumentType = skip(
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        )
        while true {
            skipSpace()
            guard isNext("<!DOCTYPE") else {
                if isCut("<!DOCTYPE") {
                    throw cutOff("the document type declaration")
                }
                if isNext("<!--") || isNext("<?") {
                    try skipOne()
                    continue
                }
                guard try skipToTag(in: "the part before <plist>") else { throw cutOff("the part before <plist>") }
                return
            }
            guard !hasDocumentType else { throw error(at: position, "a second document type declaration") }
            try skipDocumentType()
            hasDocumentType = true
        }
    }

    private mutating func skipOne() throws(ArchiveError) {
        if isNext("<?") { try skipInstruction() } else { try skipDeclaration(in: "the part before <plist>") }
    }

    /// Skips `<!DOCTYPE name "…" "…">`; what it refers to is never fetched, and declarations of its own are refused.
    private mutating func skipDocumentType() throws(ArchiveError) {
        let start = position
        position += 9
        skipSpace()
        let first = position
        while position < bytes.count, !isSpace(bytes[position]), !isTypeDelimiter(bytes[position]) { position += 1 }
        let name = first..<position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = try literal(of: "the document type declaration")
            case UInt8(ascii: "["): throw entityDeclaration(at: position)
            case UInt8(ascii: "<"): throw error(at: position, "\"<\" in the document type declaration")
            case UInt8(ascii: ">"):
                guard bytes.text(name) == "plist" else {
                    throw error(
                        .notAPropertyList,
                        at: start,
                        "the file is XML of the document type \(shown(name)), not a property list (plist)"
                    )
                }
                position += 1
                return
            default: position += 1
            }
        }
        throw cutOff("the document type declaration")
    }

    private func isTypeDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<")
    }
}
