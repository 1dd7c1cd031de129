/// Finds keys that a dictionary has twice.
///
/// Keys are compared code unit by code unit, as Apple's dictionaries do. Swift's `==` is no help: to it, texts that
/// Unicode holds to be equivalent are one. Each key is read once, however many dictionaries share it.
struct KeyCheck {
    /// Up to so many keys, comparing each with each is fastest.
    private static let few = 12

    private let list: PropertyList
    /// The fingerprint of each object that has been met as a key; 0 for all others.
    private var fingerprints: [UInt64] = []

    init(_ list: PropertyList) {
        self.list = list
    }

    /// Checks the keys of the dictionary that is object `index`, all of them texts.
    mutating func check(_ run: PropertyList.Run, of index: Int) throws(ArchiveError) {
        guard run.count > 1 else { return }
        if fingerprints.isEmpty {
            fingerprints = [UInt64](repeating: 0, count: list.nodes.count)
        }
        let keys = run.start..<(run.start + run.count)
        for position in keys {
            let key = list.references[position]
            if fingerprints[key] == 0 { fingerprints[key] = fingerprint(of: key) }
        }
        if run.count <= Self.few {
            for position in keys {
                try compare(position, withAll: run.start..<position, of: index)
            }
        } else {
            var seen = Set<UInt64>(minimumCapacity: run.count)
            for position in keys where !seen.insert(fingerprints[list.references[position]]).inserted {
                try compare(position, withAll: run.start..<position, of: index)
            }
        }
    }

    private func compare(_ position: Int, withAll others: Range<Int>, of index: Int) throws(ArchiveError) {
        let key = list.references[position]
        let print = fingerprints[key]
        for other in others where fingerprints[list.references[other]] == print {
            let earlier = list.references[other]
            guard earlier == key || text(earlier).utf8.elementsEqual(text(key).utf8) else { continue }
            throw ArchiveError(
                .duplicateKey,
                at: list.byteOffset(of: list.format == .xml ? key : index),
                "the dictionary that is object \(index) has the key \"\(text(key).prefix(64))\" twice, which leaves open"
                    + " which value holds"
            )
        }
    }

    private func text(_ index: Int) -> String {
        if case .text(let text) = list.nodes[index] { text } else { "" }
    }

    private func fingerprint(of index: Int) -> UInt64 {
        guard case .text(var text) = list.nodes[index] else { return 1 }
        return text.withUTF8 { unsafe Fingerprint.of(UnsafeRawBufferPointer($0)) }
    }
}

/// A number that stands for a text: the same for equal texts, and hardly ever the same for others.
///
/// It depends on a number that is drawn when the process starts, so that nobody can write texts that share one.
enum Fingerprint {
    private static let secret = UInt64.random(in: .min ... .max) | 1
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The fingerprint of UTF-8 bytes; never 0.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let secret = secret
        var state = secret ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while bytes.count - offset >= 8 {
            state = unsafe mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), secret)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = unsafe rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(mix(state ^ rest, secret), factor) | 1
    }

    @inline(__always)
    private static func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
