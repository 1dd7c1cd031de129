import ArgumentParsing
import Testing

@Suite("Usage errors")
struct UsageErrorTests {
    @Test(
        "each fault has one line that says what was wrong and what was expected",
        arguments: [
            ("imprt x", "there is no command 'imprt'; did you mean 'import'?"),
            ("exprot", "there is no command 'exprot'; did you mean 'export'?"),
            ("IMPORT", "there is no command 'IMPORT'; did you mean 'import'?"),
            ("frobnicate", "there is no command 'frobnicate'"),
            ("-", "there is no command '-'"),
            ("-1", "there is no command '-1'"),
            ("--json", "there is no command"),
            ("list --databse x", "there is no option '--databse' for 'list'; did you mean '--database'?"),
            ("list --xyzzy=secret", "there is no option '--xyzzy' for 'list'"),
            ("list --uid 3", "there is no option '--uid' for 'list'; it belongs to 'export'"),
            ("--class X import p", "there is no option '--class' before the command; it belongs to 'import'"),
            ("list --=x", "there is no option '--' for 'list'"),
            ("list -x", "there is no option '-x'"),
            ("list -qx", "there is no option '-x'"),
            ("list -json", "there is no option '-json'; did you mean '--json'?"),
            ("list -database=x", "there is no option '-database'; did you mean '--database'?"),
            ("list --ver", "option '--ver' is ambiguous; it may stand for '--verbose', '--version'"),
            ("list --json=1", "option '--json' takes no value"),
            ("list -q=1", "option '-q' takes no value"),
            ("list --database", "option '--database' needs a value; expected '--database PATH'"),
            (
                "list --database --json",
                "option '--database' needs a value; one that begins with '-' is written as '--database=PATH'"
            ),
            ("export --all -o", "option '-o' needs a value; expected '-o PATH'"),
            ("export --uid -o x", "option '--uid' needs a value; one that begins with '-' is written as '--uid=N'"),
            ("--database a list --database b", "option '--database' may be given only once"),
            ("import p --on-conflict newest --on newest", "option '--on-conflict' may be given only once"),
            (
                "import p --on-conflict newst",
                "option '--on-conflict': 'newst' is not one of newest, replace, keep, fail; did you mean 'newest'?"
            ),
            ("import p --jobs 0", "option '--jobs': '0' is out of range; expected a whole number from 1 to 256"),
            ("import p --jobs many", "option '--jobs': 'many' is not a whole number from 1 to 256"),
            ("import p --jobs +-1", "option '--jobs': '+-1' is not a whole number from 1 to 256"),
            ("import p --missing x", "option '--missing': there is no '='; expected KEY=TEXT"),
            ("import p --missing =s3cret", "option '--missing': nothing stands before the '='; expected KEY=TEXT"),
            ("import", "PATH is missing; expected 'accounts import [OPTIONS] PATH...'"),
            ("show", "UID is missing; expected 'accounts show [OPTIONS] UID'"),
            ("show 1 2", "'2' is one operand too many; 'show' takes only UID"),
            ("list x", "'x' is one operand too many; 'list' takes no operand"),
            ("add a b", "'b' is one operand too many; 'add' takes only [FILE]"),
            ("export -o x", "one of '--all', '--uid N...' is missing"),
            ("export -o x --all --uid 1", "options '--all' and '--uid' exclude each other"),
            ("export --all", "option '--output PATH' is missing"),
            ("help imprt", "there is no command 'imprt'; did you mean 'import'?"),
            ("help import list", "'help' takes one command; 'list' is one too many"),
        ]
    )
    func message(line: String, expected: String) {
        #expect(fault(line)?.message == expected)
    }

    @Test(
        "numbers outside 64 bits, and what is no number, are refused rather than rounded",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "1e3", "0x10", "1.0", "+",
            "1_000",
            "１２", "--1", "1,2",
        ]
    )
    func notInt64(text: String) {
        #expect(fault(["show", "--", RawArgument(text)])?.message.hasPrefix("UID: '\(text)' is ") == true)
    }

    @Test("an empty element of a list is refused")
    func emptyElement() {
        #expect(fault("export -o x --uid 1,,2")?.message.hasPrefix("option '--uid': '' is not a whole number") == true)
        #expect(fault("export -o x --uid=")?.message.hasPrefix("option '--uid': '' is not a whole number") == true)
    }

    @Test("the description names the program and where to read on")
    func description() {
        #expect(
            fault("import")?.description == """
                accounts: PATH is missing; expected 'accounts import [OPTIONS] PATH...'
                See 'accounts help import'.
                """
        )
        #expect(fault("imprt")?.hint == "See 'accounts help'.")
        #expect(fault("imprt")?.command == nil)
        #expect(fault("import")?.command == "import")
        #expect(UsageError.exitStatus == 64)
    }

    @Test("a command's own rules give the same kind of error")
    func ownRule() throws {
        let error = try run("list").usageError("this is not possible")
        #expect(error.description == "accounts: this is not possible\nSee 'accounts help list'.")
    }

    @Test(
        "what a user typed is escaped, so that a message stays one line of text",
        arguments: [
            (Array("a\nb".utf8), #"'a\nb'"#), (Array("\u{1B}[31m".utf8), #"'\u{1b}[31m'"#),
            (Array("\u{202E}x".utf8), #"'\u{202e}x'"#), ([0xFF, 0x61], #"'\xffa'"#), ([0x07], #"'\u{7}'"#),
            (Array("Grüße 中文 👋".utf8), "'Grüße 中文 👋'"), (Array("a\r\n\t".utf8), #"'a\r\n\t'"#),
            ([0xE4, 0xB8], #"'\xe4\xb8'"#), ([0x0F], #"'\u{f}'"#),
        ] as [([UInt8], String)]
    )
    func escaped(bytes: [UInt8], expected: String) {
        #expect(RawArgument(bytes: bytes).quoted == expected)
        #expect(fault([RawArgument(bytes: bytes)])?.message.contains(expected) == true)
    }

    @Test("a long argument is shortened")
    func shortened() throws {
        let message = try #require(fault([RawArgument(String(repeating: "x", count: 1_000_000))])?.message)
        #expect(message.count < 200)
        #expect(message.hasSuffix("x…'"))
        let wide = RawArgument(String(repeating: "中", count: 121)).quoted
        #expect(wide == "'中中中中…'")
    }

    @Test("text that is not UTF-8 is refused where text is expected, and as an option")
    func notUTF8() {
        let bytes = RawArgument(bytes: [0xFF])
        #expect(fault(["import", "p", "--class", bytes])?.message == #"option '--class': '\xff' is not UTF-8 text"#)
        #expect(fault(["list", RawArgument(bytes: [0x2D, 0xFF])])?.message == #"there is no option '-\xff'"#)
        #expect(
            fault(["list", RawArgument(bytes: [0x2D, 0x2D, 0xFF])])?.message
                == #"there is no option '--\xff' for 'list'"#
        )
    }

    @Test("a variable that holds no value is named")
    func environment() throws {
        let limit = Option("limit", ValueParser<Int>.integer(in: 0...9), environment: "LIMIT", help: "x")
        let parser = Parser(
            program: "p",
            version: "1",
            summary: "s",
            commands: [Command(name: "c", summary: "s", options: [limit])]
        )
        let error = #expect(throws: UsageError.self) { try parser.parse(["c"], environment: { _ in "x" }) }
        #expect(error?.message == "variable 'LIMIT': 'x' is not a whole number from 0 to 9")
    }
}
