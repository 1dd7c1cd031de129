/// Reads a binary property list (`bplist00`) into a ``PropertyList``, in one pass over the offset table.
///
/// Every number of the file is compared with what the file can hold before anything is computed from it, and
/// nothing is reserved by a number alone, so that memory stays within a small multiple of the file's size.
struct BinaryPropertyListReader {
    // It is copied a lot, so that it holds what is needed to read an object and nothing else.
    let bytes: ByteView
    /// Where the offset table starts, which is where the objects end.
    let tableStart: Int
    /// The number of objects.
    let count: Int
    /// The bytes of an entry of the offset table.
    private let offsetSize: Int
    /// The bytes of a reference.
    let referenceSize: Int
    private let mostReferences: Int

    /// Reads the property list in `bytes`, which start with the magic.
    static func read(_ bytes: ByteView, limits: ArchiveLimits) throws(ArchiveError) -> PropertyList {
        let trailer = try BinaryTrailer.read(bytes)
        let reader = try BinaryPropertyListReader(bytes, trailer, limits: limits)
        let (list, heights) = try reader.readObjects(trailer, limits: limits)
        try StructureCheck.run(list, bytes: bytes, heights: heights, depth: limits.depth)
        return list
    }

    private init(_ bytes: ByteView, _ trailer: BinaryTrailer, limits: ArchiveLimits) throws(ArchiveError) {
        self.bytes = bytes
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
        offsetSize = trailer.offsetSize
        referenceSize = trailer.referenceSize
        mostReferences = min(limits.references, 1 << 40)
        let tableEnd = tableStart + trailer.tableSize
        guard tableEnd == bytes.count - BinaryTrailer.size || limits.allowsGaps else {
            throw ArchiveError(
                .badOffsetTable,
                at: tableEnd,
                "the offset table of \(count) objects ends at byte \(tableEnd), and the trailer begins only at byte"
                    + " \(bytes.count - BinaryTrailer.size)"
            )
        }
    }

    /// Reads all objects and gives what is known so far of how deep each is.
    private func readObjects(
        _ trailer: BinaryTrailer,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> (list: PropertyList, heights: [StructureCheck.Height]) {
        var fillsFile = false
        var references: [Int] = []
        references.reserveCapacity(min(count + count / 4 + 8, tableStart))
        var sources: [Range<Int>] = []
        var heights: [StructureCheck.Height] = []
        let nodes = try [PropertyList.Node](filling: count) { (nodes: inout OutputSpan) throws(ArchiveError) in
            sources = try [Range<Int>](filling: count) { (sources: inout OutputSpan) throws(ArchiveError) in
                heights = try .init(filling: count) { (heights: inout OutputSpan) throws(ArchiveError) in
                    fillsFile = try readObjects(into: &nodes, &sources, &references, &heights, limits: limits)
                }
            }
        }
        if !fillsFile && !limits.allowsGaps { try checkLayout(sources) }
        guard nodes.count == count else {
            throw ArchiveError(.tooLarge, "objects that overlap come to more than \(limits.bytes) bytes, the limit")
        }
        let list = PropertyList(
            format: .binary,
            nodes: nodes,
            references: references,
            sources: sources,
            top: Int(trailer.topObject),
            trailer: trailer
        )
        return (list, heights)
    }

    /// Reads the objects, or only the first ones if they overlap so much that all of them would take too much memory.
    ///
    /// - Returns: Whether they stand in order, without a gap or an overlap, and end at the offset table.
    private func readObjects(
        into nodes: inout OutputSpan<PropertyList.Node>,
        _ sources: inout OutputSpan<Range<Int>>,
        _ references: inout [Int],
        _ heights: inout OutputSpan<StructureCheck.Height>,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> Bool {
        let area = tableStart - BinaryTrailer.magicSize
        // Objects that overlap could take the product of count and length; their sum is held down instead.
        let most = limits.allowsGaps ? max(area, min(limits.bytes, 1 << 40)) : area
        var total = 0
        var expected = BinaryTrailer.magicSize
        var inOrder = true
        for index in 0..<count {
            let entry = tableStart + index * offsetSize
            let offset = bytes.unsigned(at: entry, width: offsetSize)
            guard offset >= UInt64(BinaryTrailer.magicSize), offset < UInt64(tableStart) else {
                throw offsetOutOfRange(offset, of: index, at: entry)
            }
            let start = Int(offset)
            let end = try readObject(at: start, index: index, into: &nodes, &references, &heights)
            sources.append(start..<end)
            inOrder = inOrder && start == expected
            expected = end
            total += end - start
            if total > most { return false }
        }
        return inOrder && expected == tableStart
    }

    private func offsetOutOfRange(_ offset: UInt64, of index: Int, at entry: Int) -> ArchiveError {
        ArchiveError(
            .offsetOutOfRange,
            at: entry,
            "object \(index) is said to be at byte \(offset); objects lie between byte 8 and byte \(tableStart),"
                + " where the offset table starts"
        )
    }

    /// Appends the references that fill `range` to those of the list.
    @inline(__always)
    func appendReferences(_ range: Range<Int>, of index: Int, to references: inout [Int]) throws(ArchiveError) {
        guard range.count <= (mostReferences - references.count) * referenceSize else {
            throw ArchiveError(.tooLarge, at: range.lowerBound, "more than \(mostReferences) references")
        }
        let isNarrow = referenceSize == 1
        try references.append(addingCapacity: isNarrow ? range.count : range.count / referenceSize) {
            (references: inout OutputSpan) throws(ArchiveError) in
            var position = range.lowerBound
            while position < range.upperBound {
                let reference = isNarrow ? UInt64(bytes[position]) : bytes.unsigned(at: position, width: referenceSize)
                guard reference < UInt64(count) else { throw outOfRange(reference, at: position, in: index) }
                references.append(Int(reference))
                position += referenceSize
            }
        }
    }

    private func outOfRange(_ reference: UInt64, at position: Int, in index: Int) -> ArchiveError {
        ArchiveError(
            .refOutOfRange,
            at: position,
            "object \(index) refers to object \(reference); the file has \(count) objects, numbered from 0"
        )
    }
}

extension BinaryPropertyListReader {
    /// Checks that the objects read so far fill the space from the header to the offset table, each byte once, in the
    /// order of their numbers.
    private func checkLayout(_ sources: [Range<Int>]) throws(ArchiveError) {
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
                at: tableStart + index * offsetSize,
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
