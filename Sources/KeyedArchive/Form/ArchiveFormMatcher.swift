/// Recognises the binary files of one form and finds the values in them, in one pass over the bytes.
///
/// What is not a value has to be the same bytes as in the file that the form was found for, and the offset table has to follow
/// from the lengths of the values, so a file that matches is a sound archive of the same graph. A file that does not match may be
/// sound all the same: a value may be spelled in more bytes than it needs, say. It is read in the general way then.
package struct ArchiveFormMatcher: Sendable {
    /// Where a value stands in a file that matches.
    package struct Place: Sendable, BitwiseCopyable {
        /// The marker of the object.
        var marker: UInt8
        /// Where its content begins, behind marker and length.
        var start: Int
        /// How many bytes the content has.
        var count: Int
        /// Its content.
        var content: Range<Int> { start..<(start + count) }
    }

    /// Literal objects that follow one another, and the hole behind them, if one is.
    private struct Stretch: Sendable {
        /// The ranks of the literal objects.
        var ranks: Range<Int>
        /// Their bytes, in the form's literal part.
        var literal: Range<Int>
        var hole: LeafKind?
    }

    private let literal: [UInt8]
    private let starts: [Int]
    /// For each rank its place in the offset table; empty where they are in order.
    private let indices: [Int]
    private let stretches: [Stretch]
    private let layout: ArchiveForm.BinaryLayout

    /// Makes a matcher; nil for XML, and for a form that keeps files whole.
    package init?(_ form: ArchiveForm) {
        guard let layout = form.binary, !form.isWholeFile else { return nil }
        self.layout = layout
        literal = form.literal
        starts = layout.starts
        indices = layout.indices
        var stretches: [Stretch] = []
        var next = 0
        for hole in form.holes + [nil] {
            let end = hole?.position ?? starts.count
            let literalStart = next < starts.count ? starts[next] : literal.count
            let literalEnd = end < starts.count ? starts[end] : literal.count
            stretches.append(Stretch(ranks: next..<end, literal: literalStart..<literalEnd, hole: hole?.kind))
            next = end + 1
        }
        self.stretches = stretches
    }

    /// Whether a file is one of the form.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - places: filled with the places of the values, in the order of the form's holes.
    package func match(_ bytes: [UInt8], places: inout [Place]) -> Bool {
        places.removeAll(keepingCapacity: true)
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let view = unsafe ByteView(buffer) else { return false }
            return match(view, places: &places)
        }
    }

    private func match(_ bytes: ByteView, places: inout [Place]) -> Bool {
        guard bytes.count >= 40 + literal.count, bytes.matches("bplist00") else { return false }
        guard let table = offsetTable(of: bytes) else { return false }
        var position = 8
        for stretch in stretches {
            let count = stretch.literal.count
            guard table.start - position >= count, isLiteral(stretch.literal, in: bytes, at: position),
                areOffsets(of: stretch.ranks, at: position - stretch.literal.lowerBound, in: bytes, table: table)
            else { return false }
            position += count
            guard let kind = stretch.hole else { continue }
            guard isOffset(ofRank: stretch.ranks.upperBound, equalTo: position, in: bytes, table: table),
                let place = place(of: kind, in: bytes, at: position, end: table.start)
            else { return false }
            places.append(place)
            position = place.start + place.count
        }
        return position == table.start
    }

    @inline(__always)
    private func isLiteral(_ range: Range<Int>, in bytes: ByteView, at position: Int) -> Bool {
        unsafe literal.withUnsafeBytes {
            unsafe bytes.areEqual(to: UnsafeRawBufferPointer(rebasing: $0[range]), at: position)
        }
    }
}

// MARK: - The offset table

extension ArchiveFormMatcher {
    private struct Table {
        var start: Int
        var size: Int
    }

    /// The offset table, if the trailer is the form's.
    private func offsetTable(of bytes: ByteView) -> Table? {
        let trailer = bytes.count - 32
        for (index, byte) in layout.trailerHead.enumerated() where bytes[trailer + index] != byte { return nil }
        let size = Int(bytes[trailer + 6])
        let start = bytes.unsigned(at: trailer + 24, width: 8)
        guard Int(bytes[trailer + 7]) == layout.referenceSize, start < UInt64(trailer),
            bytes.unsigned(at: trailer + 8, width: 8) == UInt64(starts.count),
            bytes.unsigned(at: trailer + 16, width: 8) == UInt64(layout.top),
            size == max(layout.offsetSize, BinaryPropertyListWriter.width(of: start)),
            Int(start) + starts.count * size == trailer
        else { return nil }
        return Table(start: Int(start), size: size)
    }

