extension BinaryPropertyListReader {
    /// Appends the object at `start`, which lies among the objects, and gives the position after it.
    @inline(__always)
    func readObject(
        at start: Int,
        index: Int,
        into nodes: inout OutputSpan<PropertyList.Node>,
        _ references: inout [Int],
        _ heights: inout OutputSpan<StructureCheck.Height>
    ) throws(ArchiveError) -> Int {
        let marker = bytes[start]
        switch marker >> 4 {
        case 0x5:
            let range = try contents(at: start, unit: 1, of: "text", index: index)
            if let word = knownWord(range) {
                nodes.append(.text(word))
            } else {
                nodes.append(.text(try asciiText(range, index: index)))
            }
            heights.append(.text)
            return range.upperBound
        case 0xA, 0xC, 0xD:
            heights.append(.unvisited)
            return try readContainer(marker, at: start, index: index, into: &nodes, &references)
        case 0x6:
            let range = try contents(at: start, unit: 2, of: "text", index: index)
            nodes.append(.text(try utf16Text(range, index: index)))
            heights.append(.text)
            return range.upperBound
        default:
            heights.append(.leaf)
            return try readLeaf(marker, at: start, index: index, into: &nodes)
        }
    }

    @inline(__always)
    private func readContainer(
        _ marker: UInt8,
        at start: Int,
        index: Int,
        into nodes: inout OutputSpan<PropertyList.Node>,
        _ references: inout [Int]
    ) throws(ArchiveError) -> Int {
        let isDictionary = marker >= 0xD0
        let size = isDictionary ? 2 * referenceSize : referenceSize
        let range = try contents(at: start, unit: size, of: isDictionary ? "dictionary" : "array", index: index)
        // Most files have references of one byte, and a division takes long.
        let units = referenceSize == 1 ? range.count : range.count / referenceSize
        let run = PropertyList.Run(start: references.count, count: isDictionary ? units / 2 : units)
        try appendReferences(range, of: index, to: &references)
        nodes.append(isDictionary ? .dictionary(run) : marker < 0xC0 ? .array(run) : .set(run))
        return range.upperBound
    }

    /// Appends an object that is neither text nor a container.
    @inline(__always)
    private func readLeaf(
        _ marker: UInt8,
        at start: Int,
        index: Int,
        into nodes: inout OutputSpan<PropertyList.Node>
    ) throws(ArchiveError) -> Int {
        switch marker >> 4 {
        case 0x8:
            return try readUID(at: start, index: index, into: &nodes)
        case 0x1 where marker <= 0x14:
            return try readInteger(at: start, index: index, into: &nodes)
        case 0x4:
            let range = try contents(at: start, unit: 1, of: "data", index: index)
            nodes.append(.data(bytes.bytes(range)))
            return range.upperBound
        default:
            return try readScalar(marker, at: start, index: index, into: &nodes)
        }
    }

    private func readScalar(_ marker: UInt8, at start: Int, index: Int, into nodes: inout OutputSpan<PropertyList.Node>)
        throws(ArchiveError) -> Int
    {
        switch marker {
        case 0x08, 0x09:
            nodes.append(.bool(marker == 0x09))
            return start + 1
        case 0x22:
            let range = try fixed(4, after: start, of: "real", index: index)
            let bits = UInt32(truncatingIfNeeded: bytes.unsigned(at: range.lowerBound, width: 4))
            nodes.append(.real(Double(Float(bitPattern: bits)), single: true))
            return range.upperBound
        case 0x23, 0x33:
            let range = try fixed(8, after: start, of: marker == 0x33 ? "date" : "real", index: index)
            let value = Double(bitPattern: bytes.unsigned(at: range.lowerBound, width: 8))
            nodes.append(marker == 0x33 ? .date(value) : .real(value, single: false))
            return range.upperBound
        default:
            throw ArchiveError(
                .unsupportedMarker,
                at: start,
                "object \(index) begins with the byte 0x\(hex(marker)), which marks no object of a binary property list"
            )
        }
    }

    @inline(__always)
    private func readInteger(at start: Int, index: Int, into nodes: inout OutputSpan<PropertyList.Node>)
        throws(ArchiveError) -> Int
    {
        let width = 1 << Int(bytes[start] & 0x0F)
        let range = try fixed(width, after: start, of: "integer", index: index)
        let value: Int128
        if width < 8 {
            value = Int128(bytes.unsigned(at: range.lowerBound, width: width))
        } else {
            let high = Int64(bitPattern: bytes.unsigned(at: range.lowerBound, width: 8))
            value = width == 8 ? Int128(high) : Int128(high) << 64 | Int128(bytes.unsigned(at: start + 9, width: 8))
        }
        nodes.append(.integer(value, width: UInt8(width)))
        return range.upperBound
    }

