internal import KeyValueCoding
internal import KeyedArchive

/// Finds the options that would have an archive imported which was refused.
///
/// It does what a person would: takes the first error, turns to the option that helps against it, and tries again, until
/// the archive is accepted or an error comes up that no option helps against.
struct RemedyFinder {
    private let bytes: [UInt8]
    private var options: ArchiveReadOptions
    private var remedies: [ImportRemedy] = []

    /// The options that are missing; empty if none help.
    static func remedies(for bytes: [UInt8], options: ArchiveReadOptions) -> [ImportRemedy] {
        var finder = RemedyFinder(bytes: bytes, options: options)
        return finder.find() ? finder.remedies : []
    }

    private init(bytes: [UInt8], options: ArchiveReadOptions) {
        self.bytes = bytes
        self.options = options
    }

    private mutating func find() -> Bool {
        for _ in 0..<8 {
            do {
                _ = try ArchivedAccount.accounts(in: bytes, options: options)
                return true
            } catch {
                guard let remedy = remedy(for: error), !remedies.contains(remedy) else { return false }
                remedies.append(remedy)
                remedy.apply(to: &options)
            }
        }
        return false
    }

    private func remedy(for error: any Error) -> ImportRemedy? {
        switch error {
        case let error as ArchiveError where error.code == .wrongClass:
            return className(of: error.objectIndex).map(ImportRemedy.acceptClass)
        case let error as ArchiveError where [.badOffsetTable, .badObjects, .badClass].contains(error.code):
            return options.limits.allowsGaps ? nil : .allowGaps
        case let error as ArchivedAccountError where error.mapping.code == .missingKey:
            return remedy(forMissing: error.mapping.key, fields: error.fields)
        case let error as ArchivedAccountError where error.mapping.code == .unknownKey:
            return .keepUnknownKeys
        default:
            return nil
        }
    }

    private func className(of index: Int?) -> String? {
        guard let index, let archive = try? Archive(reading: bytes, limits: options.limits) else { return nil }
        return archive.className(at: index)
    }

    private func remedy(forMissing key: String, fields: [ArchivedAccountError.Field]) -> ImportRemedy? {
        // A key that may be a token is not told of, and what is cut of it is no key.
        let free = fields.filter { $0.property == nil && Redaction.name($0.key) == $0.key }
        let names = Self.otherNames[key, default: []] + [Self.letters(of: key)]
        if let field = free.first(where: { !$0.isDate && names.contains(Self.letters(of: $0.key)) }) {
            return .readKey(field.key, as: key)
        }
        // A key that is almost one of these is a damaged one, and the value is not missing.
        let common = CommonNames(names + options.mapping.aliases.filter { $0.value == key }.keys.map(Self.letters))
        if free.contains(where: { !$0.isDate && common.original(of: Self.letters(of: $0.key)) != nil }) { return nil }
        guard key == "expires_in" || key == "remind_in" else { return nil }
        if key == "expires_in",
            let field = free.first(where: { $0.isDate && Self.letters(of: $0.key).contains("expire") })
        {
            return .readKey(field.key, as: ArchiveReadOptions.expiresAtKey)
        }
        return .supply(key: key, value: 0)
    }

    /// What apps call the properties, by letters and digits only.
    private static let otherNames: [String: [String]] = [
        "access_token": ["token", "oauthtoken", "wbtoken"],
        "uid": ["userid", "useridstr", "idstr"],
        "expires_in": ["expires", "expirein"],
        "remind_in": ["remind", "reminds"],
    ]

    private static func letters(of key: String) -> String {
        String(key.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
    }
}
