extension ArchivedClass {
    /// The superclasses, below `NSObject`, of Foundation's archivable classes that have any. From the declarations in
    /// Foundation's public headers.
    static let foundationSuperclasses: [String: [String]] = [
        "NSMutableArray": ["NSArray"],
        "NSMutableAttributedString": ["NSAttributedString"],
        "NSMutableCharacterSet": ["NSCharacterSet"],
        "NSMutableData": ["NSData"],
        "NSMutableDictionary": ["NSDictionary"],
        "NSMutableIndexSet": ["NSIndexSet"],
        "NSMutableOrderedSet": ["NSOrderedSet"],
        "NSMutableSet": ["NSSet"],
        "NSMutableString": ["NSString"],
        "NSMutableURLRequest": ["NSURLRequest"],
        "NSCountedSet": ["NSMutableSet", "NSSet"],
        "NSNumber": ["NSValue"],
        "NSDecimalNumber": ["NSNumber", "NSValue"],
    ]

    /// How Foundation's own class encodes a field; a class of an app is taken to encode objects.
    func encoding(ofField key: String) -> ArchiveField.Encoding {
        if Self.inlineFields[name]?.contains(key) == true { return .inline }
        return name.hasPrefix("NS") && (key == "NS.objects" || key == "NS.keys") ? .references : .object
    }

    /// The fields that Foundation's classes have in the object's own dictionary although their values could be objects.
    private static let inlineFields: [String: Set<String>] = [
        "NSUUID": ["NS.uuidbytes"],
        "NSData": ["NS.data"], "NSMutableData": ["NS.data"],
        "NSString": ["NS.string", "NS.bytes"], "NSMutableString": ["NS.string", "NS.bytes"],
        "NSDate": ["NS.time"],
    ]
}
