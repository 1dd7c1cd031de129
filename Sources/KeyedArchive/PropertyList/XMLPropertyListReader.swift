/// Reads an XML property list into a ``PropertyList``, in one pass and without recursion.
///
/// A parser of our own, for the eleven elements of property lists only: general XML parsers bring entities,
/// document types and fetching with them, which is all that hostile files use.
///
/// Text is kept as it stands, line ends included, as Apple's reader does.
struct XMLPropertyListReader {
    /// An element whose end tag is still to come.
    private struct Frame {
        var tag: XMLScanner.Tag
        var element: XMLElement
        /// The index of its node; unused for `plist`.
        var node: Int
        /// Where its children begin in ``pending``.
        var firstChild: Int
    }

    var scanner: XMLScanner
    private let limits: ArchiveLimits
    private let mostObjects: Int
    private var list: PropertyList
    private var stack: [Frame] = []
    /// The children read so far of all open elements, keys and values in turn for a dictionary.
    private var pending: [Int] = []

    /// Reads the property list in `bytes`, which look like XML.
    static func read(_ bytes: ByteView, limits: ArchiveLimits) throws(ArchiveError) -> PropertyList {
        let encoding = XMLEncoding(detecting: bytes)
        guard case .utf16(let bigEndian, _) = encoding else {
            return try read(bytes, encoding: encoding, from: encoding.markSize, limits: limits)
        }
        let text = try XMLEncoding.utf8(fromUTF16: bytes, bigEndian: bigEndian, from: encoding.markSize)
        return try unsafe text.span.bytes.withUnsafeBytes { (buffer) throws(ArchiveError) in
            guard let view = unsafe ByteView(buffer) else {
                throw ArchiveError(.truncated, at: bytes.count, "the file ends after its byte order mark")
            }
            do throws(ArchiveError) {
                return try read(view, encoding: encoding, from: 0, limits: limits)
            } catch {
                throw inUTF16(error, text: view, markSize: encoding.markSize)
            }
        }
    }

    /// An error in transcoded text, with the place that it has in the file.
    private static func inUTF16(_ error: ArchiveError, text: ByteView, markSize: Int) -> ArchiveError {
        guard let offset = error.byteOffset else { return error }
        var error = error
        error.byteOffset = markSize + 2 * text.text(0..<min(offset, text.count)).utf16.count
        return error
    }

    private static func read(
        _ bytes: ByteView,
        encoding: XMLEncoding,
        from start: Int,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> PropertyList {
        var reader = XMLPropertyListReader(bytes, encoding: encoding, from: start, limits: limits)
        try reader.scanner.skipXMLDeclaration(encoding: encoding)
        try XMLCharacters.check(bytes, from: start)
        try reader.readDocument()
        // The elements are a tree, whose depth was held against the limit, and whose keys are texts.
        try KeyCheck.run(reader.list, bytes: bytes)
        return reader.list
    }

    private init(_ bytes: ByteView, encoding: XMLEncoding, from start: Int, limits: ArchiveLimits) {
        scanner = XMLScanner(bytes: bytes, position: start)
        self.limits = limits
        mostObjects = min(limits.objects, StructureCheck.mostObjects)
        list = PropertyList(format: .xml)
        list.encoding = encoding
        // About the length of a short element with its key.
        let guess = min(bytes.count / 40 + 4, 1 << 16)
        list.nodes.reserveCapacity(guess)
        list.sources.reserveCapacity(guess)
        list.references.reserveCapacity(guess)
        pending.reserveCapacity(guess)
        stack.reserveCapacity(16)
    }

    private mutating func readDocument() throws(ArchiveError) {
        try scanner.skipProlog()
        guard scanner.second != UInt8(ascii: "/") else {
            throw scanner.error(at: scanner.position, "an end tag where the root element, <plist>, is due")
        }
        let root = if let plain = scanner.plainRootTag() { plain } else { try scanner.startTag() }
        let element = XMLElement(scanner.bytes, root.name)
        guard element == .plist else {
            let isPart = element != nil
            throw scanner.error(
                isPart ? .badXML : .notAPropertyList,
                at: root.start,
                "the root element is <\(scanner.shown(root.name))>; that of a property list is <plist>"
            )
        }
        guard !root.isEmpty else { throw scanner.error(at: root.start, "<plist/> holds no value") }
        stack.append(Frame(tag: root, element: .plist, node: 0, firstChild: 0))
        while let frame = stack.last {
            guard try scanner.skipToTag(in: "<\(frame.element.rawValue)>") else {
                throw scanner.cutOff("<\(frame.element.rawValue)>, opened at byte \(frame.tag.start)")
            }
            if scanner.second == UInt8(ascii: "/") { try close(frame) } else { try open(in: frame) }
        }
        guard try !scanner.skipToTag(in: "the part after </plist>") else {
            throw scanner.error(at: scanner.position, "an element after </plist>, which ends a property list")
        }
    }
}

extension XMLPropertyListReader {
    /// Reads a start tag in `frame`, and the whole element unless it is a container.
    private mutating func open(in frame: Frame) throws(ArchiveError) {
        let (tag, element) = try startTag()
        try checkPlace(of: element, tag: tag, in: frame)
        guard list.nodes.count < mostObjects else {
            throw scanner.error(.tooLarge, at: tag.start, "more than \(limits.objects) objects, which is the limit")
        }
        guard pending.count + list.references.count < limits.references else {
            throw scanner.error(
                .tooLarge,
                at: tag.start,
                "more than \(limits.references) references, which is the limit"
            )
        }
        let index = list.nodes.count
        pending.append(index)
        guard element.isContainer else {
            list.nodes.append(try value(of: element, tag: tag))
            list.sources.append(tag.start..<scanner.position)
            return
        }
        if element == .dict, readUID(tag) { return }
        let run = PropertyList.Run(start: list.references.count, count: 0)
        list.nodes.append(element == .array ? .array(run) : .dictionary(run))
        list.sources.append(tag.start..<scanner.position)
        // The frame of <plist> is one of the stack, and no container.
        guard stack.count <= limits.depth else {
            throw scanner.error(
                .tooDeep,
                at: tag.start,
                "containers nested more than \(limits.depth) deep, which is the limit"
            )
        }
        if !tag.isEmpty {
            stack.append(Frame(tag: tag, element: element, node: index, firstChild: pending.count))
        }
    }

