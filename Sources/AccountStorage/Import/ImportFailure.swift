internal import KeyValueCoding

/// Why a file was not imported.
public struct ImportFailure: Error, Sendable, Hashable {
    /// The file.
    public var path: FilePath
    /// The kind of failure, under the word by which scripts know it.
    public var code: String
    /// Where in the file, what was found and what was expected, on one line without the path.
    public var message: String
    /// What would have the file imported; empty if nothing is known that would.
    public var remedies: [ImportRemedy]

    /// Makes a failure.
    public init(path: FilePath, code: String, message: String, remedies: [ImportRemedy] = []) {
        self.path = path
        self.code = code
        self.message = message
        self.remedies = remedies
    }
}

extension ImportFailure: CustomStringConvertible {
    /// The path, the code and the message.
    public var description: String { "\(path): \(code): \(message)" }
}

/// Refused files by what they have in common: the code, and what would have them imported.
public struct ImportFailureGroups: Sendable {
    /// The files that were refused with one code and can be had with the same options.
    public struct Group: Sendable {
        /// The code.
        public var code: String
        /// What would have the files imported; empty if nothing is known that would.
        public var remedies: [ImportRemedy]
        /// How many files.
        public var count: Int
        /// The first of them.
        public var examples: [ImportFailure]
        /// Why the files are probably damaged, though the remedies would have them imported; nil if there is no sign of that.
        public var doubt: ImportDoubt?
    }

    private struct Key: Hashable {
        var code: String
        var remedies: [ImportRemedy]
    }

    private static let mostExamples = 3
    /// Somebody may have written files of more classes than anybody can look at.
    private static let mostGroups = 1_000

    private var groups: [Group] = []
    private var indices: [Key: Int] = [:]
    /// The names that the import accepts as they are.
    private var acceptedNames: Set<String> = []
    /// The files that are in none of the groups, since there were too many already.
    public private(set) var others = 0

    init() {}

    /// The groups, those with the most files first.
    public var mostFrequentFirst: [Group] {
        var sorted = groups.enumerated().sorted {
            $0.element.count != $1.element.count ? $0.element.count > $1.element.count : $0.offset < $1.offset
        }
        .map(\.element)
        var names = CommonNames(acceptedNames)
        for index in sorted.indices {
            sorted[index].doubt = names.doubt(ofFiles: sorted[index].count, needing: sorted[index].remedies)
            if sorted[index].doubt == nil { names.add(sorted[index].remedies) }
        }
        return sorted
    }

    /// Takes the names that an import accepts, of which others may be misspellings.
    mutating func accept(namesOf options: ArchiveReadOptions) {
        acceptedNames.formUnion(["Account"] + options.classes)
        acceptedNames.formUnion(options.mapping.aliases.keys)
    }

    mutating func add(_ failure: ImportFailure) {
        add(Group(code: failure.code, remedies: failure.remedies, count: 1, examples: [failure]))
    }

    mutating func add(_ other: ImportFailureGroups) {
        for group in other.groups { add(group) }
        acceptedNames.formUnion(other.acceptedNames)
        others += other.others
    }

    private mutating func add(_ group: Group) {
        let key = Key(code: group.code, remedies: group.remedies)
        if let index = indices[key] {
            groups[index].count += group.count
            if groups[index].examples.count < Self.mostExamples {
                groups[index].examples = Array((groups[index].examples + group.examples).prefix(Self.mostExamples))
            }
        } else if groups.count < Self.mostGroups {
            indices[key] = groups.count
            groups.append(group)
        } else {
            others += group.count
        }
    }
}
