extension ByteView {
    /// The text whose UTF-16 code units, big-endian and known to be well-formed, are in `range`.
    ///
    /// - Parameter utf8Size: how many bytes the text takes as UTF-8, or more.
    func wideText(_ range: Range<Int>, utf8Size: Int) -> String {
        unsafe String(unsafeUninitializedCapacity: utf8Size) { buffer in
            var filled = 0
            var position = range.lowerBound
            while position < range.upperBound {
                let scalar = wideScalar(at: &position)
                let size = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
                precondition(filled + size <= buffer.count)
                unsafe Self.encode(scalar, size: size, into: buffer, at: filled)
                filled += size
            }
            return filled
        }
    }

    @inline(__always)
    private func wideScalar(at position: inout Int) -> UInt32 {
        let unit = UInt32(unsigned(at: position, width: 2))
        position += 2
        guard unit & 0xFC00 == 0xD800 else { return unit }
        let low = UInt32(unsigned(at: position, width: 2))
        position += 2
        return 0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF
    }

    @inline(__always)
    private static func encode(
        _ scalar: UInt32,
        size: Int,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        at start: Int
    ) {
        guard size > 1 else { return unsafe buffer[start] = UInt8(truncatingIfNeeded: scalar) }
        var rest = scalar
        for position in stride(from: start + size - 1, through: start + 1, by: -1) {
            unsafe buffer[position] = 0x80 | UInt8(truncatingIfNeeded: rest & 0x3F)
            rest >>= 6
        }
        // The first byte begins with as many ones as there are bytes.
        unsafe buffer[start] = UInt8(truncatingIfNeeded: 0xF00 >> UInt32(size)) & 0xF0 | UInt8(truncatingIfNeeded: rest)
    }
}
