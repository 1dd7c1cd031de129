public import KeyValueCoding

/// A form as data that can be kept and read again.
///
/// It is a dictionary of plain values, so that it can be kept as JSON and looked into with any tool.
extension ArchiveForm {
    /// The version of the content. One that is not known is refused.
    private static let contentVersion: Int64 = 1

    /// The form as a value: equal forms give equal content.
    public var content: Value {
        var content: [String: Value] = [
            "version": .integer(Self.contentVersion),
            "format": .text(format.rawValue),
            "class": .text(className),
            "properties": .dictionary(properties.mapValues(Value.text)),
            "object": .integer(Int64(object)),
        ]
        content["supplied"] = supplied.isEmpty ? nil : .dictionary(supplied)
        if isWholeFile { return .dictionary(content) }
        content["literal"] = .data(literal)
        content["holes"] = .array(holes.map(\.content))
        if let binary {
            content["starts"] = .data(packed(binary.starts))
            content["ranks"] = binary.ranks.isEmpty ? nil : .data(packed(binary.ranks))
            content["top"] = .integer(Int64(binary.top))
            content["referenceSize"] = .integer(Int64(binary.referenceSize))
            content["offsetSize"] = binary.offsetSize == 0 ? nil : .integer(Int64(binary.offsetSize))
            content["trailer"] = binary.trailerHead.allSatisfy { $0 == 0 } ? nil : .data(binary.trailerHead)
        }
        return .dictionary(content)
    }

    /// Takes a form from its content; nil if it is the content of none, or of a version that is not known.
    public init?(content: Value) {
        guard case .dictionary(let entries) = content, entries["version"] == .integer(Self.contentVersion),
            let format = entries["format"]?.text.flatMap(ArchiveFormat.init(rawValue:)),
            let className = entries["class"]?.text, let object = entries["object"]?.index,
            case .dictionary(let properties) = entries["properties"]
        else { return nil }
        var parts = Parts(
            format: format,
            className: className,
            properties: properties.compactMapValues(\.text),
            object: object
        )
        if case .dictionary(let values) = entries["supplied"] { parts.supplied = values }
        if let literal = entries["literal"]?.bytes {
            parts.literal = literal
            for hole in entries["holes"]?.array ?? [] {
                guard let hole = Hole(content: hole, properties: parts.properties) else { return nil }
                parts.holes.append(hole)
            }
            if format == .binary {
                guard let layout = BinaryLayout(entries) else { return nil }
                parts.binary = layout
            }
            guard parts.isConsistent else { return nil }
        }
        self.init(parts)
    }

    private func packed(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 4)
        for number in numbers { bytes.appendBigEndian(UInt64(number), width: 4) }
        return bytes
    }
}

extension ArchiveForm.Parts {
    /// Whether every position is one in the literal part, in ascending order, so that filling cannot go astray.
    fileprivate var isConsistent: Bool {
        let positions = holes.map(\.position)
        guard zip(positions, positions.dropFirst()).allSatisfy({ $0 <= $1 }) else { return false }
        guard let binary else { return positions.allSatisfy { $0 <= literal.count } }
        let starts = binary.starts
        return zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 } && (starts.last ?? 0) <= literal.count
            && Set(positions).count == positions.count && positions.allSatisfy { $0 < starts.count }
            && (binary.ranks.isEmpty
                || (binary.ranks.count == starts.count && binary.ranks.allSatisfy { $0 < starts.count }))
    }
}

extension ArchiveForm.BinaryLayout {
    fileprivate init?(_ entries: [String: Value]) {
        guard let starts = entries["starts"]?.unpacked, let top = entries["top"]?.index, top < starts.count,
            let referenceSize = entries["referenceSize"]?.index, (1...8).contains(referenceSize)
        else { return nil }
        let offsetSize = entries["offsetSize"]?.index ?? 0
        let trailerHead = entries["trailer"]?.bytes ?? [0, 0, 0, 0, 0, 0]
        guard (0...8).contains(offsetSize), trailerHead.count == 6 else { return nil }
        self.init(
            starts: starts,
            ranks: entries["ranks"]?.unpacked ?? [],
            top: top,
            referenceSize: referenceSize,
            offsetSize: offsetSize,
            trailerHead: trailerHead
        )
    }
}

extension ArchiveForm.Hole {
    fileprivate var content: Value {
        .dictionary([
            "at": .integer(Int64(position)),
            "kind": .text(kind.rawValue),
            "targets": .array(targets.map(\.content)),
        ])
    }

    fileprivate init?(content: Value, properties: [String: String]) {
        guard case .dictionary(let entries) = content, let position = entries["at"]?.index,
            let kind = entries["kind"]?.text.flatMap(LeafKind.init(rawValue:)), let targets = entries["targets"]?.array
        else { return nil }
        self.init(position: position, kind: kind, targets: [])
        for target in targets {
            guard let target = ArchiveForm.Target(content: target, properties: properties) else { return nil }
            self.targets.append(target)
        }
    }
}

extension ArchiveForm.Target {
    fileprivate var content: Value {
        var content: [String: Value] = ["field": .text(field)]
        if !path.isEmpty {
            content["path"] = .array(
                path.map { step in
                    switch step {
                    case .key(let key): .text(key)
                    case .index(let index): .integer(Int64(index))
                    }
                }
            )
        }
        return .dictionary(content)
    }

    fileprivate init?(content: Value, properties: [String: String]) {
        guard case .dictionary(let entries) = content, let field = entries["field"]?.text else { return nil }
        self.init(field: field, property: properties[field], path: [])
        for step in entries["path"]?.array ?? [] {
            if let key = step.text {
                path.append(.key(key))
            } else if let index = step.index {
                path.append(.index(index))
            } else {
                return nil
            }
        }
    }
}

extension Value {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var array: [Value]? { if case .array(let array) = self { array } else { nil } }
    fileprivate var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

    /// A number that can be a position.
    fileprivate var index: Int? {
        if case .integer(let integer) = self, integer >= 0 { Int(exactly: integer) } else { nil }
    }

    /// Positions of four bytes each, big-endian.
    fileprivate var unpacked: [Int]? {
        guard let bytes, bytes.count.isMultiple(of: 4) else { return nil }
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
    }
}

extension [UInt8] {
    /// Appends the lower bytes of a number, the highest of them first.
    package mutating func appendBigEndian(_ number: UInt64, width: Int) {
        for byte in stride(from: width - 1, through: 0, by: -1) {
            append(UInt8(truncatingIfNeeded: byte < 8 ? number >> UInt64(8 * byte) : 0))
        }
    }
}
