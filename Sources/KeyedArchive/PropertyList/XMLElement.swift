/// The elements of XML property lists.
enum XMLElement: String {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"

    /// The element whose name is `range`.
    init?(_ bytes: ByteView, _ range: Range<Int>) {
        guard range.count <= 7 else { return nil }
        // The characters of the name as one number.
        switch bytes.unsigned(at: range.lowerBound, width: range.count) {
        case 0x70_6C69_7374: self = .plist
        case 0x6469_6374: self = .dict
        case 0x61_7272_6179: self = .array
        case 0x6B_6579: self = .key
        case 0x7374_7269_6E67: self = .string
        case 0x69_6E74_6567_6572: self = .integer
        case 0x7265_616C: self = .real
        case 0x6461_7465: self = .date
        case 0x6461_7461: self = .data
        case 0x7472_7565: self = .yes
        case 0x66_616C_7365: self = .no
        default: return nil
        }
    }

    /// Whether it holds elements.
    var isContainer: Bool { self == .dict || self == .array }
}

extension XMLElement {
    /// The element of a start tag without attributes or white space, from the eight bytes after its `<`; nil for other tags.
    @inline(__always)
    static func opened(by word: UInt64) -> (element: XMLElement, nameLength: Int, isEmpty: Bool)? {
        if word >> 32 == 0x6B65_793E { return (.key, 3, false) }
        if word >> 8 == 0x73_7472_696E_673E { return (.string, 6, false) }
        if word == 0x696E_7465_6765_723E { return (.integer, 7, false) }
        switch word >> 24 {
        case 0x64_6963_743E: return (.dict, 4, false)
        case 0x72_6561_6C3E: return (.real, 4, false)
        case 0x64_6174_653E: return (.date, 4, false)
        case 0x64_6174_613E: return (.data, 4, false)
        default: break
        }
        if word >> 16 == 0x6172_7261_793E { return (.array, 5, false) }
        if word >> 16 == 0x7472_7565_2F3E { return (.yes, 4, true) }
        if word >> 8 == 0x66_616C_7365_2F3E { return (.no, 5, true) }
        return nil
    }
}
