import ArgumentParsing
import Testing

@Suite("Options")
struct OptionTests {
    @Test(
        "a global option stands before or after the command, its value attached or apart",
        arguments: [
            "--database x list", "list --database x", "--database=x list", "list --database=x", "list --data x",
            "list --d=x",
        ]
    )
    func globalOption(line: String) throws {
        let parsed = try run(line)
        #expect(parsed.command == Sample.list)
        #expect(parsed[Sample.database] == "x")
        #expect(parsed.isGiven(Sample.database))
    }

    @Test("options that are not given read as false, nil, their default, or empty")
    func absent() throws {
        let parsed = try run("import p")
        #expect(parsed[Sample.json] == false)
        #expect(parsed[Sample.jobs] == nil)
        #expect(parsed[Sample.conflict] == .newest)
        #expect(parsed[Sample.database] == "accounts.sqlite")
        #expect(parsed[Sample.classes] == [])
        #expect(!parsed.isGiven(Sample.conflict))
    }

    @Test("short flags may be clustered, and repeated")
    func cluster() throws {
        let parsed = try run("list -qv -q --verbose")
        #expect(parsed[Sample.quiet])
        #expect(parsed[Sample.verbose])
        #expect(!parsed[Sample.json])
    }

    @Test(
        "a short option takes its value attached, after =, or apart, also at the end of a cluster",
        arguments: ["-j8", "-j=8", "-j 8", "-qj8", "-qvj 8"]
    )
    func shortValue(options: String) throws {
        #expect(try run("import \(options) p")[Sample.jobs] == 8)
    }

    @Test("a repeatable option keeps every value in order")
    func repeated() throws {
        let parsed = try run("import --class A p --class=B --class *.C")
        #expect(parsed[Sample.classes] == ["A", "B", "*.C"])
        #expect(parsed[Sample.paths] == ["p"])
    }

    @Test(
        "a list takes values up to the next option, at commas, and each time again",
        arguments: [
            "--uid 1 2 3", "--uid 1,2,3", "--uid 1 --uid 2 --uid 3", "--uid=1,2 --uid 3", "--uid 1,2 3",
            "--u 1 2 --u=3",
        ]
    )
    func list(options: String) throws {
        #expect(try run("export \(options) --output o")[Sample.uids] == [1, 2, 3])
        #expect(try run("export -o o \(options)")[Sample.uids] == [1, 2, 3])
    }

    @Test("a value after = is the only one")
    func attachedListValue() {
        #expect(fault("export --uid=1 2 -o o")?.message == "'2' is one operand too many; 'export' takes no operand")
    }

    @Test(
        "negative numbers are values and operands",
        arguments: ["--uid -1 -2", "--uid=-1,-2", "--uid -1 --uid -2", "--uid -1,-2"]
    )
    func negative(options: String) throws {
        #expect(try run("export \(options) -o o")[Sample.uids] == [-1, -2])
        #expect(try run("show -1")[Sample.uid] == -1)
        #expect(try run("show -- -1")[Sample.uid] == -1)
    }

    @Test(
        "64-bit numbers are exact",
        arguments: [Int64.min, -1, 0, 9_007_199_254_740_993, Int64.max]
    )
    func exactIntegers(number: Int64) throws {
        #expect(try run("show \(number)")[Sample.uid] == number)
        #expect(try run("export -o o --uid \(number)")[Sample.uids] == [number])
    }

    @Test("a pair is split at the first =, and its value may be empty")
    func pairs() throws {
        let parsed = try run("import --missing a=1 --missing=b=x=y --missing c= p")
        let expected = [("a", "1"), ("b", "x=y"), ("c", "")].map { KeyedValue(key: $0.0, value: $0.1) }
        #expect(parsed[Sample.missing] == expected)
    }

    @Test("a value after = may be empty, begin with a dash, or hold a =")
    func attachedValues() throws {
        #expect(try run("import --class=-x p")[Sample.classes] == ["-x"])
        #expect(try run("list --database=a=b")[Sample.database] == "a=b")
        #expect(try run("list --database=--")[Sample.database] == "--")
        #expect(fault("list --database=")?.message == "option '--database': a path must not be empty")
    }

    @Test("an enumerated value is read as its case", arguments: Sample.Rule.allCases)
    func choice(rule: Sample.Rule) throws {
        #expect(try run("import --on-conflict \(rule.rawValue) p")[Sample.conflict] == rule)
    }

    @Test("an environment variable stands in for an option, and yields to it")
    func environment() throws {
        let set: [String: RawArgument] = ["ACCOUNTS_DATABASE": "env"]
        let parsed = try run("list", environment: set)
        #expect(parsed[Sample.database] == "env")
        #expect(!parsed.isGiven(Sample.database))
        #expect(try run("list --database=opt", environment: set)[Sample.database] == "opt")
        #expect(try run("list", environment: ["ACCOUNTS_DATABASE": ""])[Sample.database] == "accounts.sqlite")
    }

    @Test("a full name wins over a longer one that begins with it")
    func exactBeforePrefix() throws {
        let short = Option(flag: "key", help: "x")
        let long = Option(flag: "keys", help: "x")
        let parser = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "c", summary: "s", options: [short, long])]
        )
        guard case .run(let parsed) = try parser.parse(["c", "--key"]) else {
            Issue.record("not a command")
            return
        }
        #expect(parsed[short])
        #expect(!parsed[long])
    }
}
