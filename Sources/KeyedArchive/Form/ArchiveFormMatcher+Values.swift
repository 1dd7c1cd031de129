package import KeyValueCoding

extension ArchiveFormMatcher.Place {
    /// The text at the place, where the marker is one of text.
    func text(in bytes: ByteView) -> String {
        if marker >> 4 == 0x5 { return bytes.text(content) }
        // A code unit takes three bytes at most.
        return bytes.wideText(content, utf8Size: count / 2 * 3)
    }

    /// Whether UTF-16 text pairs its surrogates and could not have been written as ASCII.
    func isWideText(in bytes: ByteView) -> Bool {
        var isASCII = true
        var position = start
        let end = start + count
        while position < end {
            let unit = bytes.unsigned(at: position, width: 2)
            position += 2
            if unit >= 0x80 { isASCII = false }
            guard 0xD800..<0xE000 ~= unit else { continue }
            guard unit < 0xDC00, position < end, 0xDC00..<0xE000 ~= bytes.unsigned(at: position, width: 2) else {
                return false
            }
            position += 2
        }
        return !isASCII
    }

    /// The object at the place, marker included, if it is one of fixed length.
    package var fixedObject: Range<Int> { (start - 1)..<(start + count) }

    /// The node at the place.
    private func node(in bytes: [UInt8]) -> PropertyList.Node? {
        switch marker {
        case 0x08, 0x09: .bool(bytes[start - 1] == 0x09)
        case 0x10...0x13:
            view(bytes) {
                let value = Int64(truncatingIfNeeded: $0.unsigned(at: start, width: count))
                return .integer(Int128(value), width: UInt8(count))
            }
        case 0x22:
            view(bytes) { .real(Double(Float(bitPattern: UInt32($0.unsigned(at: start, width: 4)))), single: true) }
        case 0x23: view(bytes) { .real(Double(bitPattern: $0.unsigned(at: start, width: 8)), single: false) }
        case 0x33: view(bytes) { .date(Double(bitPattern: $0.unsigned(at: start, width: 8))) }
        case 0x40...0x4F: view(bytes) { .data($0.bytes(start..<(start + count))) }
        default: view(bytes) { .text(text(in: $0)) }
        }
    }

    /// The value at the place, as it stands for one in a hole of a kind.
    package func value(as kind: LeafKind, in bytes: [UInt8]) -> Value? {
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

    /// How the value of a place stands there.
    package func kind(ofPlace index: Int) -> LeafKind { holes[index].kind }

    /// The bytes that a source gives for a place, to see whether they are those of a file; nil if none fit.
    package func isSpelling(of place: Int, in bytes: ArraySlice<UInt8>, by source: some ArchiveFormSource) -> Bool {
        encoding(of: holes[place], from: source).map { bytes.elementsEqual($0) } ?? false
    }

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
