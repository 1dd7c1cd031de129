/// Writes a ``PropertyList`` as a binary property list (`bplist00`), as Apple's CoreFoundation lays it out.
struct BinaryPropertyListWriter {
    /// How many bytes numbers take.
    enum Widths: Sendable {
        /// As few as Apple uses.
        case minimal
        /// As many as in the file that the list was read from, where the values still fit: of integers, and of
        /// offsets and references by the trailer of the list, whose unused bytes are given back too.
        case asRead
    }

    private let list: PropertyList
    private let widths: Widths
    private let referenceSize: Int
    private var bytes: [UInt8] = []

    /// Writes `list`, which has been checked.
    static func write(_ list: PropertyList, widths: Widths) -> [UInt8] {
        var writer = BinaryPropertyListWriter(list, widths: widths)
        writer.write()
        return writer.bytes
    }

    /// The bytes of an object that is no container.
    static func encode(scalar: PropertyList.Node) -> [UInt8] {
        var writer = BinaryPropertyListWriter(PropertyList(format: .binary, nodes: [scalar]), widths: .minimal)
        writer.append(scalar)
        return writer.bytes
    }

    private init(_ list: PropertyList, widths: Widths) {
        self.list = list
        self.widths = widths
        let least = Self.width(of: UInt64(list.nodes.count - 1))
        referenceSize = widths == .asRead ? max(least, list.trailer?.referenceSize ?? 0) : least
    }

    /// The fewest of 1, 2, 4 or 8 bytes that hold `value`.
    static func width(of value: UInt64) -> Int {
        value.propertyListWidth
    }

    private mutating func write() {
        bytes.reserveCapacity(list.sources.last?.upperBound ?? list.nodes.count * 12 + 40)
        bytes.append(contentsOf: "bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(list.nodes.count)
        for node in list.nodes {
            offsets.append(bytes.count)
            append(node)
        }
        let tableStart = bytes.count
        let trailer = widths == .asRead ? list.trailer : nil
        let offsetSize = max(Self.width(of: UInt64(tableStart)), trailer?.offsetSize ?? 0)
        for offset in offsets { append(UInt64(offset), width: offsetSize) }
        append(trailer?.unused ?? 0, width: 6)
        bytes.append(UInt8(offsetSize))
        bytes.append(UInt8(referenceSize))
        for field in [list.nodes.count, list.top, tableStart] { append(UInt64(field), width: 8) }
    }

    private mutating func append(_ node: PropertyList.Node) {
        switch node {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let integer): append(integer.value, width: integer.width)
        case .real(let value, let single):
            if single, Double(Float(value)) == value || value.isNaN {
                bytes.append(0x22)
                append(UInt64(Float(value).bitPattern), width: 4)
            } else {
                bytes.append(0x23)
                append(value.bitPattern, width: 8)
            }
        case .date(let seconds):
            bytes.append(0x33)
            append(seconds.bitPattern, width: 8)
        case .data(let data):
            append(marker: 0x40, count: data.count)
            bytes.append(contentsOf: data)
        case .text(let text): append(text)
        case .uid(let uid):
            let width = Self.width(of: uid)
            bytes.append(0x80 | UInt8(width - 1))
            append(uid, width: width)
        case .array(let run): append(marker: 0xA0, run: run, total: run.count)
        case .set(let run): append(marker: 0xC0, run: run, total: run.count)
        case .dictionary(let run): append(marker: 0xD0, run: run, total: 2 * run.count)
        }
    }

    private mutating func append(marker: UInt8, run: PropertyList.Run, total: Int) {
        append(marker: marker, count: run.count)
        for reference in list.references[run.start..<(run.start + total)] {
            append(UInt64(reference), width: referenceSize)
        }
    }

    private mutating func append(_ value: Int128, width: UInt8) {
        if widths == .asRead, Self.fits(value, width: width) {
            append(integer: value, width: Int(width))
        } else if value < 0 {
            append(integer: value, width: value >= Int128(Int64.min) ? 8 : 16)
        } else {
            append(integer: value, width: Int64(exactly: value).map { Self.width(of: UInt64($0)) } ?? 16)
        }
    }

    /// Whether `value` can stand in an integer object of `width` bytes, which is unsigned up to four.
    private static func fits(_ value: Int128, width: UInt8) -> Bool {
        switch width {
        case 1: UInt8(exactly: value) != nil
        case 2: UInt16(exactly: value) != nil
        case 4: UInt32(exactly: value) != nil
        case 8: Int64(exactly: value) != nil
        default: width == 16
        }
    }

    private mutating func append(integer value: Int128, width: Int) {
        bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
        if width == 16 { append(UInt64(truncatingIfNeeded: value >> 64), width: 8) }
        append(UInt64(truncatingIfNeeded: value), width: min(width, 8))
    }

    private mutating func append(_ text: String) {
        var text = text
        let isASCII = text.withUTF8 { buffer in
            guard let view = unsafe ByteView(UnsafeRawBufferPointer(buffer)) else { return true }
            return view.firstNonASCII(in: 0..<view.count) == nil
        }
        if isASCII {
            append(marker: 0x50, count: text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        } else {
            append(marker: 0x60, count: text.utf16.count)
            for unit in text.utf16 { append(UInt64(unit), width: 2) }
        }
    }

    /// Appends a marker with its length.
    private mutating func append(marker: UInt8, count: Int) {
        if count < 15 {
            bytes.append(marker | UInt8(count))
        } else {
            bytes.append(marker | 0x0F)
            append(integer: Int128(count), width: Self.width(of: UInt64(count)))
        }
    }

    /// Appends the lower `width` bytes of `value`, highest first.
    @inline(__always)
    private mutating func append(_ value: UInt64, width: Int) {
        var shift = 8 * (width - 1)
        while shift >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            shift -= 8
        }
    }
}

extension UInt64 {
    /// The fewest of 1, 2, 4 or 8 bytes that hold the number, which Apple's writer gives it. The bits of a negative number take 8.
    @inlinable
    package var propertyListWidth: Int {
        self <= 0xFF ? 1 : self <= 0xFFFF ? 2 : self <= 0xFFFF_FFFF ? 4 : 8
    }
}
