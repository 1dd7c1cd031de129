/// What was applied to a database, and what would be.
public struct MigrationPlan: Sendable, Hashable {
    /// A migration that a database has.
    public struct Applied: Sendable, Hashable {
        /// Its version.
        public var version: Int
        /// Its name.
        public var name: String
        /// When it was applied, in Unix seconds.
        public var appliedAt: Int64
    }

    /// What the database has, in order.
    public var applied: [Applied]
    /// What it lacks, in order.
    public var pending: [Migration]

    /// Whether the database has all.
    public var isUpToDate: Bool { pending.isEmpty }
}
