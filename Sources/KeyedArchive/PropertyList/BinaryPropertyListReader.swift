/// Reads a binary property list (`bplist00`) into a ``PropertyList``, in one pass over the offset table.
///
/// Every number of the file is compared with what the file can hold before anything is computed from it, and
/// nothing is reserved by a number alone, so that memory stays within a small multiple of the file's size.
struct BinaryPropertyListReader {
    let bytes: ByteView
    let limits: ArchiveLimits
    private let trailer: BinaryTrailer
    /// Where the offset table starts, which is where the objects end.
    let tableStart: Int
    /// The number of objects.
    let count: Int
    private(set) var list: PropertyList

    /// Reads the property list in `bytes`, which start with the magic.
    static func read(_ bytes: ByteView, limits: ArchiveLimits) throws(ArchiveError) -> PropertyList {
        var reader = try BinaryPropertyListReader(bytes, limits: limits)
        try reader.readObjects()
        try StructureCheck.run(reader.list, bytes: bytes, depth: limits.depth)
        return reader.list
    }

    private init(_ bytes: ByteView, limits: ArchiveLimits) throws(ArchiveError) {
        self.bytes = bytes
        self.limits = limits
        trailer = try BinaryTrailer.read(bytes)
        guard trailer.objectCount <= UInt64(clamping: min(limits.objects, StructureCheck.mostObjects)) else {
            throw ArchiveError(
                .tooLarge,
                at: bytes.count - BinaryTrailer.size + 8,
                "\(trailer.objectCount) objects; the limit is \(limits.objects)"
            )
        }
        // Both fit: the trailer has been held against the file's length.
        count = Int(trailer.objectCount)
        tableStart = Int(trailer.tableStart)
        list = PropertyList(format: .binary)
        list.trailer = trailer
        list.top = Int(trailer.topObject)
        let tableEnd = tableStart + trailer.tableSize
        guard tableEnd == bytes.count - BinaryTrailer.size || limits.allowsGaps else {
            throw ArchiveError(
                .badOffsetTable,
                at: tableEnd,
                "the offset table of \(count) objects ends at byte \(tableEnd), and the trailer begins only at byte"
                    + " \(bytes.count - BinaryTrailer.size)"
            )
        }
        list.references.reserveCapacity(min(count + count / 4 + 8, tableStart))
    }

    private mutating func readObjects() throws(ArchiveError) {
        var fillsFile = false
        let nodes = try [PropertyList.Node](filling: count) { (nodes: inout OutputSpan) throws(ArchiveError) in
            let sources = try [Range<Int>](filling: count) { (sources: inout OutputSpan) throws(ArchiveError) in
                fillsFile = try readObjects(into: &nodes, &sources)
            }
            list.sources = sources
        }
        list.nodes = nodes
        if !fillsFile && !limits.allowsGaps { try checkLayout() }
        guard nodes.count == count else {
            throw ArchiveError(.tooLarge, "objects that overlap come to more than \(limits.bytes) bytes, the limit")
        }
    }

    /// Reads the objects, or only the first ones if they overlap so much that all of them would take too much memory.
    ///
    /// - Returns: Whether they stand in order, without a gap or an overlap, and end at the offset table.
    private mutating func readObjects(
        into nodes: inout OutputSpan<PropertyList.Node>,
        _ sources: inout OutputSpan<Range<Int>>
    ) throws(ArchiveError) -> Bool {
        let area = tableStart - BinaryTrailer.magicSize
        // Objects that overlap could take the product of count and length; their sum is held down instead.
        let most = limits.allowsGaps ? max(area, min(limits.bytes, 1 << 40)) : area
        var total = 0
        var expected = BinaryTrailer.magicSize
        var inOrder = true
        for index in 0..<count {
            let start = try offset(of: index)
            let end = try readObject(at: start, index: index, into: &nodes)
            sources.append(start..<end)
            inOrder = inOrder && start == expected
            expected = end
            total += end - start
            if total > most { return false }
        }
        return inOrder && expected == tableStart
    }

    private func offset(of index: Int) throws(ArchiveError) -> Int {
        let entry = tableStart + index * trailer.offsetSize
        let offset = bytes.unsigned(at: entry, width: trailer.offsetSize)
        guard offset >= UInt64(BinaryTrailer.magicSize), offset < UInt64(tableStart) else {
            throw ArchiveError(
                .offsetOutOfRange,
                at: entry,
                "object \(index) is said to be at byte \(offset); objects lie between byte 8 and byte \(tableStart),"
                    + " where the offset table starts"
            )
        }
        return Int(offset)
    }

    /// Appends the references that fill `range` to those of the list.
    mutating func appendReferences(_ range: Range<Int>, of index: Int) throws(ArchiveError) {
        let size = trailer.referenceSize
        guard list.references.count + range.count / size <= limits.references else {
            throw ArchiveError(.tooLarge, at: range.lowerBound, "more than \(limits.references) references")
        }
        let (bytes, count) = (bytes, count)
        try list.references.append(addingCapacity: range.count / size) {
            (references: inout OutputSpan) throws(ArchiveError) in
            var position = range.lowerBound
            while position < range.upperBound {
                let reference = bytes.unsigned(at: position, width: size)
                guard reference < UInt64(count) else {
                    throw Self.outOfRange(reference, of: count, at: position, in: index)
                }
                references.append(Int(reference))
                position += size
            }
        }
    }

    private static func outOfRange(
        _ reference: UInt64,
        of count: Int,
        at position: Int,
        in index: Int
    ) -> ArchiveError {
        ArchiveError(
            .refOutOfRange,
            at: position,
            "object \(index) refers to object \(reference); the file has \(count) objects, numbered from 0"
        )
    }

    /// The bytes of a reference.
    var referenceSize: Int { trailer.referenceSize }
}

extension BinaryPropertyListReader {
    /// Checks that the objects read so far fill the space from the header to the offset table, each byte once, in the
    /// order of their numbers.
    private func checkLayout() throws(ArchiveError) {
        let sources = list.sources
        let order = sources.indices.sorted { sources[$0].lowerBound < sources[$1].lowerBound }
        var end = BinaryTrailer.magicSize
        var last = "the header"
        for index in order {
            let source = sources[index]
            if source.lowerBound < end {
                throw ArchiveError(
                    .badOffsetTable,
                    at: source.lowerBound,
                    "object \(index) starts at byte \(source.lowerBound), and \(last) before it ends only at byte \(end);"
                        + " one of them is damaged"
                )
            }
            if source.lowerBound > end && sources.count == count {
                throw gap(end..<source.lowerBound, after: last, before: "object \(index)")
            }
            end = source.upperBound
            last = "object \(index)"
        }
        if end < tableStart && sources.count == count {
            throw gap(end..<tableStart, after: last, before: "the offset table")
        }
        if let index = order.indices.first(where: { order[$0] != $0 }) {
            throw ArchiveError(
                .badOffsetTable,
                at: tableStart + index * trailer.offsetSize,
                "object \(index) is said to be at byte \(sources[index].lowerBound), and object \(order[index]) before it at"
                    + " byte \(sources[order[index]].lowerBound); objects stand in the order of their numbers"
            )
        }
    }

    private func gap(_ range: Range<Int>, after last: String, before next: String) -> ArchiveError {
        ArchiveError(
            .badOffsetTable,
            at: range.lowerBound,
            "\(range.count) \(range.count == 1 ? "byte" : "bytes") between \(last) and \(next) belong to no object;"
                + " a length or an offset is damaged"
        )
    }
}
