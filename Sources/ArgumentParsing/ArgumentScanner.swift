/// Walks over the arguments, and sorts them into the command, options with their arguments, and operands.
///
/// Nothing is converted here: that needs the whole line.
struct ArgumentScanner {
    private let parser: Parser
    private var table: OptionTable
    private var arguments: [RawArgument] = []
    private var next = 0
    private var optionsEnded = false

    /// The command, once it was met.
    private(set) var command: Command?
    /// Whether a fault leaves open what help would be about: not if the command is unknown.
    private(set) var mayShowHelp = true
    /// The arguments of each option that was given; empty for a flag.
    private(set) var occurrences: [String: [RawArgument]] = [:]
    /// The options that were given, in order of their first use.
    private(set) var given: [OptionSpecification] = []
    /// The operands after the command.
    private(set) var operands: [RawArgument] = []

    init(parser: Parser) {
        self.parser = parser
        table = parser.optionTable(for: nil)
    }

    func isGiven(_ option: some OptionDeclaration) -> Bool {
        occurrences[option.specification.name] != nil
    }

    mutating func scan(_ arguments: [RawArgument]) throws(UsageError) {
        self.arguments = arguments
        while next < arguments.count {
            let argument = arguments[next]
            next += 1
            if optionsEnded || !argument.looksLikeOption {
                try take(operand: argument)
            } else if argument == .terminator {
                optionsEnded = true
            } else if argument.isLong {
                try take(long: argument)
            } else {
                try take(cluster: argument)
            }
        }
    }

    private mutating func take(operand argument: RawArgument) throws(UsageError) {
        guard command == nil else {
            operands.append(argument)
            return
        }
        guard let found = argument.exactText.flatMap(parser.command(named:)) else {
            mayShowHelp = false
            throw parser.unknownCommand(argument)
        }
        command = found
        table = parser.optionTable(for: found)
    }

    /// Takes `--name`, `--name VALUE` or `--name=VALUE`.
    private mutating func take(long argument: RawArgument) throws(UsageError) {
        let parts = argument.bytes.dropFirst(2).split(
            separator: UInt8(ascii: "="),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let name = RawArgument(bytes: Array(parts.first ?? []))
        let value = parts.count == 2 ? parts.last.map { RawArgument(bytes: Array($0)) } : nil
        switch table.find(long: name.text) {
        case .option(let option):
            try take(option, as: option.long, value)
        case .ambiguous(let names):
            let list = names.map { "'--\($0)'" }.joined(separator: ", ")
            throw error("option \(quoteOption("--", name)) is ambiguous; it may stand for \(list)")
        case .unknown:
            throw unknown(long: name)
        }
    }

    /// Takes `-qv`, `-oVALUE`, `-o=VALUE` or `-o VALUE`.
    private mutating func take(cluster argument: RawArgument) throws(UsageError) {
        var rest = argument.bytes.dropFirst()
        while let byte = rest.popFirst() {
            let letter = Character(Unicode.Scalar(byte))
            guard let option = table.find(short: letter) else {
                throw unknown(short: letter, in: argument)
            }
            if option.arity == .flag {
                if rest.first == UInt8(ascii: "=") { throw error("option '-\(letter)' takes no value") }
                try take(option, as: "-\(letter)", nil)
                continue
            }
            if rest.first == UInt8(ascii: "=") { rest = rest.dropFirst() }
            let attached = rest.isEmpty && argument.bytes.last != UInt8(ascii: "=") ? nil : Array(rest)
            try take(option, as: "-\(letter)", attached.map { RawArgument(bytes: $0) })
            return
        }
    }

    /// Records an option, with the value that is attached to it or the arguments that follow.
    private mutating func take(
        _ option: OptionSpecification,
        as spelling: String,
        _ attached: RawArgument?
    ) throws(UsageError) {
        let isRepeated = occurrences[option.name] != nil
        var values: [RawArgument] = []
        switch option.arity {
        case .flag:
            if attached != nil { throw error("option '\(spelling)' takes no value") }
        case .single, .repeating:
            if isRepeated, option.arity == .single { throw error("option '\(spelling)' may be given only once") }
            values = [try value(of: option, spelling, attached)]
        case .list:
            values = [try value(of: option, spelling, attached)]
            while attached == nil, next < arguments.count, !arguments[next].looksLikeOption {
                values.append(arguments[next])
                next += 1
            }
        }
        occurrences[option.name, default: []] += values
        if !isRepeated { given.append(option) }
    }

    /// The value that is attached to an option, or else the argument after it.
    private mutating func value(
        of option: OptionSpecification,
        _ spelling: String,
        _ attached: RawArgument?
    ) throws(UsageError) -> RawArgument {
        if let attached { return attached }
        let placeholder = option.placeholder ?? "VALUE"
        guard next < arguments.count else {
            throw error("option '\(spelling)' needs a value; expected '\(spelling) \(placeholder)'")
        }
        let value = arguments[next]
        guard !value.looksLikeOption else {
            let form = "\(option.long)=\(placeholder)"
            throw error("option '\(spelling)' needs a value; one that begins with '-' is written as '\(form)'")
        }
        next += 1
        return value
    }
}

extension ArgumentScanner {
    private func error(_ message: String) -> UsageError {
        UsageError(message: message, command: command?.name, program: parser.program)
    }

    /// The option in quotes; never its value, which may be a secret.
    private func quoteOption(_ dashes: String, _ name: RawArgument) -> String {
        RawArgument(bytes: Array(dashes.utf8) + name.bytes).quoted
    }

    private func unknown(long name: RawArgument) -> UsageError {
        let start = "there is no option \(quoteOption("--", name))"
        let owners = parser.commands.filter { owner in
            owner != command && owner.options.contains { $0.specification.name == name.text }
        }
        if let owner = owners.first {
            let place = command == nil ? "before the command" : "for '\(command?.name ?? "")'"
            return error("\(start) \(place); it belongs to '\(owner.name)'")
        }
        let context = command.map { " for '\($0.name)'" } ?? ""
        let suggestion = Suggestion.sentence(for: name.text, among: table.names, prefix: "--")
        return error("\(start)\(context)\(suggestion)")
    }

    private func unknown(short letter: Character, in argument: RawArgument) -> UsageError {
        let name = RawArgument(bytes: Array(argument.bytes.dropFirst().prefix { $0 != UInt8(ascii: "=") }))
        let option = letter.isASCII && letter != "=" ? Quotation.quote("-\(letter)") : quoteOption("-", name)
        // `-json` is `--json` with a dash too few.
        if name.bytes.count > 1, case .option(let found) = table.find(long: name.text) {
            return error("there is no option \(quoteOption("-", name)); did you mean '\(found.long)'?")
        }
        return error("there is no option \(option)")
    }
}
