/// The bytes of a file after edits, of which each is known to be old or new.
public struct MutatedBytes: Sendable {
    /// The bytes.
    public private(set) var bytes: [UInt8]
    /// For each byte where it was in the original; -1 for one that an edit wrote.
    private var origins: [Int32]
    /// How many bytes the original has.
    private let originalCount: Int

    /// Begins with the original.
    public init(_ original: [UInt8]) {
        bytes = original
        origins = (0..<Int32(original.count)).map { $0 }
        originalCount = original.count
    }

    /// Writes one byte.
    public mutating func set(_ byte: UInt8, at position: Int) {
        guard bytes.indices.contains(position), bytes[position] != byte else { return }
        bytes[position] = byte
        origins[position] = -1
    }

    /// Puts bytes in the place of others.
    public mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
        origins.replaceSubrange(range, with: [Int32](repeating: -1, count: new.count))
    }

    /// The positions of the original whose bytes are gone, or next to which something is new.
    public func touchedPositions() -> [Bool] {
        var touched = [Bool](repeating: true, count: originalCount + 1)
        var last: Int32 = -1
        for origin in origins where origin >= 0 {
            if origin >= 0 { touched[Int(origin)] = false }
            last = max(last, origin)
        }
        for index in origins.indices.dropFirst() where origins[index] != origins[index - 1] + 1 {
            // A seam: what is new may belong to the piece on either side.
            for origin in [origins[index - 1], origins[index]] where origin >= 0 { touched[Int(origin)] = true }
        }
        return touched
    }

    /// The positions of the result that are new, or next to what is gone.
    public func newPositions() -> [Bool] {
        var new = origins.map { $0 < 0 }
        for index in origins.indices.dropFirst() where origins[index] != origins[index - 1] + 1 {
            new[index - 1] = true
            new[index] = true
        }
        return new
    }
}

extension MutatedBytes {
    /// Cut off behind so many bytes.
    public static func cut(_ original: [UInt8], to count: Int) -> MutatedBytes {
        var mutated = MutatedBytes(original)
        mutated.replace(count..<original.count, with: [])
        return mutated
    }

    /// One byte XORed.
    public static func flip(_ original: [UInt8], at position: Int, mask: UInt8) -> MutatedBytes {
        var mutated = MutatedBytes(original)
        mutated.set(original[position] ^ mask, at: position)
        return mutated
    }

    /// One to four edits of any kind.
    public static func random(_ original: [UInt8], seed: UInt64) -> MutatedBytes {
        var generator = SeededGenerator(seed: seed)
        var mutated = MutatedBytes(original)
        let count = [1, 1, 1, 2, 2, 3, 4].randomElement(using: &generator) ?? 1
        for _ in 0..<count { mutated.edit(&generator) }
        return mutated
    }

    private static let telling: [UInt8] = [
        0x00, 0x01, 0x08, 0x09, 0x0F, 0x10, 0x13, 0x14, 0x23, 0x33, 0x40, 0x50, 0x5F, 0x60, 0x7F, 0x80, 0x81, 0xA1,
        0xC1,
        0xD1, 0xFF, 0x3C, 0x3E, 0x26, 0x2F, 0x20,
    ]

    private mutating func edit(_ generator: inout SeededGenerator) {
        guard bytes.count > 1 else { return }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: set(.random(in: 0...255, using: &generator), at: place)
        case 2: set(bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &generator), at: place)
        case 3: set(bytes[place] &+ (Bool.random(using: &generator) ? 1 : 255), at: place)
        case 4: set(Self.telling.randomElement(using: &generator) ?? 0, at: place)
        case 5: replace(place..<place, with: [.random(in: 0...255, using: &generator)])
        case 6: replace(place..<(place + 1), with: [])
        case 7:
            let other = Int.random(in: 0..<bytes.count, using: &generator)
            let (left, right) = (bytes[place], bytes[other])
            set(right, at: place)
            set(left, at: other)
        case 8: copyRun(to: place, isMove: false, &generator)
        case 9: copyRun(to: place, isMove: true, &generator)
        case 10: editTrailer(&generator)
        default:
            let length = Int.random(in: 1...8, using: &generator)
            replace(place..<min(place + length, bytes.count), with: [])
        }
    }

    /// Copies a run over what stands elsewhere, or exchanges the two.
    private mutating func copyRun(to target: Int, isMove: Bool, _ generator: inout SeededGenerator) {
        let source = Int.random(in: 0..<bytes.count, using: &generator)
        let length = min(Int.random(in: 1...24, using: &generator), bytes.count - max(source, target))
        let (run, other) = (Array(bytes[source..<source + length]), Array(bytes[target..<target + length]))
        for (index, byte) in run.enumerated() { set(byte, at: target + index) }
        guard isMove, abs(source - target) >= length else { return }
        for (index, byte) in other.enumerated() { set(byte, at: source + index) }
    }

    /// Writes a small number, or one near the right one, into a field of the last 32 bytes.
    private mutating func editTrailer(_ generator: inout SeededGenerator) {
        guard bytes.count > 32 else { return }
        let field = [6, 7, 15, 14, 23, 22, 31, 30, 8, 16, 24].randomElement(using: &generator) ?? 0
        let place = bytes.count - 32 + field
        let change = UInt8.random(in: 0...4, using: &generator)
        set(Bool.random(using: &generator) ? change : bytes[place] &+ change &- 2, at: place)
    }
}
