import ArgumentParsing
import Testing

@Suite("Operands")
struct OperandTests {
    @Test("operands and options mix in any order")
    func mixed() throws {
        let parsed = try run("-q import a --class X b -v c")
        #expect(parsed.command == Sample.importCommand)
        #expect(parsed[Sample.paths] == ["a", "b", "c"])
    }

    @Test("-- ends the options, before the command too")
    func terminator() throws {
        #expect(try run("import -- --class -q --")[Sample.paths] == ["--class", "-q", "--"])
        #expect(try run("-- import --json")[Sample.paths] == ["--json"])
    }

    @Test("- is an operand and a value")
    func dash() throws {
        let parsed = try run("add -")
        #expect(parsed[Sample.file] == "-")
        #expect(parsed[Sample.file]?.isStandardStream == true)
        #expect(try run("export --all --output -")[Sample.output] == "-")
        #expect(try run("export --all -o-")[Sample.output].isStandardStream)
    }

    @Test("an operand that need not be there reads as nil")
    func optional() throws {
        #expect(try run("add")[Sample.file] == nil)
        #expect(try run("add f")[Sample.file] == "f")
    }

    @Test("paths that are not UTF-8 keep their bytes, as operands, values and variables")
    func rawBytes() throws {
        let path = RawArgument(bytes: [0x61, 0xFF, 0xFE, 0x2F, 0x80])
        let attached = RawArgument(bytes: Array("--database=".utf8) + path.bytes)
        let parsed = try run(["import", attached, path])
        #expect(parsed[Sample.paths] == [path])
        #expect(parsed[Sample.database] == path)
        #expect(parsed[Sample.paths].first?.exactText == nil)
        #expect(parsed[Sample.paths].first?.text == "a\u{FFFD}\u{FFFD}/\u{FFFD}")
        #expect(try run(["list"], environment: ["ACCOUNTS_DATABASE": path])[Sample.database] == path)
    }

    @Test("a path that begins with a dash and a digit is an operand")
    func dashDigit() throws {
        #expect(try run("import -1file")[Sample.paths] == ["-1file"])
    }

    @Test("an empty argument is an operand of its own")
    func empty() throws {
        #expect(fault(["import", ""])?.message == "PATH: a path must not be empty")
        #expect(fault(["show", ""])?.message.hasPrefix("UID: '' is not a whole number") == true)
        #expect(fault([""])?.message == "there is no command ''")
    }

    @Test(
        "several operands share the arguments: each gets what it needs, the greedy one the rest",
        arguments: [
            ("c a b", [], "a", "b"), ("c x a b", ["x"], "a", "b"), ("c x y a b", ["x", "y"], "a", "b"),
        ] as [(String, [RawArgument], RawArgument, RawArgument)]
    )
    func sharing(line: String, many: [RawArgument], second: RawArgument, third: RawArgument) throws {
        let several = Operand(repeating: "SOURCE", .path, minimum: 0, help: "x")
        let middle = Operand("MIDDLE", .path, help: "x")
        let last = Operand("TARGET", .path, help: "x")
        let parser = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "c", summary: "s", operands: [several, middle, last])]
        )
        guard case .run(let parsed) = try parser.parse(words(line)) else {
            Issue.record("not a command")
            return
        }
        #expect(parsed[several] == many)
        #expect(parsed[middle] == second)
        #expect(parsed[last] == third)
        #expect(throws: UsageError.self) { try parser.parse(["c", "a"]) }
    }

    @Test("a hundred thousand operands are read in one pass")
    func many() throws {
        let arguments = [RawArgument("import")] + (0..<100_000).map { RawArgument("path-\($0)") }
        let parsed = try run(arguments)
        #expect(parsed[Sample.paths].count == 100_000)
        #expect(parsed[Sample.paths].last == "path-99999")
    }

    @Test("the arguments of the process are read without its name")
    func processArguments() {
        #expect(ProcessArguments.all.map(\.text) == Array(CommandLine.arguments.dropFirst()))
        #expect(ProcessArguments.environment("PATH")?.bytes.isEmpty == false)
        #expect(ProcessArguments.environment("NO_SUCH_VARIABLE_HERE") == nil)
        #expect(ProcessArguments.helpWidth > 0)
    }
}
