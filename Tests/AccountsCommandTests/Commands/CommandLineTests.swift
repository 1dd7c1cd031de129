import ArgumentParsing
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountsCommand

@Suite("The command line")
struct CommandLineTests {
    @Test("the declarations are without fault")
    func declarations() {
        #expect(AccountsTool.parser.declarationFaults == [])
    }

    @Test("every command has help with an example that is a right command line")
    func examples() throws {
        for command in AccountsTool.parser.commands {
            #expect(!command.examples.isEmpty, "\(command.name)")
            #expect(AccountsTool.parser.help(for: command).contains("Examples:"))
            for example in command.examples {
                let line = example.commandLine.split(separator: "| ").first { $0.hasPrefix("accounts ") }
                let words = try #require(line).split(separator: " ").dropFirst()
                    .map { RawArgument($0.filter { $0 != "'" }) }
                guard case .run(let parsed) = try AccountsTool.parser.parse(Array(words)) else {
                    throw Unexpected(what: example.commandLine)
                }
                #expect(parsed.command == command)
            }
        }
    }

    @Test("help and the version go to standard output, and a missing command is wrong usage")
    func help() async throws {
        let tool = try Tool()
        for line in [["help"], ["--help"], ["help", "import"], ["import", "--help"], ["--version"]] {
            let run = await tool.run(line)
            #expect(run.status == 0)
            #expect(!run.output.isEmpty && run.errors.isEmpty)
        }
        let nothing = await tool()
        #expect(nothing.status == 64)
        #expect(nothing.output.isEmpty && nothing.errors.contains("Usage: accounts COMMAND"))
    }

    @Test(
        "what is wrong is told in a line, with a hint and status 64",
        arguments: [
            (["lst"], "there is no command 'lst'; did you mean 'list'?"),
            (["list", "--databse", "x"], "there is no option '--databse' for 'list'; did you mean '--database'?"),
            (["show"], "UID is missing"), (["show", "1", "2"], "one operand too many"),
            (["remove"], "UID is missing"), (["backup"], "FILE is missing"), (["inspect"], "FILE is missing"),
            (["check", "x"], "takes no operand"), (["import"], "PATH is missing"),
            (["list", "--class", "x"], "it belongs to 'import'"),
        ]
    )
    func wrongUsage(line: [String], message: String) async throws {
        let run = try await Tool().run(line)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 2)
        #expect(run.errors.hasPrefix("accounts: ") && run.errors.contains(message), "\(run.errors)")
    }

    @Test("output that cannot be written is a failure, told unless its reader has gone")
    func output() async throws {
        let tool = try Tool()
        await tool.add(#"{"access_token":"t","expires_in":1,"uid":1}"#)
        for command in [["list"], ["list", "--json"], ["show", "1"], ["check"], ["help"], ["--version"]] {
            let full = await tool.run(command, outputFailure: OutputError(reason: "disk full", isClosedPipe: false))
            #expect(full.status == 1)
            #expect(full.errors == "accounts: cannot write to standard output: disk full\n")
            let gone = await tool.run(command, outputFailure: OutputError(reason: "broken pipe", isClosedPipe: true))
            #expect(gone.status == 1)
            #expect(gone.errors.isEmpty)
        }
    }

    @Test("quiet silences what is no error")
    func quiet() async throws {
        let tool = try Tool()
        let run = await tool.add(#"{"access_token":"t","expires_in":1,"uid":1}"#, "--quiet")
        #expect(run.status == 0 && run.errors.isEmpty && run.output.isEmpty)
        #expect(await tool("list", "-q").errors.isEmpty)
        #expect(await !tool("show", "2", "-q").errors.isEmpty)
    }

    @Test("with --json every command prints one document and nothing else on standard output")
    func json() async throws {
        let tool = try Tool()
        let seed = Fixtures.path("variants/01_Account_seed.data")
        let out = tool.folder.path(of: "out")
        for command in [
            ["migrate"], ["import", seed], ["list"], ["show", "1404376560"], ["check"], ["inspect", seed],
            ["backup", tool.folder.path(of: "copy.sqlite")], ["export", "--all", "-o", out],
            ["export", "--uid", "1404376560", "-o", tool.folder.path(of: "one")], ["remove", "1404376560"],
        ] {
            let run = await tool.run(command + ["--json"])
            #expect(run.status == 0, "\(command)")
            #expect(throws: Never.self) { try run.json() }
            #expect(run.output.last == 0x0A)
            #expect(run.errors.isEmpty, "\(run.errors)")
        }
    }
}
