/// The texts that are in nearly every archive, so that they need not be made each time.
enum ArchiverWords {
    /// The text of `length` ASCII characters, if it is one of them.
    ///
    /// - Parameters:
    ///   - first: its first eight characters as a number, those of a shorter text with zeros before them.
    ///   - last: its last eight characters, of a text that has more.
    @inline(__always)
    static func text(_ first: UInt64, _ last: UInt64, length: Int) -> String? {
        switch (length, first) {
        case (4, 0x2474_6F70): "$top"
        case (4, 0x726F_6F74): "root"
        case (5, 0x24_6E75_6C6C): "$null"
        case (6, 0x2463_6C61_7373): "$class"
        case (7, 0x4E_532E_6B65_7973): "NS.keys"
        case (7, 0x4E_532E_7469_6D65): "NS.time"
        case (8, 0x2476_6572_7369_6F6E): "$version"
        case (8, 0x246F_626A_6563_7473): "$objects"
        case (8, 0x2463_6C61_7373_6573): "$classes"
        case (8, 0x4E53_4F62_6A65_6374): "NSObject"
        case (9, 0x2461_7263_6869_7665) where last == 0x6172_6368_6976_6572: "$archiver"
        case (10, 0x2463_6C61_7373_6E61) where last == 0x6C61_7373_6E61_6D65: "$classname"
        case (10, 0x4E53_2E6F_626A_6563) where last == 0x2E6F_626A_6563_7473: "NS.objects"
        case (15, 0x4E53_4B65_7965_6441) where last == 0x4172_6368_6976_6572: "NSKeyedArchiver"
        default: nil
        }
    }
}