    @inline(__always)
    private mutating func startTag() throws(ArchiveError) -> (tag: XMLScanner.Tag, element: XMLElement) {
        if let plain = scanner.plainStartTag() { return plain }
        let tag = try scanner.startTag()
        guard let element = XMLElement(scanner.bytes, tag.name) else {
            throw scanner.error(at: tag.start, "<\(scanner.shown(tag.name))> is no element of property lists")
        }
        return (tag, element)
    }

    /// Reads the rest of a dictionary that is a UID, spelled as Apple spells it; false, and nothing is read, for any other.
    private mutating func readUID(_ tag: XMLScanner.Tag) -> Bool {
        var ahead = scanner
        ahead.skipSpace()
        guard ahead.skip("<key>CF$UID</key>") else { return false }
        ahead.skipSpace()
        guard ahead.skip("<integer>"), let uid = ahead.skipDigits(), ahead.skip("</integer>") else { return false }
        ahead.skipSpace()
        guard ahead.skip("</dict>") else { return false }
        scanner.position = ahead.position
        list.nodes.append(.uid(UInt64(uid)))
        list.sources.append(tag.start..<scanner.position)
        return true
    }

    /// Checks that an element may stand after those that `frame` holds already.
    private func checkPlace(of element: XMLElement, tag: XMLScanner.Tag, in frame: Frame) throws(ArchiveError) {
        guard element != .plist else { throw scanner.error(at: tag.start, "<plist> within <plist>") }
        let children = pending.count - frame.firstChild
        switch frame.element {
        case .dict where children % 2 == 0:
            guard element == .key else {
                throw scanner.error(at: tag.start, "<\(element.rawValue)> in <dict> where a <key> is due")
            }
        case .dict:
            guard element != .key else {
                throw scanner.error(at: tag.start, "a <key> follows a <key>, where its value is due")
            }
        default:
            guard element != .key else {
                throw scanner.error(at: tag.start, "a <key> in <\(frame.element.rawValue)>; keys stand in <dict> only")
            }
            if frame.element == .plist, children > 0 {
                throw scanner.error(at: tag.start, "a second value in <plist>, which holds one")
            }
        }
    }

    /// Reads the end tag of `frame` and gives its node the children.
    private mutating func close(_ frame: Frame) throws(ArchiveError) {
        let start = scanner.position
        try scanner.endTag(of: frame.tag)
        let children = pending.count - frame.firstChild
        switch frame.element {
        case .plist:
            guard children == 1 else { throw scanner.error(at: start, "<plist> holds no value") }
        case .dict:
            guard children % 2 == 0 else { throw scanner.error(at: start, "the last <key> of a <dict> has no value") }
            list.sources[frame.node] = frame.tag.start..<scanner.position
            if children == 2, try closeUID(frame) { break }
            let run = PropertyList.Run(start: list.references.count, count: children / 2)
            for child in 0..<run.count { list.references.append(pending[frame.firstChild + 2 * child]) }
            for child in 0..<run.count { list.references.append(pending[frame.firstChild + 2 * child + 1]) }
            list.nodes[frame.node] = .dictionary(run)
        default:
            list.sources[frame.node] = frame.tag.start..<scanner.position
            list.nodes[frame.node] = .array(.init(start: list.references.count, count: children))
            list.references.append(contentsOf: pending[frame.firstChild...])
        }
        for _ in 0..<children { pending.removeLast() }
        stack.removeLast()
    }

    /// Makes a UID of a dictionary whose only key is `CF$UID` and whose value is an integer.
    private mutating func closeUID(_ frame: Frame) throws(ArchiveError) -> Bool {
        // Being the last objects that were read, the key and its value can be taken off.
        guard list.nodes.count == frame.node + 3, case .text("CF$UID") = list.nodes[frame.node + 1],
            case .integer(let integer) = list.nodes[frame.node + 2]
        else { return false }
        guard let uid = UInt32(exactly: integer.value) else {
            throw scanner.error(
                .uidOutOfRange,
                at: list.sources[frame.node + 2].lowerBound,
                "a UID (CF$UID) of \(integer.value); it is a number from 0 to \(UInt32.max)"
            )
        }
        list.nodes.removeLast(2)
        list.sources.removeLast(2)
        list.nodes[frame.node] = .uid(UInt64(uid))
        return true
    }
}
