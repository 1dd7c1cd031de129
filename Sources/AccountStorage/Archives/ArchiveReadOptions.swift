public import FoundationEssentials
public import KeyValueCoding
public import KeyedArchive

/// How accounts are read out of archives.
public struct ArchiveReadOptions: Sendable {
    /// The classes that are accounts besides `Account`: names, `*` in them standing for any text.
    public var classes: [String]
    /// How the fields of an archived object become an account.
    ///
    /// `aliases` names the property for a key that some app used; besides the keys of ``Account/properties`` it may be
    /// `expires_at`, from which the property that is missing, `expires_in` or `obtained_at`, is worked out.
    /// `defaults` has values for missing keys; there is none for `uid`.
    public var mapping: MappingOptions
    /// When the token was issued, where the archive does not say.
    public var obtainedAt: Date?
    /// How large an archive may be.
    public var limits: ArchiveLimits

    /// Makes options; without arguments they are those of `accounts import`.
    public init(
        classes: [String] = [],
        mapping: MappingOptions = .strict,
        obtainedAt: Date? = nil,
        limits: ArchiveLimits = ArchiveLimits()
    ) {
        self.classes = classes
        self.mapping = mapping
        self.obtainedAt = obtainedAt
        self.limits = limits
    }

    /// All classes that are accounts.
    var patterns: [ClassPattern] { (["Account"] + classes).map { ClassPattern($0) } }

    /// The key that stands for ``Account/expiresAt``, which is no stored property.
    static let expiresAtKey = "expires_at"
    /// What a field for a time is read as that is nil: nothing, and it stays nil.
    static let emptyTimeKey = "-"
    /// The key that stands for ``Account/obtainedAt``.
    static let obtainedAtKey = "obtained_at"
}
