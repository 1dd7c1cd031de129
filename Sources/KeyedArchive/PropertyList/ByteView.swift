internal import Glibc

/// The bytes of a file, without ownership and without a check of their own.
///
/// Readers compare every offset that comes out of a file with ``count`` before they use it; the checks here
/// run in debug builds only and catch a reader that forgot to.
@safe struct ByteView {
    private let base: UnsafeRawPointer
    /// The number of bytes.
    let count: Int

    /// Makes a view of `buffer`, which has to outlive it; nil if there are no bytes.
    init?(_ buffer: UnsafeRawBufferPointer) {
        guard let base = buffer.baseAddress, unsafe !buffer.isEmpty else { return nil }
        unsafe self.base = unsafe base
        count = buffer.count
    }

    /// The byte at `offset`.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count)
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// The bytes of `range` as a buffer, for as long as the view is valid.
    @inline(__always)
    func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The big-endian unsigned integer of `width` bytes, 1 to 8, at `offset`.
    @inline(__always)
    func unsigned(at offset: Int, width: Int) -> UInt64 {
        switch width {
        case 1: UInt64(self[offset])
        case 2: UInt64(load(at: offset, as: UInt16.self))
        case 4: UInt64(load(at: offset, as: UInt32.self))
        case 8: load(at: offset, as: UInt64.self)
        default: oddUnsigned(at: offset, width: width)
        }
    }

    private func oddUnsigned(at offset: Int, width: Int) -> UInt64 {
        var value: UInt64 = 0
        for position in offset..<(offset + width) {
            value = value << 8 | UInt64(self[position])
        }
        return value
    }

    @inline(__always)
    private func load<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Integer.Type) -> Integer {
        assert(offset >= 0 && offset + MemoryLayout<Integer>.size <= count)
        return unsafe Integer(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The bytes of `range`.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe [UInt8](buffer(range))
    }

    /// The text whose UTF-8 bytes, known to be valid, are `range`.
    @inline(__always)
    func text(_ range: Range<Int>) -> String {
        guard range.count <= 15 else {
            // Of bytes instead of raw memory, which takes a tenth longer.
            let start = unsafe (base + range.lowerBound).assumingMemoryBound(to: UInt8.self)
            return unsafe String(decoding: UnsafeBufferPointer(start: start, count: range.count), as: UTF8.self)
        }
        // So few bytes stand in the string itself; filling them in is the quickest way.
        return unsafe String(unsafeUninitializedCapacity: range.count) { buffer in
            let source = unsafe self.buffer(range)
            unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
            return source.count
        }
    }

    /// The position in `range` of the first byte that is not ASCII.
    @inline(__always)
    func firstNonASCII(in range: Range<Int>) -> Int? {
        isASCII(range) ? nil : range.first { self[$0] >= 0x80 }
    }

    /// Whether all bytes of `range` are ASCII. What is left of the last word is looked at together with what is before it.
    @inline(__always)
    private func isASCII(_ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        let end = range.upperBound
        switch end - position {
        case 8...:
            var seen = load(at: end - 8, as: UInt64.self)
            while end - position > 8 {
                seen |= load(at: position, as: UInt64.self)
                position += 8
            }
            return seen & 0x8080_8080_8080_8080 == 0
        case 4..<8:
            return (load(at: position, as: UInt32.self) | load(at: end - 4, as: UInt32.self)) & 0x8080_8080 == 0
        default:
            var seen: UInt8 = 0
            while position < end {
                seen |= self[position]
                position += 1
            }
            return seen < 0x80
        }
    }

    /// Whether `text` stands at `offset`.
    @inline(__always)
    func matches(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, count - offset >= length else { return false }
        return unsafe areEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: length), at: offset)
    }

    /// Whether bytes from elsewhere stand at `offset`, where at least as many are.
    @inline(__always)
    func areEqual(to other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        unsafe buffer(offset..<(offset + other.count)).hasSameBytes(as: other)
    }

    /// Whether the bytes of `range` stand at `offset` too, where as many are.
    @inline(__always)
    func areEqual(_ range: Range<Int>, at offset: Int) -> Bool {
        for distance in 0..<range.count where self[range.lowerBound + distance] != self[offset + distance] {
            return false
        }
        return true
    }

    /// Appends the bytes of `range` to `array`.
    func append(_ range: Range<Int>, to array: inout [UInt8]) {
        unsafe array.append(contentsOf: buffer(range))
    }

    /// The first position from `start` on of one of two ASCII characters, or ``count``.
    @inline(__always)
    func firstIndex(of first: UInt8, or second: UInt8, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while count - position >= 8 {
            // A byte that is one of them is 0 in one of these, and the lowest byte whose highest bit is set below is the
            // first of them.
            let word = load(at: position, as: UInt64.self).byteSwapped
            let (a, b) = (word ^ ones &* UInt64(first), word ^ ones &* UInt64(second))
            let found = ((a &- ones) & ~a | (b &- ones) & ~b) & ones << 7
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count, self[position] != first, self[position] != second { position += 1 }
        return position
    }

    /// The first position from `start` on where a word of eight bytes holds others than printable ASCII characters, tabs and
    /// line ends, or where fewer than eight are left.
    @inline(__always)
    func skipASCIIText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highest = ones << 7
        var position = start
        while count - position >= 8 {
            let word = load(at: position, as: UInt64.self)
            if word & highest != 0 { break }
            // In each of these the highest bit of a byte is set unless it is that character; bytes are below 0x80, so that no
            // sum runs into the next one.
            let noTab = (word ^ ones &* 0x09) &+ ones &* 0x7F
            let noLineFeed = (word ^ ones &* 0x0A) &+ ones &* 0x7F
            let noReturn = (word ^ ones &* 0x0D) &+ ones &* 0x7F
            let isPrintable = word &+ ones &* 0x60
            if noTab & noLineFeed & noReturn & ~isPrintable & highest != 0 { break }
            position += 8
        }
        return position
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a buffer of the same length has the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        return unsafe memcmp(left, right, count) == 0
    }
}
