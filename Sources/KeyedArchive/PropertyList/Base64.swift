/// Base64 as property lists use it (RFC 4648, white space allowed).
enum Base64 {
    /// Value of each character: below 64 a digit, or one of these.
    private static let space: UInt8 = 0x40
    private static let padding: UInt8 = 0x41
    private static let other: UInt8 = 0x42

    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: other, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        for character in [0x20, 0x09, 0x0A, 0x0D] { values[character] = space }
        values[0x3D] = padding
        return values
    }()

    /// The bytes that the text in `range` stands for; nil if it is no base64, lacks padding, or has bits left
    /// over that no encoder leaves.
    static func decode(_ bytes: ByteView, _ range: Range<Int>) -> [UInt8]? {
        let values = values
        var result: [UInt8] = []
        result.reserveCapacity(range.count / 4 * 3)
        var (group, digits, pads): (UInt32, Int, Int) = (0, 0, 0)
        for position in range {
            let value = values[Int(bytes[position])]
            switch value {
            case 0..<64:
                guard pads == 0 else { return nil }
                group = group << 6 | UInt32(value)
                digits += 1
                guard digits == 4 else { continue }
                result.append(UInt8(truncatingIfNeeded: group >> 16))
                result.append(UInt8(truncatingIfNeeded: group >> 8))
                result.append(UInt8(truncatingIfNeeded: group))
                (group, digits) = (0, 0)
            case space: continue
            case padding: pads += 1
            default: return nil
            }
        }
        switch (digits, pads) {
        case (0, 0): return result
        case (2, 2):
            guard group & 0xF == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 4))
        case (3, 1):
            guard group & 0x3 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 10))
            result.append(UInt8(truncatingIfNeeded: group >> 2))
        default: return nil
        }
        return result
    }

    /// Appends `data` in lines as CoreFoundation breaks them: 76 characters less 8 for each tab that indents them,
    /// and never more than 8 tabs.
    static func append(_ data: [UInt8], to text: inout [UInt8], indentation: Int) {
        let tabs = min(indentation, 8)
        let lineLength = 76 - 8 * tabs
        let alphabet = alphabet
        var column = 0
        var position = 0
        while position < data.count {
            if column == 0 {
                for _ in 0..<tabs { text.append(UInt8(ascii: "\t")) }
            }
            let rest = data.count - position
            var group = UInt32(data[position]) << 16
            if rest > 1 { group |= UInt32(data[position + 1]) << 8 }
            if rest > 2 { group |= UInt32(data[position + 2]) }
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 0x3F)])
            text.append(rest > 1 ? alphabet[Int(group >> 6 & 0x3F)] : UInt8(ascii: "="))
            text.append(rest > 2 ? alphabet[Int(group & 0x3F)] : UInt8(ascii: "="))
            position += 3
            column += 4
            if column >= lineLength || position >= data.count {
                text.append(UInt8(ascii: "\n"))
                column = 0
            }
        }
    }
}
