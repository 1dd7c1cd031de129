/// A command of a program: what it is called, what it takes, and what help says of it.
public struct Command: Sendable, Identifiable {
    /// The word on the command line.
    public let name: String
    /// What the command does, in one line.
    public let summary: String
    /// More about it: paragraphs with an empty line between them. A line that begins with a space is kept as it is.
    public let discussion: String
    /// The options that only this command has.
    public let options: [any OptionDeclaration]
    /// Which options exclude one another or need one another.
    public let groups: [OptionGroup]
    /// The operands, in order. At most one of them may take several.
    public let operands: [any OperandDeclaration]
    /// Command lines that show its use.
    public let examples: [Example]

    /// Declares a command.
    public init(
        name: String,
        summary: String,
        discussion: String = "",
        options: [any OptionDeclaration] = [],
        groups: [OptionGroup] = [],
        operands: [any OperandDeclaration] = [],
        examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = options
        self.groups = groups
        self.operands = operands
        self.examples = examples
    }

    /// The same as ``name``: no two commands of a program share one.
    public var id: String { name }
}

extension Command: Equatable {
    /// Commands are equal if they have the same name, so that `switch parsed.command` reads well.
    public static func == (left: Command, right: Command) -> Bool {
        left.name == right.name
    }
}

/// Options of which only so many may be given.
public struct OptionGroup: Sendable {
    /// How many options of a group are given.
    public enum Rule: Sendable {
        /// One of them, and no other.
        case exactlyOne
        /// None or one.
        case atMostOne
        /// One or more.
        case atLeastOne
    }

    /// How many of the options have to be and may be given.
    public let rule: Rule
    let members: [OptionSpecification]

    /// A group of options that are also listed among the command's options.
    public init(_ rule: Rule, _ options: any OptionDeclaration...) {
        self.rule = rule
        members = options.map(\.specification)
    }
}

/// A command line that shows how something is done.
public struct Example: Sendable {
    /// The command line, the program's name included.
    public let commandLine: String
    /// What it does, in a few words.
    public let explanation: String

    /// An example for a command's help.
    public init(_ commandLine: String, _ explanation: String) {
        self.commandLine = commandLine
        self.explanation = explanation
    }
}

/// What a program means by an exit status.
public struct ExitStatus: Sendable {
    /// The status.
    public let code: Int32
    /// What it means.
    public let meaning: String

    /// A line of the table of exit statuses that ends each help text.
    public init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }
}
