import ArgumentParsing
import Testing

@Suite("Groups of options")
struct GroupTests {
    let one = Option(flag: "one", help: "x")
    let two = Option("two", .text, help: "x")

    private func accepts(_ rule: OptionGroup.Rule, _ line: String) throws -> Bool {
        let command = Command(name: "c", summary: "s", options: [one, two], groups: [OptionGroup(rule, one, two)])
        let parser = Parser(program: "p", version: "1", summary: "s", commands: [command])
        do {
            _ = try parser.parse(words(line))
            return true
        } catch {
            return false
        }
    }

    @Test(
        "a group accepts as many of its options as its rule says",
        arguments: [
            (.exactlyOne, [false, true, true, false]), (.atMostOne, [true, true, true, false]),
            (.atLeastOne, [false, true, true, true]),
        ] as [(OptionGroup.Rule, [Bool])]
    )
    func rules(rule: OptionGroup.Rule, expected: [Bool]) throws {
        let lines = ["c", "c --one", "c --two x", "c --one --two x"]
        for (line, expected) in zip(lines, expected) {
            #expect(try accepts(rule, line) == expected, "\(line)")
        }
    }
}
