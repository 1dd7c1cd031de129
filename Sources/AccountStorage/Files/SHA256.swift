internal import KeyedArchive

/// The hash function SHA-256 of FIPS 180-4, by which a file can be compared with other tools' records of it.
enum SHA256 {
    /// The hash of some bytes in 64 hexadecimal digits.
    static func hexDigest(of bytes: [UInt8]) -> String {
        var state = initialState
        var message = bytes + [0x80]
        message.append(contentsOf: repeatElement(0, count: (120 - message.count % 64) % 64))
        message.appendBigEndian(UInt64(bytes.count) &* 8, width: 8)
        for start in stride(from: 0, to: message.count, by: 64) {
            compress(message[start..<(start + 64)], into: &state)
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words: [UInt32] = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let early = words[index - 15]
            let late = words[index - 2]
            words.append(
                words[index - 16] &+ (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3)
                    &+ words[index - 7] &+ (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10)
            )
        }
        var work = state
        for (constant, word) in zip(roundConstants, words) {
            let choice = (work[4] & work[5]) ^ (~work[4] & work[6])
            let majority = (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2])
            let mixed = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
            let first = work[7] &+ mixed &+ choice &+ constant &+ word
            let second = (rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)) &+ majority
            work = [first &+ second, work[0], work[1], work[2], work[3] &+ first, work[4], work[5], work[6]]
        }
        for index in state.indices { state[index] &+= work[index] }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 64 prime numbers.
    private static let primes: [UInt64] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }()

    /// The first 32 bits of the fractions of the square roots of the first 8 primes.
    private static let initialState = primes.prefix(8).map { fraction(of: $0, power: 2) }
    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let roundConstants = primes.map { fraction(of: $0, power: 3) }

    /// The first 32 bits of the fraction of a root, by bisection over whole numbers.
    private static func fraction(of number: UInt64, power: Int) -> UInt32 {
        let target = UInt128(number) << UInt128(32 * power)
        var root: UInt128 = 0
        for bit in stride(from: 36, through: 0, by: -1) {
            let candidate = root | 1 << UInt128(bit)
            var product: UInt128 = 1
            for _ in 0..<power { product *= candidate }
            if product <= target { root = candidate }
        }
        return UInt32(truncatingIfNeeded: root)
    }
}
