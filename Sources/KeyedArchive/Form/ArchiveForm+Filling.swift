public import KeyValueCoding

/// Where the values come from that fill a form.
public protocol ArchiveFormSource {
    /// The value for a place, or nil if there is none.
    func value(for target: ArchiveForm.Target) -> Value?

    /// Whether a value, as an archive has it, still means what the place has to hold.
    ///
    /// A number that was written as text with leading zeros, or a date with a fraction of a second, may mean the value
    /// of a property that has lost that detail; then the archive's own spelling is kept.
    func accepts(_ archived: Value, for target: ArchiveForm.Target) -> Bool
}

/// The spellings in one file that its form and the account's values do not give again, by the place in the form.
///
/// Each is the encoding of one object, or, for a form that keeps files whole, the file.
public typealias ArchiveFormDetails = [Int: [UInt8]]

extension ArchiveForm {
    /// The spellings in a file that filling the form with a source would not give again.
    ///
    /// - Parameters:
    ///   - bytes: a file of this form.
    ///   - object: the object of the archive in the file that the form was found for.
    ///   - source: the values that will be kept.
    public func details(
        of bytes: [UInt8],
        object: ArchivedObject,
        source: some ArchiveFormSource
    ) -> ArchiveFormDetails {
        guard !isWholeFile else { return [0: bytes] }
        let list = object.archive.list
        var details: ArchiveFormDetails = [:]
        for (index, place) in places(in: list).enumerated() {
            let original = Array(bytes[place])
            if encoding(of: holes[index], from: source) != original { details[index] = original }
        }
        return details
    }

    /// Where the values stand in the file that the form was found for, hole by hole.
    private func places(in list: PropertyList) -> [Range<Int>] {
        let sources = list.sources.sorted { $0.lowerBound < $1.lowerBound }
        guard format == .xml else { return holes.map { sources[$0.position] } }
        var ends: [Int: Int] = [:]
        for source in sources { ends[source.lowerBound] = source.upperBound }
        var places: [Range<Int>] = []
        var taken = 0
        for hole in holes {
            let start = hole.position + taken
            let end = ends[start] ?? start
            places.append(start..<end)
            taken += end - start
        }
        return places
    }

    /// The file that the form gives with the values of a source, or nil if a value does not fit its place: then the
    /// graph has to change, which ``editedData(others:inline:source:details:className:limits:)`` does.
    public func data(source: some ArchiveFormSource, details: ArchiveFormDetails) -> [UInt8]? {
        if isWholeFile { return details[0] }
        var encodings: [[UInt8]] = []
        encodings.reserveCapacity(holes.count)
        for (index, hole) in holes.enumerated() {
            if let detail = details[index], accepts(detail, for: hole, source: source) {
                encodings.append(detail)
            } else if let encoding = encoding(of: hole, from: source) {
                encodings.append(encoding)
            } else {
                return nil
            }
        }
        return assembled(encodings)
    }

    /// A file of this form whose values are those of a source as far as they fit. It is a base to edit.
    func base(source: some ArchiveFormSource, details: ArchiveFormDetails) -> [UInt8] {
        if isWholeFile { return details[0] ?? [] }
        let encodings = holes.enumerated().map { index, hole in
            if let detail = details[index] { return detail }
            let values = hole.targets.lazy.compactMap { source.value(for: $0).flatMap(hole.kind.node(for:)) }
            return values.first.flatMap(encode) ?? encode(hole.kind.neutralNode) ?? []
        }
        return assembled(encodings)
    }

    private func accepts(_ detail: [UInt8], for hole: Hole, source: some ArchiveFormSource) -> Bool {
        guard let node = try? PropertyList.Node(encoding: detail, format: format == .binary ? .binary : .xml),
            let value = hole.kind.value(of: node)
        else { return false }
        return hole.targets.allSatisfy { source.accepts(value, for: $0) }
    }

    func encoding(of hole: Hole, from source: some ArchiveFormSource) -> [UInt8]? {
        var common: [UInt8]?
        for target in hole.targets {
            guard let value = source.value(for: target), let node = hole.kind.node(for: value),
                let bytes = encode(node)
            else { return nil }
            guard common == nil || common == bytes else { return nil }
            common = bytes
        }
        return common
    }

    /// The bytes of a single value; nil for one that the format cannot hold.
    private func encode(_ node: PropertyList.Node) -> [UInt8]? {
        switch format {
        case .binary: BinaryPropertyListWriter.encode(scalar: node)
        case .xml: try? XMLPropertyListWriter.encode(scalar: node)
        }
    }

    private func assembled(_ encodings: [[UInt8]]) -> [UInt8] {
        binary.map { assembledBinary(encodings, layout: $0) } ?? assembledXML(encodings)
    }

    private func assembledXML(_ encodings: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(literal.count + encodings.reduce(0) { $0 + $1.count })
        var end = 0
        for (hole, encoding) in zip(holes, encodings) {
            bytes += literal[end..<hole.position]
            bytes += encoding
            end = hole.position
        }
        return bytes + literal[end...]
    }

    private func assembledBinary(_ encodings: [[UInt8]], layout: BinaryLayout) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(layout.starts.count)
        var next = 0
        for (rank, start) in layout.starts.enumerated() {
            offsets.append(bytes.count)
            if next < holes.count, holes[next].position == rank {
                bytes += encodings[next]
                next += 1
            } else {
                let end = rank + 1 < layout.starts.count ? layout.starts[rank + 1] : literal.count
                bytes += literal[start..<end]
            }
        }
        let tableStart = bytes.count
        let size = max(layout.offsetSize, BinaryPropertyListWriter.width(of: UInt64(tableStart)))
        for index in offsets.indices {
            let rank = layout.ranks.isEmpty ? index : layout.ranks[index]
            bytes.appendBigEndian(UInt64(offsets[rank]), width: size)
        }
        bytes += layout.trailerHead
        bytes += [UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: layout.referenceSize)]
        for number in [offsets.count, layout.top, tableStart] { bytes.appendBigEndian(UInt64(number), width: 8) }
        return bytes
    }
}

extension LeafKind {
    /// A node of the kind, for a place whose value is not known yet.
    fileprivate var neutralNode: PropertyList.Node {
        switch self {
        case .bool: .bool(false)
        case .integer: .integer(0, width: 0)
        case .real: .real(0, single: false)
        case .single: .real(0, single: true)
        case .date: .date(0)
        case .data: .data([])
        case .text: .text("")
        case .referenceSeconds: .real(0, single: false)
        case .utf8Data: .data([])
        }
    }
}