    /// Whether objects that follow one another begin where the table says.
    @inline(__always)
    private func areOffsets(of range: Range<Int>, at shift: Int, in bytes: ByteView, table: Table) -> Bool {
        if indices.isEmpty, table.size == 1 {
            for rank in range where bytes[table.start + rank] != UInt8(truncatingIfNeeded: starts[rank] + shift) {
                return false
            }
            return true
        }
        for rank in range where !isOffset(ofRank: rank, equalTo: starts[rank] + shift, in: bytes, table: table) {
            return false
        }
        return true
    }

    @inline(__always)
    private func isOffset(ofRank rank: Int, equalTo offset: Int, in bytes: ByteView, table: Table) -> Bool {
        let index = indices.isEmpty ? rank : indices[rank]
        return bytes.unsigned(at: table.start + index * table.size, width: table.size) == UInt64(offset)
    }
}

// MARK: - Values

extension ArchiveFormMatcher {
    /// The place of a value, if one of the kind begins there and has the spelling that Apple gives it.
    @inline(__always)
    private func place(of kind: LeafKind, in bytes: ByteView, at position: Int, end: Int) -> Place? {
        guard position < end else { return nil }
        let marker = bytes[position]
        switch kind {
        case .integer:
            return integer(marker, in: bytes, at: position, end: end)
        case .text:
            return text(marker, in: bytes, at: position, end: end)
        case .data, .utf8Data:
            guard marker >> 4 == 0x4, kind == .data else { return nil }
            return contents(marker, unit: 1, in: bytes, at: position, end: end)
        case .real, .referenceSeconds: return fixed(0x23, 8, marker, at: position, end: end)
        case .single: return fixed(0x22, 4, marker, at: position, end: end)
        case .date: return fixed(0x33, 8, marker, at: position, end: end)
        case .bool:
            return marker == 0x08 || marker == 0x09 ? Place(marker: marker, start: position + 1, count: 0) : nil
        }
    }

    @inline(__always)
    private func fixed(_ expected: UInt8, _ count: Int, _ marker: UInt8, at position: Int, end: Int) -> Place? {
        guard marker == expected, end - position > count else { return nil }
        return Place(marker: marker, start: position + 1, count: count)
    }

    @inline(__always)
    private func integer(_ marker: UInt8, in bytes: ByteView, at position: Int, end: Int) -> Place? {
        guard 0x10...0x13 ~= marker else { return nil }
        let count = 1 << Int(marker & 0x0F)
        guard end - position > count else { return nil }
        let value = bytes.unsigned(at: position + 1, width: count)
        let isShortest =
            switch count {
            case 1: true
            case 2: value > 0xFF
            case 4: value > 0xFFFF
            default: value > 0xFFFF_FFFF
            }
        return isShortest ? Place(marker: marker, start: position + 1, count: count) : nil
    }

    @inline(__always)
    private func text(_ marker: UInt8, in bytes: ByteView, at position: Int, end: Int) -> Place? {
        switch marker >> 4 {
        case 0x5:
            guard let place = contents(marker, unit: 1, in: bytes, at: position, end: end),
                bytes.firstNonASCII(in: place.content) == nil
            else { return nil }
            return place
        case 0x6:
            guard let place = contents(marker, unit: 2, in: bytes, at: position, end: end), place.isWideText(in: bytes)
            else { return nil }
            return place
        default:
            return nil
        }
    }

    /// The content behind a marker with a length in as few bytes as it needs.
    @inline(__always)
    private func contents(_ marker: UInt8, unit: Int, in bytes: ByteView, at position: Int, end: Int) -> Place? {
        var count = Int(marker & 0x0F)
        var start = position + 1
        if count == 0x0F {
            guard let length = integer(start < end ? bytes[start] : 0, in: bytes, at: start, end: end),
                length.count <= 4
            else { return nil }
            count = Int(bytes.unsigned(at: length.start, width: length.count))
            guard count >= 15 else { return nil }
            start = length.start + length.count
        }
        guard count <= (end - start) / unit else { return nil }
        return Place(marker: marker, start: start, count: count * unit)
    }
}
