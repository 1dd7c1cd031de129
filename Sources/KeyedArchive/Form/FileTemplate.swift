/// One file of a form, by which the others are recognised whose values take up as many bytes each.
///
/// Such files differ from this one in their values' own bytes alone, since markers, lengths and offsets follow from how many
/// bytes the values take. So a comparison under a mask tells whether a file is one of them, and where its values are is known.
@safe package final class FileTemplate: Sendable {
    /// A number that could have been written in fewer bytes shows itself in the upper half of its bytes.
    private struct IntegerCheck: BitwiseCopyable {
        var start: Int
        var width: Int
        /// The most that half as many bytes hold.
        var limit: UInt64
    }

    /// Where the values are, in the order of the form's holes.
    package let places: [ArchiveFormMatcher.Place]
    /// A number that files of the template have in common, and few others.
    package let key: UInt64
    /// The file. It and the mask are memory of the template's own: counting the references to arrays would take longer than to
    /// compare or copy them.
    nonisolated(unsafe) let bytes: UnsafeBufferPointer<UInt8>
    /// The bits of each byte that all files of the template have.
    nonisolated(unsafe) private let mask: UnsafeBufferPointer<UInt8>
    nonisolated(unsafe) private let integers: UnsafeMutableBufferPointer<IntegerCheck>
    /// Where text of more than ASCII is, which a mask cannot tell from damage.
    private let wideTexts: [ArchiveFormMatcher.Place]

    /// Whether the file is so short that it is worth while to keep the template.
    package var isShort: Bool { unsafe bytes.count <= 4_096 }
    /// How many bytes are compared at a time.
    private static let step = MemoryLayout<SIMD4<UInt64>>.size

    /// Makes a template; nil for what is too short to be a file.
    ///
    /// - Parameters:
    ///   - bytes: a file that a form's ``ArchiveFormMatcher`` has recognised.
    ///   - places: the places that it found.
    package init?(_ bytes: [UInt8], places: [ArchiveFormMatcher.Place]) {
        guard bytes.count >= Self.step, let key = Self.key(of: bytes) else { return nil }
        var mask = [UInt8](repeating: 0xFF, count: bytes.count)
        var integers: [IntegerCheck] = []
        var wideTexts: [ArchiveFormMatcher.Place] = []
        for place in places {
            switch place.marker {
            case 0x08, 0x09:
                mask[place.start - 1] = 0xFE
            case 0x10...0x1F:
                for position in place.content { mask[position] = 0 }
                if place.count > 1 {
                    let limit = UInt64.max >> UInt64(64 - 4 * place.count)
                    integers.append(IntegerCheck(start: place.start, width: place.count, limit: limit))
                }
            case 0x22, 0x23, 0x33, 0x40...0x4F:
                for position in place.content { mask[position] = 0 }
            case 0x50...0x5F:
                for position in place.content { mask[position] = 0x80 }
            case 0x60...0x6F:
                for position in place.content { mask[position] = 0 }
                wideTexts.append(place)
            default:
                return nil
            }
        }
        unsafe self.bytes = Self.copy(bytes)
        unsafe self.mask = Self.copy(mask)
        unsafe self.integers = .allocate(capacity: integers.count)
        _ = unsafe self.integers.initialize(from: integers)
        self.wideTexts = wideTexts
        self.places = places
        self.key = key
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe mask.deallocate()
        unsafe integers.deallocate()
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        return UnsafeBufferPointer(copy)
    }

    /// The ``key`` of the templates that a file can be of; nil if it is too short for any.
    ///
    /// Where the last objects are depends on how many bytes every value takes.
    @inline(__always)
    package static func key(of bytes: [UInt8]) -> UInt64? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard buffer.count >= 40 else { return nil }
            let offsets = unsafe buffer.loadUnaligned(fromByteOffset: buffer.count - 40, as: UInt64.self)
            return offsets &+ UInt64(truncatingIfNeeded: buffer.count)
        }
    }

    /// Whether a file is one of the template.
    @inline(__always)
    func matches(_ file: UnsafeRawBufferPointer) -> Bool {
        guard unsafe file.count == bytes.count, unsafe isEqualUnderMask(file), let view = unsafe ByteView(file) else {
            return false
        }
        for index in unsafe 0..<integers.count {
            let check = unsafe integers[index]
            guard view.unsigned(at: check.start, width: check.width) > check.limit else { return false }
        }
        return wideTexts.isEmpty || wideTexts.allSatisfy { $0.isWideText(in: view) }
    }

    private func isEqualUnderMask(_ file: UnsafeRawBufferPointer) -> Bool {
        let (bytes, mask) = unsafe (UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(mask))
        var difference = SIMD4<UInt64>.zero
        var position = 0
        let last = file.count - Self.step
        // The last step begins where it ends with the file, and compares some bytes again.
        while position < last - Self.step {
            unsafe difference |= Self.difference(file, bytes, mask, at: position)
            unsafe difference |= Self.difference(file, bytes, mask, at: position + Self.step)
            position += 2 * Self.step
        }
        if position < last { unsafe difference |= Self.difference(file, bytes, mask, at: position) }
        unsafe difference |= Self.difference(file, bytes, mask, at: last)
        return difference == .zero
    }

    @inline(__always)
    private static func difference(
        _ file: UnsafeRawBufferPointer,
        _ bytes: UnsafeRawBufferPointer,
        _ mask: UnsafeRawBufferPointer,
        at position: Int
    ) -> SIMD4<UInt64> {
        let found = unsafe file.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
        let expected = unsafe bytes.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
        return unsafe (found ^ expected) & mask.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
    }
}
