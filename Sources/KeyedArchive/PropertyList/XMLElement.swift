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
