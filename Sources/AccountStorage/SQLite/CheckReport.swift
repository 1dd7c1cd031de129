/// What an examination of a store has found.
public struct CheckReport: Sendable, Hashable {
    /// Something that is wrong.
    public struct Problem: Sendable, Hashable {
        /// What kind of thing is wrong.
        public enum Kind: String, Sendable, CaseIterable {
            /// The file is damaged.
            case integrity
            /// A row refers to one that is not there.
            case foreignKey
            /// A table or an index is not as the migrations made it.
            case schema
            /// A row is not as this library writes it.
            case row
            /// A form is none that this version can read.
            case form
        }

        /// What kind of thing is wrong.
        public var kind: Kind
        /// What is wrong, and where; no token is ever in it.
        public var message: String

        /// Puts the parts together.
        public init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }

    /// How many accounts there are.
    public var accounts = 0
    /// How many forms of archives there are.
    public var forms = 0
    /// How many forms no account refers to any more. They do no harm.
    public var unusedForms = 0
    /// What is wrong, the first ones of each kind.
    public var problems: [Problem] = []
    /// How many problems there are, with those that are not listed.
    public var problemCount = 0

    /// Makes a report that has found nothing.
    public init() {}

    /// Whether nothing is wrong.
    public var isHealthy: Bool { problemCount == 0 }

    /// How many problems of a kind are listed.
    static let listedPerKind = 100

    mutating func add(_ kind: Problem.Kind, _ message: String) {
        problemCount += 1
        guard problems.count(where: { $0.kind == kind }) < Self.listedPerKind else { return }
        problems.append(Problem(kind, message))
    }
}
