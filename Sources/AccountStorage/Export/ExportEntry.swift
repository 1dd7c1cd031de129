/// An account that is exported, with what has become of it so far.
struct ExportEntry: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The archive is written beside its place.
        case staged
        case written
        case unchanged
        case refused(ExportFailure)
    }

    var uid: Int64
    var outcome: Outcome

    /// Whether the archive is where it is to be.
    var isInPlace: Bool { outcome == .written || outcome == .unchanged }
}