    @inline(__always)
    private func readUID(at start: Int, index: Int, into nodes: inout OutputSpan<PropertyList.Node>)
        throws(ArchiveError) -> Int
    {
        let width = Int(bytes[start] & 0x0F) + 1
        let range = try fixed(width, after: start, of: "UID", index: index)
        let low = max(range.lowerBound, range.upperBound - 8)
        for position in range.lowerBound..<low where bytes[position] != 0 {
            throw ArchiveError(.uidOutOfRange, at: start, "object \(index) is a UID of \(width) bytes, beyond 64 bits")
        }
        nodes.append(.uid(bytes.unsigned(at: low, width: range.upperBound - low)))
        return range.upperBound
    }

    /// The `size` bytes after the marker at `start`.
    @inline(__always)
    private func fixed(
        _ size: Int,
        after start: Int,
        of kind: StaticString,
        index: Int
    ) throws(ArchiveError) -> Range<Int> {
        guard tableStart - start - 1 >= size else {
            throw ArchiveError(
                .badLength,
                at: start,
                "object \(index), \(kind) of \(size) bytes, runs into the offset table at byte \(tableStart)"
            )
        }
        return (start + 1)..<(start + 1 + size)
    }

    /// The bytes after the marker and the length at `start`, of an object of so many units of `unit` bytes.
    @inline(__always)
    private func contents(
        at start: Int,
        unit: Int,
        of kind: StaticString,
        index: Int
    ) throws(ArchiveError) -> Range<Int> {
        var length = UInt64(bytes[start] & 0x0F)
        var first = start + 1
        if length == 0x0F {
            (length, first) = try longLength(at: start, of: kind, index: index)
        }
        let (size, overflow) = length.multipliedReportingOverflow(by: UInt64(unit))
        guard !overflow, size <= UInt64(tableStart - first) else {
            throw ArchiveError(
                .badLength,
                at: start,
                "object \(index), \(kind), has a length of \(length), more than fits before the offset table at byte"
                    + " \(tableStart)"
            )
        }
        return first..<(first + Int(size))
    }

    /// A length that follows the marker as an integer, and the position after it.
    private func longLength(
        at start: Int,
        of kind: StaticString,
        index: Int
    ) throws(ArchiveError) -> (length: UInt64, next: Int) {
        let position = start + 1
        guard position < tableStart, 0x10...0x13 ~= bytes[position] else {
            let found = position < tableStart ? "the byte 0x\(hex(bytes[position]))" : "the offset table"
            throw ArchiveError(
                .badLength,
                at: position,
                "the length of object \(index), \(kind), has to be an integer of 1, 2, 4 or 8 bytes (0x10 to 0x13);"
                    + " found \(found)"
            )
        }
        let width = 1 << Int(bytes[position] & 0x0F)
        guard tableStart - position - 1 >= width else {
            throw ArchiveError(
                .badLength,
                at: position,
                "the length of object \(index), \(kind), runs into the offset table at byte \(tableStart)"
            )
        }
        return (bytes.unsigned(at: position + 1, width: width), position + 1 + width)
    }
}

extension BinaryPropertyListReader {
    /// The text in `range`, if it is one of the archiver's own.
    @inline(__always)
    private func knownWord(_ range: Range<Int>) -> String? {
        let length = range.count
        guard 4...15 ~= length else { return nil }
        // The trailer follows on all objects, so that there are eight bytes.
        let first = bytes.unsigned(at: range.lowerBound, width: 8) >> UInt64(max(0, 64 - 8 * length))
        return ArchiverWords.text(
            first,
            length > 8 ? bytes.unsigned(at: range.upperBound - 8, width: 8) : 0,
            length: length
        )
    }

    @inline(__always)
    private func asciiText(_ range: Range<Int>, index: Int) throws(ArchiveError) -> String {
        if let position = bytes.firstNonASCII(in: range) {
            throw ArchiveError(
                .badString,
                at: position,
                "object \(index) is ASCII text and holds the byte 0x\(hex(bytes[position]))"
            )
        }
        return bytes.text(range)
    }

    /// The text of UTF-16 code units, which must pair their surrogates, since a Swift string holds no lone one.
    private func utf16Text(_ range: Range<Int>, index: Int) throws(ArchiveError) -> String {
        var size = 0
        var position = range.lowerBound
        while position < range.upperBound {
            let unit = bytes.unsigned(at: position, width: 2)
            var step = 2
            switch unit {
            case ..<0x80: size += 1
            case ..<0x800: size += 2
            case 0xD800..<0xDC00
            where range.upperBound - position >= 4
                && 0xDC00..<0xE000 ~= bytes.unsigned(at: position + 2, width: 2):
                size += 4
                step = 4
            case 0xD800..<0xE000:
                throw ArchiveError(
                    .badString,
                    at: position,
                    "object \(index) is UTF-16 text and holds the surrogate 0x\(hex(UInt16(unit))) without its other half"
                )
            default: size += 3
            }
            position += step
        }
        return bytes.wideText(range, utf8Size: size)
    }
}

/// A byte or code unit as hexadecimal digits, for a message.
func hex<Integer: FixedWidthInteger>(_ value: Integer) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, Integer.bitWidth / 4 - digits.count)) + digits
}
