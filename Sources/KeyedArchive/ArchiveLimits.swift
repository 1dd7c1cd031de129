/// How much of a file is read before it is refused.
public struct ArchiveLimits: Sendable, Equatable {
    /// The most bytes that a file may have. 64 MiB by default.
    public var bytes: Int
    /// The most objects that a property list may have. One million by default.
    public var objects: Int
    /// The most containers within one another. 512 by default, and 1,024 at the most, for which every thread's stack is
    /// large enough.
    public var depth: Int {
        didSet { depth = min(depth, Self.greatestDepth) }
    }
    /// The most references that are followed while an archive is resolved. Four million by default.
    public var references: Int
    /// Whether a file is accepted whose parts do not agree, though each can be read: bytes between the objects of a binary
    /// property list, objects that overlap, stand in another order than their numbers or are numbered in another order
    /// than writers number them, and objects that nothing refers to, or that a reference of the wrong kind refers to.
    ///
    /// Off by default: no writer known leaves such a thing, so that it is a sign of damage, by which a value could have
    /// become another of the file.
    public var allowsGaps: Bool

    private static let greatestDepth = 1_024

    /// Makes limits; each has a safe default.
    public init(
        bytes: Int = 64 << 20,
        objects: Int = 1_000_000,
        depth: Int = 512,
        references: Int = 4_000_000,
        allowsGaps: Bool = false
    ) {
        self.bytes = bytes
        self.objects = objects
        self.depth = min(depth, Self.greatestDepth)
        self.references = references
        self.allowsGaps = allowsGaps
    }
}
