/// One file of a form, by which the others are recognised whose values take up as many bytes each.
///
/// Such files differ from this one in their values' own bytes alone, since markers, lengths and offsets follow from how many
/// bytes the values take. So a comparison under a mask tells whether a file is one of them, and where its values are is known.
package final class FileTemplate: Sendable {
    /// A number that could have been written in fewer bytes shows itself in the upper half of its bytes.
    private struct IntegerCheck: Sendable {
        var start: Int
        var width: Int
        /// The most that half as many bytes hold.
        var limit: UInt64
    }

    /// Where the values are, in the order of the form's holes.
    package let places: [ArchiveFormMatcher.Place]
    /// A number that files of the template have in common, and few others.
    package let key: UInt64
    private let bytes: [UInt8]
    /// The bits of each byte that all files of the template have.
    private let mask: [UInt8]
    private let integers: [IntegerCheck]

    /// The longest file that is worth a template.
    private static let mostBytes = 4_096
    /// How many bytes are compared at a time.
    private static let step = MemoryLayout<SIMD4<UInt64>>.size

    /// Makes a template; nil for a file that is too long for one, or has values that a mask cannot tell.
    ///
    /// - Parameters:
    ///   - bytes: a file that a form's ``ArchiveFormMatcher`` has recognised.
    ///   - places: the places that it found.
    package init?(_ bytes: [UInt8], places: [ArchiveFormMatcher.Place]) {
        guard (Self.step...Self.mostBytes).contains(bytes.count), let key = Self.key(of: bytes) else { return nil }
        var mask = [UInt8](repeating: 0xFF, count: bytes.count)
        var integers: [IntegerCheck] = []
        for place in places {
            let content = place.start..<(place.start + place.count)
            switch place.marker {
            case 0x08, 0x09:
                mask[place.start - 1] = 0xFE
            case 0x10...0x1F:
                for position in content { mask[position] = 0 }
                if place.count > 1 {
                    let limit = UInt64.max >> UInt64(64 - 4 * place.count)
                    integers.append(IntegerCheck(start: place.start, width: place.count, limit: limit))
                }
            case 0x22, 0x23, 0x33, 0x40...0x4F:
                for position in content { mask[position] = 0 }
            case 0x50...0x5F:
                for position in content { mask[position] = 0x80 }
            default:
                return nil
            }
        }
        self.bytes = bytes
        self.mask = mask
        self.integers = integers
        self.places = places
        self.key = key
    }

    /// The ``key`` of the templates that a file can be of; nil if it is too short for any.
    ///
    /// Where the last objects are depends on how many bytes every value takes.
    @inline(__always)
    package static func key(of bytes: [UInt8]) -> UInt64? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard buffer.count >= 40 else { return nil }
            let offsets = unsafe buffer.loadUnaligned(fromByteOffset: buffer.count - 40, as: UInt64.self)
            return (offsets ^ UInt64(truncatingIfNeeded: buffer.count)) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// Whether a file is one of the template.
    package func matches(_ file: [UInt8]) -> Bool {
        guard file.count == bytes.count else { return false }
        return unsafe file.withUnsafeBytes { file in
            unsafe isEqualUnderMask(file) && integers.allSatisfy { unsafe isShortest($0, in: file) }
        }
    }

    private func isEqualUnderMask(_ file: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe mask.withUnsafeBytes { mask in
                var difference = SIMD4<UInt64>.zero
                var position = 0
                let last = file.count - Self.step
                // The last step begins where it ends with the file, and compares some bytes again.
                while position < last {
                    unsafe difference |= Self.difference(file, bytes, mask, at: position)
                    position += Self.step
                }
                unsafe difference |= Self.difference(file, bytes, mask, at: last)
                return difference == .zero
            }
        }
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

    @inline(__always)
    private func isShortest(_ check: IntegerCheck, in file: UnsafeRawBufferPointer) -> Bool {
        guard let view = unsafe ByteView(file) else { return false }
        return view.unsigned(at: check.start, width: check.width) > check.limit
    }
}
