/// The order in which CoreFoundation iterates over a dictionary with text for keys.
///
/// An archiver on Apple's systems collects the fields of an object in a `CFDictionary`, and the property list has
/// them in that dictionary's iteration order: by bucket of an open hash table with linear probing. The rule was
/// found by experiment with CoreFoundation's open-source release.
enum CoreFoundationOrder {
    /// The sizes that a table grows through, and how many entries each holds.
    ///
    /// Beyond these a table of `n` buckets is taken to hold `n × 0.62` entries, which no archived class comes near.
    private static let sizes: [(buckets: Int, capacity: Int)] = [
        (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
        (631, 390), (1087, 672), (1723, 1065), (2803, 1732), (4523, 2795), (7351, 4543), (11959, 7391),
        (19447, 12019), (31231, 19302), (50683, 31324), (81919, 50629), (132607, 81956),
    ]

    /// Puts keys into iteration order.
    ///
    /// - Parameter keys: distinct keys in the order in which they were put in.
    /// - Returns: the positions of `keys` in the order of iteration. More keys than the largest known table holds stay
    ///   in the order that they came in.
    static func positions(of keys: [String]) -> [Int] {
        guard keys.count <= sizes[sizes.count - 1].capacity else { return Array(keys.indices) }
        let hashes = keys.map { hash(of: $0) }
        var level = 0
        var buckets = [Int?](repeating: nil, count: sizes[0].buckets)
        var count = 0
        for position in keys.indices {
            if count == sizes[level].capacity {
                level += 1
                let old = buckets.compactMap { $0 }
                buckets = [Int?](repeating: nil, count: sizes[level].buckets)
                for moved in old { insert(moved, hash: hashes[moved], into: &buckets) }
            }
            insert(position, hash: hashes[position], into: &buckets)
            count += 1
        }
        return buckets.compactMap { $0 }
    }

    private static func insert(_ position: Int, hash: UInt64, into buckets: inout [Int?]) {
        var bucket = Int(hash % UInt64(buckets.count))
        while buckets[bucket] != nil { bucket = bucket + 1 == buckets.count ? 0 : bucket + 1 }
        buckets[bucket] = position
    }

    /// CoreFoundation's hash of a text. Of a text of more than 96 UTF-16 code units only three runs of 32 count.
    static func hash(of text: String) -> UInt64 {
        let units = Array(text.utf16)
        var result = UInt64(truncatingIfNeeded: units.count)
        if units.count <= 96 {
            fold(units[...], into: &result)
        } else {
            let middle = units.count / 2 - 16
            fold(units[..<32], into: &result)
            fold(units[middle..<(middle + 32)], into: &result)
            fold(units[(units.count - 32)...], into: &result)
        }
        return result &+ (result << UInt64(units.count & 31))
    }

    private static func fold(_ units: ArraySlice<UInt16>, into result: inout UInt64) {
        var rest = units
        while rest.count >= 4 {
            let start = rest.startIndex
            var group: UInt32 = 0
            for unit in rest[start..<(start + 4)] { group = group &* 257 &+ UInt32(unit) }
            result = result &* 67_503_105 &+ UInt64(group)
            rest = rest[(start + 4)...]
        }
        for unit in rest { result = result &* 257 &+ UInt64(unit) }
    }
}
