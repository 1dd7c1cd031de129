/// Turns what was scanned into the values of a command, and checks that nothing is missing.
struct ValueReader {
    let parser: Parser
    let command: Command

    func read(
        _ scanner: ArgumentScanner,
        environment: (String) -> RawArgument?
    ) throws(UsageError) -> ParsedCommand {
        let declared = command.options.map(\.specification) + parser.allGlobalOptions
        var values: [String: any Sendable] = [:]
        for option in scanner.given {
            let arguments = scanner.occurrences[option.name] ?? []
            values[option.name] = try convert(arguments, by: option.convert, subject: "option '\(option.long)'")
        }
        for option in declared where values[option.name] == nil {
            guard let variable = option.environment, let argument = environment(variable) else { continue }
            if argument.bytes.isEmpty { continue }
            values[option.name] = try convert([argument], by: option.convert, subject: "variable '\(variable)'")
        }
        let given = Set(scanner.given.map(\.name))
        try checkGroups(given)
        if let missing = declared.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw error("option '\(missing.invocation)' is missing")
        }
        return ParsedCommand(
            command: command,
            program: parser.program,
            declared: Set(declared.map(\.name)),
            given: given,
            options: values,
            operands: try readOperands(scanner.operands)
        )
    }

    private func checkGroups(_ given: Set<String>) throws(UsageError) {
        for group in command.groups {
            let found = group.members.filter { given.contains($0.name) }
            if found.count > 1, group.rule != .atLeastOne {
                throw error("options '\(found[0].long)' and '\(found[1].long)' exclude each other")
            }
            if found.isEmpty, group.rule != .atMostOne {
                let forms = group.members.map { "'\($0.invocation)'" }
                throw error("one of \(forms.joined(separator: ", ")) is missing")
            }
        }
    }

    /// Gives each operand what it needs, and the first that can take more the rest.
    private func readOperands(_ arguments: [RawArgument]) throws(UsageError) -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        var rest = arguments[...]
        let operands = command.operands.map(\.specification)
        for (index, operand) in operands.enumerated() {
            let reserved = operands[(index + 1)...].reduce(0) { $0 + $1.minimum }
            let count = min(operand.maximum ?? rest.count, max(operand.minimum, rest.count - reserved))
            let taken = rest.prefix(count)
            if taken.count < operand.minimum { throw missing(operand, found: taken.count) }
            rest = rest.dropFirst(count)
            values[operand.name] = try convert(Array(taken), by: operand.convert, subject: operand.name)
        }
        if let extra = rest.first { throw unexpected(extra) }
        return values
    }

    private func convert(
        _ arguments: [RawArgument],
        by convert: ([RawArgument]) throws(ValueError) -> any Sendable,
        subject: String
    ) throws(UsageError) -> any Sendable {
        do {
            return try convert(arguments)
        } catch {
            throw self.error("\(subject): \(error.reason)")
        }
    }
}

extension ValueReader {
    private func error(_ message: String) -> UsageError {
        UsageError(message: message, command: command.name, program: parser.program)
    }

    private func missing(_ operand: OperandSpecification, found: Int) -> UsageError {
        let usage = HelpText.usage(of: command, program: parser.program)
        if operand.minimum == 1 { return error("\(operand.name) is missing; expected '\(usage)'") }
        return error("\(operand.name) is needed at least \(operand.minimum) times, not \(found); expected '\(usage)'")
    }

    private func unexpected(_ argument: RawArgument) -> UsageError {
        let forms = command.operands.map(\.specification.form).joined(separator: " ")
        let limit = forms.isEmpty ? "takes no operand" : "takes only \(forms)"
        return error("\(argument.quoted) is one operand too many; '\(command.name)' \(limit)")
    }
}
