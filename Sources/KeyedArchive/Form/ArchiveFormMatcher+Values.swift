package import KeyValueCoding

extension ArchiveFormMatcher.Place {
    /// The integer at the place; nil if something else is there.
    package func integer(in bytes: [UInt8]) -> Int64? {
        guard marker >> 4 == 0x1 else { return nil }
        return view(bytes) { Int64(truncatingIfNeeded: $0.unsigned(at: start, width: count)) }
    }

    /// The text at the place; nil if something else is there.
    package func text(in bytes: [UInt8]) -> String? {
        switch marker >> 4 {
        case 0x5:
            return view(bytes) { $0.text(start..<(start + count)) }
        case 0x6:
            return view(bytes) { view in
                let units = (0..<(count / 2)).lazy.map { UInt16(view.unsigned(at: start + 2 * $0, width: 2)) }
                return String(decoding: units, as: UTF16.self)
            }
        default:
            return nil
        }
    }

    /// The object at the place, marker included, if it is one of fixed length.
    package var fixedObject: Range<Int> { (start - 1)..<(start + count) }

    /// The node at the place.
    private func node(in bytes: [UInt8]) -> PropertyList.Node? {
        switch marker {
        case 0x08, 0x09: .bool(bytes[start - 1] == 0x09)
        case 0x10...0x13: integer(in: bytes).map { .integer(Int128($0), width: UInt8(count)) }
        case 0x22:
            view(bytes) { .real(Double(Float(bitPattern: UInt32($0.unsigned(at: start, width: 4)))), single: true) }
        case 0x23: view(bytes) { .real(Double(bitPattern: $0.unsigned(at: start, width: 8)), single: false) }
        case 0x33: view(bytes) { .date(Double(bitPattern: $0.unsigned(at: start, width: 8))) }
        case 0x40...0x4F: view(bytes) { .data($0.bytes(start..<(start + count))) }
        default: text(in: bytes).map { .text($0) }
        }
    }

    /// The value at the place, as it stands for one in a hole of a kind.
    fileprivate func value(as kind: LeafKind, in bytes: [UInt8]) -> Value? {
        node(in: bytes).flatMap(kind.value(of:))
    }

    @inline(__always)
    private func view<Result>(_ bytes: [UInt8], _ body: (ByteView) -> Result) -> Result? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let view = unsafe ByteView(buffer), start + count <= view.count else { return nil }
            return body(view)
        }
    }
}

extension ArchiveForm {
    /// How many places for values the form has.
    package var placeCount: Int { holes.count }

    /// What the value of a place is; several where an object is shared.
    package func targets(ofPlace index: Int) -> [Target] { holes[index].targets }

    /// The value of a place in a file that matches.
    package func value(ofPlace index: Int, at place: ArchiveFormMatcher.Place, in bytes: [UInt8]) -> Value? {
        place.value(as: holes[index].kind, in: bytes)
    }

    /// The bytes that a source gives for a place, to see whether they are those of a file; nil if none fit.
    package func isSpelling(of place: Int, in bytes: ArraySlice<UInt8>, by source: some ArchiveFormSource) -> Bool {
        encoding(of: holes[place], from: source).map { bytes.elementsEqual($0) } ?? false
    }

    /// Whether a place holds text.
    package func isText(place index: Int) -> Bool { holes[index].kind == .text }
}

extension ArchiveForm.Target {
    /// Whether the target is the field's value itself.
    package var isWholeField: Bool { path.isEmpty }

    /// A value with another value at the target's place; nil if it has no such place.
    package func replacing(in value: Value, with new: Value) -> Value? {
        value.replacing(path[...], with: new)
    }
}

extension Value {
    fileprivate func replacing(_ path: ArraySlice<PathStep>, with new: Value) -> Value? {
        guard let step = path.first else { return new }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.key(let key), .dictionary(var dictionary)):
            guard let inner = dictionary[key]?.replacing(rest, with: new) else { return nil }
            dictionary[key] = inner
            return .dictionary(dictionary)
        case (.key(let key), .object(var object)):
            guard let inner = object.fields[key]?.replacing(rest, with: new) else { return nil }
            object.fields[key] = inner
            return .object(object)
        case (.index(let index), .array(var array)):
            guard array.indices.contains(index), let inner = array[index].replacing(rest, with: new) else { return nil }
            array[index] = inner
            return .array(array)
        case (.index(let index), .pairs(var pairs)):
            guard pairs.indices.contains(index), let inner = pairs[index].value.replacing(rest, with: new) else {
                return nil
            }
            pairs[index].value = inner
            return .pairs(pairs)
        default:
            return nil
        }
    }
}
