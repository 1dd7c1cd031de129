/// Elements of `$objects`, a bit for each.
struct ElementSet {
    // The first 64 are here, since small archives have no more.
    private var first: UInt64 = 0
    private var words: [UInt64] = []
    private let count: Int

    /// Makes an empty set of elements, of which there are `count`.
    init(count: Int) { self.count = count }

    /// Puts an element in; false if it is there already.
    @inline(__always)
    mutating func insert(_ element: Int) -> Bool {
        let bit = UInt64(1) << UInt64(element & 63)
        guard element >= 64 else {
            defer { first |= bit }
            return first & bit == 0
        }
        if words.isEmpty { words = [UInt64](repeating: 0, count: count >> 6) }
        defer { words[element >> 6 - 1] |= bit }
        return words[element >> 6 - 1] & bit == 0
    }

    /// Takes an element out that is in.
    mutating func remove(_ element: Int) {
        let bit = UInt64(1) << UInt64(element & 63)
        if element < 64 { first &= ~bit } else { words[element >> 6 - 1] &= ~bit }
    }
}
