import ArgumentParsing
import Testing

@Suite("Declarations")
struct DeclarationTests {
    @Test("the sample's declarations have no fault")
    func sample() {
        #expect(Sample.parser.declarationFaults == [])
    }

    private func faults(
        _ options: [any OptionDeclaration] = [],
        groups: [OptionGroup] = [],
        operands: [any OperandDeclaration] = []
    ) -> [String] {
        let command = Command(name: "c", summary: "s", options: options, groups: groups, operands: operands)
        return Parser(program: "p", version: "1", summary: "s", commands: [command]).declarationFaults
    }

    @Test("names that clash or cannot be typed are found")
    func names() {
        let flag = Option(flag: "flag", short: "f", help: "x")
        #expect(faults([flag, Option(flag: "flag", help: "x")]) == ["'c': two options are called '--flag'"])
        #expect(faults([flag, Option(flag: "force", short: "f", help: "x")]) == ["'c': two options are called '-f'"])
        #expect(faults([Option(flag: "help", help: "x")]) == ["'c': two options are called '--help'"])
        #expect(faults([Option(flag: "-x", help: "x")]) == ["'c': '---x' is no name for an option"])
        #expect(faults([Option(flag: "one", short: "1", help: "x")]) == ["'c': '-1' is no name for an option"])
        #expect(faults([Option(flag: "one", help: "")]) == ["'c': '--one' has no help"])
    }

    @Test("groups and operands that cannot work are found")
    func structure() {
        let flag = Option(flag: "flag", help: "x")
        let many = Operand(repeating: "PATH", .path, help: "x")
        let more = Operand(repeating: "FILE", .path, help: "x")
        #expect(
            faults(groups: [OptionGroup(.exactlyOne, flag)]) == ["'c': a group has '--flag', which the command lacks"]
        )
        #expect(faults(operands: [many, more]) == ["'c': more than one operand takes several"])
        #expect(faults(operands: [many, many]).contains("'c': two operands are called 'PATH'"))
        let twice = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "help", summary: "s"), Command(name: "c", summary: "")]
        )
        #expect(twice.declarationFaults == ["two commands are called 'help'", "'c': there is no summary"])
    }

    @Test("a parser of one's own maps text and says what it expected")
    func ownParser() throws {
        let even = ValueParser<Int>("EVEN", expected: "an even number") { Int($0).flatMap { $0 % 2 == 0 ? $0 : nil } }
        let option = Option("even", even, default: 2, help: "x")
        let parser = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "c", summary: "s", options: [option])]
        )
        guard case .run(let parsed) = try parser.parse(["c", "--even", "4"]) else {
            Issue.record("not a command")
            return
        }
        #expect(parsed[option] == 4)
        let error = #expect(throws: UsageError.self) { try parser.parse(["c", "--even=3"]) }
        #expect(error?.message == "option '--even': '3' is not an even number")
        #expect(parser.help(for: parser.commands.first).contains("--even EVEN  x [default: 2]"))
    }

    @Test("a word of a list, and a pair whose value is one")
    func words() throws {
        let property = ValueParser.word("PROPERTY", of: ["uid", "access_token"])
        let key = Option(repeating: "key", .keyed("ARCHIVED", property), help: "x")
        let parser = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "c", summary: "s", options: [key])]
        )
        guard case .run(let parsed) = try parser.parse(["c", "--key", "id=uid", "--key=t=access_token"]) else {
            Issue.record("not a command")
            return
        }
        #expect(parsed[key].map(\.key) == ["id", "t"])
        #expect(parsed[key].map(\.value) == ["uid", "access_token"])
        let error = #expect(throws: UsageError.self) { try parser.parse(["c", "--key", "id=uidd"]) }
        #expect(error?.message == "option '--key': 'uidd' is not one of uid, access_token; did you mean 'uid'?")
    }
}
