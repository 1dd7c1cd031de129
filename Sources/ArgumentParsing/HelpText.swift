/// Help, made from the declarations.
struct HelpText {
    private let parser: Parser
    private var page: Page

    init(parser: Parser, width: Int) {
        self.parser = parser
        page = Page(width: width)
    }

    /// `accounts export (--all | --uid N...) --output PATH [OPTIONS]`.
    static func usage(of command: Command, program: String) -> String {
        var parts = [program, command.name]
        let groups = command.groups.filter { $0.rule != .atMostOne }
        for group in groups {
            let forms = group.members.map(\.invocation).joined(separator: " | ")
            parts.append(group.members.count > 1 ? "(\(forms))" : forms)
        }
        let grouped = Set(groups.flatMap(\.members).map(\.name))
        for option in command.options.map(\.specification) where option.isRequired && !grouped.contains(option.name) {
            parts.append(option.invocation)
        }
        parts.append("[OPTIONS]")
        parts += command.operands.map(\.specification.form)
        return parts.joined(separator: " ")
    }

    mutating func program() -> String {
        page.paragraph(parser.summary)
        page.blank()
        page.usage("\(parser.program) COMMAND [OPTIONS] [OPERANDS]")
        page.section("Commands", (parser.commands + [Parser.helpCommand]).map { ($0.name, $0.summary) })
        page.section("Options", rows(parser.allGlobalOptions))
        examples(parser.examples)
        exitStatuses()
        page.blank()
        page.paragraph("'\(parser.program) help COMMAND' tells more about a command.")
        return page.text
    }

    mutating func command(_ command: Command) -> String {
        page.paragraph(command.summary)
        page.blank()
        page.usage(HelpText.usage(of: command, program: parser.program))
        if !command.discussion.isEmpty {
            page.blank()
            page.prose(command.discussion)
        }
        let operands = command.operands.map(\.specification)
        page.section("Operands", operands.map { ($0.form, Self.join($0.help, Self.notes($0))) })
        page.section("Options", rows(command.options.map(\.specification)))
        page.section("Global options", rows(parser.allGlobalOptions))
        examples(command.examples)
        exitStatuses()
        return page.text
    }

    private mutating func examples(_ examples: [Example]) {
        guard !examples.isEmpty else { return }
        page.heading("Examples")
        for example in examples {
            page.verbatim("  " + example.commandLine)
            page.paragraph(example.explanation, indent: 6)
        }
    }

    private mutating func exitStatuses() {
        page.section("Exit status", parser.exitStatuses.map { (String($0.code), $0.meaning) })
    }

    /// One row per option; long names are aligned, whether or not there is a short one.
    private func rows(_ options: [OptionSpecification]) -> [(String, String)] {
        options.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return (short + option.invocation, Self.join(option.help, Self.notes(option)))
        }
    }

    private static func join(_ help: String, _ notes: [String]) -> String {
        notes.isEmpty ? help : help + " [" + notes.joined(separator: "; ") + "]"
    }

    private static func notes(_ option: OptionSpecification) -> [String] {
        var notes: [String] = []
        if !option.allowedValues.isEmpty { notes.append("one of: " + option.allowedValues.joined(separator: ", ")) }
        if let text = option.defaultText { notes.append("default: " + text) }
        if let variable = option.environment { notes.append("environment: " + variable) }
        if option.isRequired { notes.append("required") }
        if option.arity == .repeating { notes.append("may be repeated") }
        return notes
    }

    private static func notes(_ operand: OperandSpecification) -> [String] {
        operand.allowedValues.isEmpty ? [] : ["one of: " + operand.allowedValues.joined(separator: ", ")]
    }
}

extension Parser {
    /// Help on the program, or on a command.
    ///
    /// - Parameters:
    ///   - command: The command; `nil` for the program.
    ///   - width: The columns that the text may take; at least 40 and at most 1000 are used.
    public func help(for command: Command? = nil, width: Int = 80) -> String {
        var text = HelpText(parser: self, width: width)
        return command.map { text.command($0) } ?? text.program()
    }
}
