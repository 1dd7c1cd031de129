/// The elements of XML property lists.
enum XMLElement: String {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"

    /// The element whose name is `range`.
    init?(_ bytes: ByteView, _ range: Range<Int>) {
        let (candidate, name): (XMLElement, StaticString)
        switch (range.count, bytes[range.lowerBound]) {
        case (3, _): (candidate, name) = (.key, "key")
        case (4, UInt8(ascii: "t")): (candidate, name) = (.yes, "true")
        case (4, UInt8(ascii: "r")): (candidate, name) = (.real, "real")
        case (4, _):
            switch bytes[range.lowerBound + 2] {
            case UInt8(ascii: "c"): (candidate, name) = (.dict, "dict")
            default: (candidate, name) = bytes.matches("data", at: range.lowerBound) ? (.data, "data") : (.date, "date")
            }
        case (5, UInt8(ascii: "a")): (candidate, name) = (.array, "array")
        case (5, UInt8(ascii: "f")): (candidate, name) = (.no, "false")
        case (5, _): (candidate, name) = (.plist, "plist")
        case (6, _): (candidate, name) = (.string, "string")
        case (7, _): (candidate, name) = (.integer, "integer")
        default: return nil
        }
        guard bytes.matches(name, at: range.lowerBound) else { return nil }
        self = candidate
    }

    /// Whether it holds elements.
    var isContainer: Bool { self == .dict || self == .array }
}
