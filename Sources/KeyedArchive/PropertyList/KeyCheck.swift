/// Finds keys that a dictionary has twice.
///
/// Keys are compared code unit by code unit, as Apple's dictionaries do. Swift's `==` is no help: to it, texts that
/// Unicode holds to be equivalent are one.
struct KeyCheck {
    /// Up to so many keys, comparing each with each is fastest.
    private static let few = 12
    /// Texts of more bytes are read once, however many dictionaries share them.
    private static let short = 64

    private let bytes: ByteView?
    private let fingerprint = Fingerprint()
    private var longTexts: [Int: UInt64] = [:]

    /// Makes a check for the dictionaries of one list; `bytes` are those that it was read from.
    init(bytes: ByteView?) {
        self.bytes = bytes
    }

    /// Checks the keys of the dictionary that is object `index`, all of them texts.
    @inline(__always)
    mutating func check(_ run: PropertyList.Run, of index: Int, in list: PropertyList) throws(ArchiveError) {
        guard run.count > 1 else { return }
        guard run.count <= Self.few else { return try checkMany(run, of: index, in: list) }
        if let bytes, beginnings(of: run, in: list, differ: bytes) { return }
        try checkFew(run, of: index, in: list)
    }

    /// Whether the keys are spelled so that equal ones are the same bytes, and differ in the first eight of them.
    @inline(__always)
    private func beginnings(of run: PropertyList.Run, in list: PropertyList, differ bytes: ByteView) -> Bool {
        var beginnings = InlineArray<12, UInt64>(repeating: 0)
        for number in 0..<run.count {
            guard let beginning = beginning(of: list.references[run.start + number], in: list, bytes) else {
                return false
            }
            for other in 0..<number where beginnings[other] == beginning { return false }
            beginnings[number] = beginning
        }
        return true
    }

    /// The first eight bytes of a key, its length or its end among them; nil for one that has several spellings.
    ///
    /// What follows on all keys, a trailer or the end tag of `plist`, is as long, so that there are eight bytes.
    @inline(__always)
    private func beginning(of key: Int, in list: PropertyList, _ bytes: ByteView) -> UInt64? {
        let source = list.sources[key]
        if list.format == .binary {
            // A short ASCII text: what is behind it is another object's.
            let word = bytes.unsigned(at: source.lowerBound, width: 8)
            return 0x50...0x5E ~= word >> 56 ? word >> UInt64(max(0, 64 - 8 * source.count)) : nil
        }
        // Text without entities and sections, between <key> and </key>.
        guard case .text(let text) = list.nodes[key], source.count == text.utf8.count + 11 else { return nil }
        return bytes.unsigned(at: source.lowerBound + 5, width: 8)
    }

    private mutating func checkFew(_ run: PropertyList.Run, of index: Int, in list: PropertyList) throws(ArchiveError) {
        var prints = InlineArray<12, UInt64>(repeating: 0)
        for number in 0..<run.count {
            let print = fingerprint(of: list.references[run.start + number], in: list)
            for other in 0..<number where prints[other] == print {
                try compare(run.start + number, with: run.start + other, of: index, in: list)
            }
            prints[number] = print
        }
    }

    /// Checks the keys of all dictionaries of a list whose keys are texts and whose containers are a tree.
    static func run(_ list: PropertyList, bytes: ByteView) throws(ArchiveError) {
        var check = KeyCheck(bytes: bytes)
        for index in list.nodes.indices {
            if case .dictionary(let run) = list.nodes[index] { try check.check(run, of: index, in: list) }
        }
    }

    private mutating func checkMany(_ run: PropertyList.Run, of index: Int, in list: PropertyList) throws(ArchiveError)
    {
        var seen: [UInt64: Int] = [:]
        seen.reserveCapacity(run.count)
        for position in run.start..<(run.start + run.count) {
            let print = fingerprint(of: list.references[position], in: list)
            if let other = seen.updateValue(position, forKey: print) {
                try compare(position, with: other, of: index, in: list)
            }
        }
    }

    /// Compares two keys of one fingerprint.
    private func compare(_ position: Int, with other: Int, of index: Int, in list: PropertyList) throws(ArchiveError) {
        let (key, earlier) = (list.references[position], list.references[other])
        guard key == earlier || list.text(key).isIdentical(to: list.text(earlier)) else { return }
        throw ArchiveError(
            .duplicateKey,
            at: list.byteOffset(of: list.format == .xml ? key : index),
            "the dictionary that is object \(index) has the key \"\(list.text(key).prefix(64))\" twice, which leaves open"
                + " which value holds"
        )
    }

    @inline(__always)
    private mutating func fingerprint(of index: Int, in list: PropertyList) -> UInt64 {
        // A short ASCII text has the same bytes in the file as in memory, behind one marker byte.
        if let bytes, list.sources[index].count <= 15 {
            let source = list.sources[index]
            if 0x50...0x5E ~= bytes[source.lowerBound] {
                return unsafe fingerprint.of(bytes.buffer((source.lowerBound + 1)..<source.upperBound))
            }
        }
        return fingerprintOfText(index, in: list)
    }

    private mutating func fingerprintOfText(_ index: Int, in list: PropertyList) -> UInt64 {
        var text = list.text(index)
        if text.utf8.count <= Self.short {
            return text.withUTF8 { unsafe fingerprint.of(UnsafeRawBufferPointer($0)) }
        }
        if let print = longTexts[index] { return print }
        let print = text.withUTF8 { unsafe fingerprint.of(UnsafeRawBufferPointer($0)) }
        longTexts[index] = print
        return print
    }
}

extension PropertyList {
    /// The text that a key is.
    fileprivate func text(_ index: Int) -> String {
        if case .text(let text) = nodes[index] { text } else { "" }
    }
}

/// A number that stands for a text: the same for equal texts, and hardly ever the same for others.
///
/// It depends on a number that is drawn when the process starts, so that nobody can write texts that share one.
struct Fingerprint {
    private static let secret = UInt64.random(in: .min ... .max) | 1
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let secret = Self.secret

    /// The fingerprint of UTF-8 bytes.
    @inline(__always)
    func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = secret ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while bytes.count - offset >= 8 {
            state = unsafe mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), secret)
            offset += 8
        }
        var rest: UInt64 = 0
        if bytes.count >= 8, offset < bytes.count {
            // The last eight bytes: some of them twice, which does no harm since the length counts too.
            rest = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            while offset < bytes.count {
                rest = unsafe rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
        }
        return mix(mix(state ^ rest, secret), Self.factor)
    }

    @inline(__always)
    private func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
