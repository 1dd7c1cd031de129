/// Which values Apple's 64-bit systems keep in the pointer itself, so that equal ones are one object.
enum TaggedPointer {
    /// Whether an integer is one.
    static func holds(_ integer: Int128) -> Bool {
        integer >= -(1 << 55) && integer < 1 << 55
    }

    /// Whether a text is one: up to 7 ASCII characters, up to 9 of a set of 64, or up to 11 of a set of 32.
    static func holds(_ text: String) -> Bool {
        let utf8 = text.utf8
        switch utf8.count {
        case 0...7: return utf8.allSatisfy { $0 < 0x80 }
        case 8...9: return utf8.allSatisfy { set64[Int($0)] }
        case 10...11: return utf8.allSatisfy { set32[Int($0)] }
        default: return false
        }
    }

    private static let characters = "eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX"
    private static let set64 = membership(of: characters)
    private static let set32 = membership(of: String(characters.prefix(32)))

    private static func membership(of characters: String) -> [Bool] {
        var membership = [Bool](repeating: false, count: 256)
        for byte in characters.utf8 { membership[Int(byte)] = true }
        return membership
    }
}

extension PropertyList {
    /// The content of a node of which equal ones are one object in the memory of Apple's systems.
    enum Constant: Hashable {
        case text(ExactText)
        case integer(Int128)
        case bool(Bool)

        /// Nil for a node of which equal ones may be different objects.
        init?(_ node: Node) {
            switch node {
            case .text(let text) where TaggedPointer.holds(text): self = .text(ExactText(text))
            case .integer(let integer) where TaggedPointer.holds(integer.value): self = .integer(integer.value)
            case .bool(let bool): self = .bool(bool)
            default: return nil
            }
        }
    }
}
