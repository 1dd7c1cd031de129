internal import Schema

/// The steps of the schema that a database has, and those that it lacks.
public struct SchemaPlan: Sendable, Hashable {
    /// A step of the schema: a file of SQL.
    public struct Step: Sendable, Hashable {
        /// The number by which it is known and ordered; the first is 1.
        public var version: Int
        /// What it does, in a word or two.
        public var name: String

        /// Names a step.
        public init(version: Int, name: String) {
            self.version = version
            self.name = name
        }
    }

    /// What the database has, in order.
    public var applied: [Step]
    /// What it lacks, in order.
    public var pending: [Step]

    /// Puts the parts together.
    public init(applied: [Step], pending: [Step]) {
        self.applied = applied
        self.pending = pending
    }

    /// Whether the database has all steps.
    public var isUpToDate: Bool { pending.isEmpty }
}

extension SchemaPlan {
    init(_ plan: MigrationPlan) {
        applied = plan.applied.map { Step(version: $0.version, name: $0.name) }
        pending = plan.pending.map(Step.init)
    }
}

extension SchemaPlan.Step {
    init(_ migration: Migration) {
        self.init(version: migration.version, name: migration.name)
    }
}
