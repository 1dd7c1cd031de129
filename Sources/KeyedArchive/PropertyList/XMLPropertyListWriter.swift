/// Writes a ``PropertyList`` as XML, letter by letter as Apple's CoreFoundation does.
struct XMLPropertyListWriter {
    /// A container that is open.
    private struct Frame {
        var run: PropertyList.Run
        var isDictionary: Bool
        /// The number of elements, or entries, that are written.
        var written = 0
    }

    private let list: PropertyList
    private let limits: ArchiveLimits
    private var text: [UInt8] = []
    private var stack: [Frame] = []

    /// Writes `list`, which has been checked, as UTF-8.
    static func write(
        _ list: PropertyList,
        encoding: XMLEncoding,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> [UInt8] {
        var writer = XMLPropertyListWriter(list: list, limits: limits)
        writer.text.reserveCapacity(list.nodes.count * 32 + 256)
        writer.append("<?xml version=\"1.0\" encoding=\"\(encoding.isUTF16 ? "UTF-16" : "UTF-8")\"?>\n")
        writer.append("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\"")
        writer.append(" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n")
        try writer.appendTree()
        writer.append("</plist>\n")
        return writer.text
    }

    /// The element of an object that is no container, at the beginning of a line.
    ///
    /// - Throws: `badString` or `badXML` for a value that XML has no form for.
    static func encode(scalar: PropertyList.Node) throws(ArchiveError) -> [UInt8] {
        var writer = XMLPropertyListWriter(
            list: PropertyList(format: .xml, nodes: [scalar]),
            limits: ArchiveLimits(bytes: .max)
        )
        try writer.append(0)
        return writer.text.dropLast()
    }

    private init(list: PropertyList, limits: ArchiveLimits) {
        self.list = list
        self.limits = limits
    }

    private mutating func append(_ string: String) {
        text.append(contentsOf: string.utf8)
    }

    /// An error about the object that is being written, with the way to it from the containers that are open. In an archive that
    /// begins in an element of `$objects`.
    private func error(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError {
        let steps = stack.map { frame -> PathStep in
            let position = frame.written - 1
            guard frame.isDictionary, case .text(let key) = list.nodes[list.references[frame.run.start + position]]
            else {
                return .index(position)
            }
            return .key(key)
        }
        if steps.count >= 2, steps[0] == "$objects", case .index(let object) = steps[1] {
            let path = ArchivePath(Array(steps.dropFirst(2)))
            return ArchiveError(code, object: object, keyPath: path.description, reason)
        }
        return ArchiveError(code, keyPath: ArchivePath(steps).description, reason)
    }

    private mutating func indent(by tabs: Int) {
        for _ in 0..<tabs { text.append(UInt8(ascii: "\t")) }
    }

    /// Appends the top object and all below it, by a stack rather than by recursion.
    private mutating func appendTree() throws(ArchiveError) {
        try append(list.top)
        while var frame = stack.popLast() {
            guard frame.written < frame.run.count else {
                indent(by: stack.count)
                append(frame.isDictionary ? "</dict>\n" : "</array>\n")
                continue
            }
            let position = frame.run.start + frame.written
            frame.written += 1
            stack.append(frame)
            if frame.isDictionary {
                indent(by: stack.count)
                try append(key: list.references[position])
                try append(list.references[position + frame.run.count])
            } else {
                try append(list.references[position])
            }
        }
    }

    private mutating func append(key index: Int) throws(ArchiveError) {
        guard case .text(let key) = list.nodes[index] else { return }
        append("<key>")
        try append(escaping: key)
        append("</key>\n")
    }

    /// Appends an object, or the start of it if it is a container with elements.
    private mutating func append(_ index: Int) throws(ArchiveError) {
        guard text.count <= limits.bytes else {
            throw ArchiveError(
                .tooLarge,
                "written out as XML the objects, of which some are shared, take more than \(limits.bytes) bytes, the limit"
            )
        }
        indent(by: stack.count)
        switch list.nodes[index] {
        case .bool(let value): append(value ? "<true/>\n" : "<false/>\n")
        case .integer(let integer): append("<integer>\(integer.value)</integer>\n")
        case .real(let value, _): append("<real>\(RealText.describe(value))</real>\n")
        case .date(let seconds): append("<date>\(try dateText(seconds))</date>\n")
        case .text(let value):
            append("<string>")
            try append(escaping: value)
            append("</string>\n")
        case .data(let data):
            append("<data>\n")
            Base64.append(data, to: &text, indentation: stack.count)
            indent(by: stack.count)
            append("</data>\n")
        case .uid(let uid): try append(uid: uid)
        case .array(let run):
            append(run.count == 0 ? "<array/>\n" : "<array>\n")
            if run.count > 0 { stack.append(Frame(run: run, isDictionary: false)) }
        case .dictionary(let run):
            try checkIsNoUID(run)
            append(run.count == 0 ? "<dict/>\n" : "<dict>\n")
            if run.count > 0 { stack.append(Frame(run: run, isDictionary: true)) }
        case .set:
            throw error(.badXML, "a set, for which XML has no form; write it in the binary format")
        }
    }

    private mutating func append(uid: UInt64) throws(ArchiveError) {
        guard uid <= UInt32.max else {
            throw error(.uidOutOfRange, "the UID \(uid); in XML it is at most \(UInt32.max)")
        }
        let tabs = String(repeating: "\t", count: stack.count)
        append("<dict>\n\(tabs)\t<key>CF$UID</key>\n\(tabs)\t<integer>\(uid)</integer>\n\(tabs)</dict>\n")
    }

    /// Refuses a dictionary that would be taken for a UID when it is read again.
    private func checkIsNoUID(_ run: PropertyList.Run) throws(ArchiveError) {
        guard run.count == 1, case .text("CF$UID") = list.nodes[list.references[run.start]],
            case .integer = list.nodes[list.references[run.start + 1]]
        else { return }
        throw error(
            .badXML,
            "a dictionary whose only key is CF$UID, which in XML would be a UID; write it in the binary format"
        )
    }

    private func dateText(_ seconds: Double) throws(ArchiveError) -> String {
        let whole = seconds.rounded(.down)
        guard abs(whole) <= 1e15, let exact = Int(exactly: whole) else {
            throw error(.badXML, "a date of \(seconds) seconds since 2001, too far for XML")
        }
        let time = CivilTime(secondsSince2001: exact)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value.magnitude)
            let sign = value < 0 ? "-" : ""
            return sign + String(repeating: "0", count: max(0, width - digits.count - sign.count)) + digits
        }
        return "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
            + "T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))Z"
    }

    /// Appends text with `&`, `<` and `>` as entities.
    private mutating func append(escaping value: String) throws(ArchiveError) {
        for scalar in value.unicodeScalars where scalar.value < 0x20 || scalar.value >= 0xFFFE {
            guard XMLCharacters.contains(scalar.value) else {
                throw error(
                    .badString,
                    "text with the character U+\(hex(UInt16(truncatingIfNeeded: scalar.value))), which XML cannot hold;"
                        + " write it in the binary format"
                )
            }
        }
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            default: text.append(byte)
            }
        }
    }
}
