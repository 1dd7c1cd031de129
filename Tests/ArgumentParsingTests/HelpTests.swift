import ArgumentParsing
import Testing

@Suite("Help")
struct HelpTests {
    @Test("a command's help is made from its declarations")
    func command() throws {
        let text = try help("help import")
        #expect(
            text == """
                Archives into the store.

                Usage: accounts import [OPTIONS] PATH...

                Folders are walked.

                  verbatim   line

                A last paragraph.

                Operands:
                  PATH...  Archives and folders.

                Options:
                      --class NAME        Accept a class. [may be repeated]
                      --missing KEY=TEXT  A value for a key that is missing. [may be repeated]
                      --on-conflict RULE  Which account is kept. [one of: newest, replace, keep,
                                          fail; default: newest]
                  -j, --jobs N            Threads.
                      --dry-run           Write nothing.

                Global options:
                      --database PATH  The store. [default: accounts.sqlite; environment:
                                       ACCOUNTS_DATABASE]
                      --json           Print JSON.
                  -q, --quiet          Say less.
                  -v, --verbose        Say more.
                  -h, --help           Show help and exit.
                      --version        Show the version and exit.

                Examples:
                  accounts import old
                      Everything in the folder old.

                Exit status:
                  0   all done
                  64  wrong usage

                """
        )
    }

    @Test("the usage line shows what has to be given")
    func usage() throws {
        #expect(
            try help("export --help").contains(
                "Usage: accounts export (--all | --uid N...) --output PATH [OPTIONS]\n"
            )
        )
        #expect(try help("add --help").contains("Usage: accounts add [OPTIONS] [FILE]\n"))
    }

    @Test(
        "each way to ask for a command's help gives the same text",
        arguments: [
            "help import", "import --help", "import -h", "--help import", "import p --bogus --help", "import -qh",
            "import --hel", "help --json import", "import --on-conflict --help", "--bogus import --jobs 0 -h",
        ]
    )
    func sameText(line: String) throws {
        // An unknown option before the command leaves open which one is meant.
        let expected = Sample.parser.help(for: line.hasPrefix("--bogus") ? nil : Sample.importCommand)
        #expect(try help(line) == expected)
    }

    @Test("the program's help lists the commands", arguments: ["help", "--help", "-h", "--json -h", "help --help"])
    func program(line: String) throws {
        let text = try help(line)
        if line == "help --help" {
            #expect(text.contains("Usage: accounts help [OPTIONS] [COMMAND]\n"))
            return
        }
        #expect(text.hasPrefix("Keeps accounts.\n\nUsage: accounts COMMAND [OPTIONS] [OPERANDS]\n\nCommands:\n"))
        for command in Sample.parser.commands {
            #expect(text.contains("\n  \(command.name)"))
            #expect(text.contains(command.summary))
        }
    }

    @Test("no argument at all gives the help for standard error")
    func nothing() throws {
        guard case .nothing(let text) = try Sample.parser.parse([]) else {
            Issue.record("something was done")
            return
        }
        #expect(text == Sample.parser.help())
    }

    @Test("the version stands on a line", arguments: ["--version", "list --version", "--version import", "--versi"])
    func version(line: String) throws {
        guard case .version("accounts 1.2.3") = try Sample.parser.parse(words(line)) else {
            Issue.record("no version")
            return
        }
    }

    @Test("after -- there is no help")
    func terminator() {
        #expect(fault("export -- --help") != nil)
        #expect(fault("imprt --help")?.message == "there is no command 'imprt'; did you mean 'import'?")
    }

    @Test("no line is longer than the width", arguments: [40, 60, 80, 100, 132])
    func width(columns: Int) {
        let texts = Sample.parser.commands.map { Sample.parser.help(for: $0, width: columns) }
        for text in texts + [Sample.parser.help(width: columns)] {
            for line in text.split(separator: "\n") {
                #expect(line.count <= columns, "\(line)")
                #expect(line.last != " ")
            }
            #expect(!text.contains("\n\n\n"))
        }
    }

    @Test("an absurd width still gives text", arguments: [Int.min, -1, 0, 1, Int.max])
    func absurdWidth(columns: Int) {
        #expect(Sample.parser.help(for: Sample.importCommand, width: columns).contains("Which"))
    }
}
