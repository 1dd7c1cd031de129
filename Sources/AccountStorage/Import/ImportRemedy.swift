internal import KeyValueCoding
internal import KeyedArchive

/// An option that has a file imported that was refused without it.
public enum ImportRemedy: Sendable, Hashable {
    /// Objects of this class are accounts.
    case acceptClass(String)
    /// What the archive has under one key is the property of another.
    case readKey(String, as: String)
    /// A property that the archive does not have gets this value.
    case supply(key: String, value: Int64)
    /// A file may have bytes between its objects, or objects that nothing refers to (`ArchiveLimits.allowsGaps`).
    case allowGaps
    /// Keys that the model lacks are kept.
    case keepUnknownKeys

    /// Changes options so that they do this.
    public func apply(to options: inout ArchiveReadOptions) {
        switch self {
        case .acceptClass(let name): options.classes.append(name)
        case .readKey(let key, let property): options.mapping.aliases[key] = property
        case .supply(let key, let value): options.mapping.defaults[key] = .integer(value)
        case .allowGaps: options.limits.allowsGaps = true
        case .keepUnknownKeys: options.mapping.unknownKeys = .keep
        }
    }
}
