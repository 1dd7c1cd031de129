extension Parser {
    /// What is wrong with the declarations themselves, a sentence each; empty if all is well. For a program's tests.
    public var declarationFaults: [String] {
        var faults: [String] = []
        for name in duplicates(commands.map(\.name) + [Parser.helpCommand.name]) {
            faults.append("two commands are called '\(name)'")
        }
        for command in commands {
            faults += self.faults(of: command).map { "'\(command.name)': \($0)" }
        }
        return faults
    }

    private func faults(of command: Command) -> [String] {
        let options = command.options.map(\.specification) + allGlobalOptions
        let operands = command.operands.map(\.specification)
        var faults: [String] = []
        faults += duplicates(options.map(\.name)).map { "two options are called '--\($0)'" }
        faults += duplicates(options.compactMap(\.short)).map { "two options are called '-\($0)'" }
        faults += duplicates(operands.map(\.name)).map { "two operands are called '\($0)'" }
        for option in options where !Self.isWellFormed(option.name) {
            faults.append("'--\(option.name)' is no name for an option")
        }
        for short in options.compactMap(\.short) where !(short.isASCII && short.isLetter) {
            faults.append("'-\(short)' is no name for an option")
        }
        for option in options where option.help.isEmpty {
            faults.append("'--\(option.name)' has no help")
        }
        let own = Set(command.options.map(\.specification.name))
        for member in command.groups.flatMap(\.members) where !own.contains(member.name) {
            faults.append("a group has '--\(member.name)', which the command lacks")
        }
        if operands.filter({ $0.maximum != 1 }).count > 1 {
            faults.append("more than one operand takes several")
        }
        if command.summary.isEmpty { faults.append("there is no summary") }
        return faults
    }

    /// Whether a long name is of letters, digits and inner dashes.
    private static func isWellFormed(_ name: String) -> Bool {
        let isPlain = name.allSatisfy { $0 == "-" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return isPlain && name.count > 1 && name.first != "-" && name.last != "-"
    }

    private func duplicates<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { !seen.insert($0).inserted }
    }
}
