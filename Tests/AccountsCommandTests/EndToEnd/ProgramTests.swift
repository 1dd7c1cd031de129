import Foundation
import KeyValueCoding
import TestSupport
import Testing

@Suite("The program as a process")
struct ProgramTests {
    private static let seed = Fixtures.path("variants/01_Account_seed.data")

    @Test("archives go in, are listed, and come out again")
    func mainJob() async throws {
        let accounts = try Program()
        let refused = try await accounts("import", Fixtures.path("variants"))
        #expect(refused.status == 2)
        #expect(refused.output.isEmpty)
        // One for each file that is refused, one for the list that is no archive, the summary, and one for each set of options that helps.
        #expect(refused.errorLines.count == 18)
        #expect(try await accounts("list", "--json", "--reveal").array().count == 1)
        #expect(try await accounts("export", "--uid", "1404376560", "--output", "out.data").status == 0)
        #expect(try await accounts.shell("cmp out.data '\(Self.seed)'").status == 0)
        #expect(try await accounts("check").status == 0)
        #expect(try await accounts.shell("ls -A | grep accounts").text == "accounts.sqlite\n", "no log is left behind")
    }

    @Test("a terminal gets colours, unless NO_COLOR is set, and everything else gets none")
    func terminal() async throws {
        let accounts = try Program()
        // script(1) runs a command in a pseudo terminal.
        let inspect = "'\(Program.path)' inspect '\(Self.seed)'"
        let coloured = try await accounts.shell("script -qec \"\(inspect)\" /dev/null < /dev/null")
        #expect(coloured.status == 0, "\(coloured.errors)")
        #expect(coloured.text.contains("\u{1B}[36muid\u{1B}[0m = 1404376560"))
        let plain = try await accounts.shell("NO_COLOR=1 script -qec \"\(inspect)\" /dev/null < /dev/null")
        #expect(plain.text.contains("uid = 1404376560") && !plain.text.contains("\u{1B}"))
        #expect(try await !accounts.shell(inspect).text.contains("\u{1B}"))
    }

    @Test("pipes are read and written")
    func pipes() async throws {
        let accounts = try Program()
        let reply = #"{"access_token":"2.00ABCDEFG","remind_in":"5","expires_in":5,"uid":"7"}"#
        #expect(try await accounts.shell("echo '\(reply)' | accounts add").status == 0)
        #expect(try await accounts.shell("accounts add <(echo '\(reply)') --obtained-at none").status == 0)
        #expect(try await accounts.shell("accounts show 7 --json --reveal").object()["access_token"] == "2.00ABCDEFG")
        let copied = try await accounts.shell(
            "accounts export --uid 7 -o - | accounts --database other.sqlite import - && "
                + "accounts --database other.sqlite list --json --reveal"
        )
        #expect(try copied.array().first?["uid"] == 7)
    }

    @Test("an export goes into a pipe and through a symbolic link, and both stay what they are")
    func places() async throws {
        let accounts = try Program()
        #expect(try await accounts("import", Self.seed).status == 0)
        let run = try await accounts.shell(
            "mkfifo pipe; cat pipe > copy & accounts export --uid 1404376560 -o pipe && wait && "
                + "echo old > target; ln -s target link; accounts export --force --uid 1404376560 -o link && "
                + "test -p pipe && test -L link && cmp copy '\(Self.seed)' && cmp target '\(Self.seed)'"
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("the environment names the database, and the option goes before it")
    func database() async throws {
        let accounts = try Program()
        #expect(try await accounts.shell("ACCOUNTS_DATABASE=here.sqlite accounts migrate").status == 0)
        #expect(
            try await accounts.shell("ACCOUNTS_DATABASE=here.sqlite accounts --database there.sqlite migrate").status
                == 0
        )
        #expect(try await accounts.shell("ls").text == "here.sqlite\nthere.sqlite\n")
    }

    @Test("a reader that goes away ends the program quietly, and a full device loudly")
    func output() async throws {
        let accounts = try Program()
        let objects = (1...20_000).map { "{\"access_token\":\"token-\($0)\",\"expires_in\":\($0),\"uid\":\($0)}" }
        let all = "[" + objects.joined(separator: ",") + "]"
        #expect(try await accounts("add", "-", input: Array(all.utf8)).status == 0)
        let gone = try await accounts.shell("accounts list --json | head -n 2 | tail -n 1; echo ${PIPESTATUS[0]}")
        #expect(gone.errors.isEmpty)
        #expect(gone.text.split(separator: "\n").last == "1")
        let full = try await accounts.shell("accounts list --json >/dev/full")
        #expect(full.status == 1)
        #expect(full.errors == "accounts: cannot write to standard output: No space left on device\n")
        let closed = try await accounts.shell("accounts list --json >&-")
        #expect(closed.status == 1)
        #expect(closed.errors == "accounts: cannot write to standard output: Bad file descriptor\n")
        #expect(
            try await accounts.shell("accounts list 2>&- | tail -n 1").text.hasPrefix("20000 "),
            "nobody hears the count"
        )
        #expect(try await accounts.shell("accounts --help >/dev/full").status == 1)
        #expect(try await accounts("list", "--limit", "1", "--json").array().count == 1)
    }

    @Test("help, the version and wrong usage have their places and exit statuses")
    func usage() async throws {
        let accounts = try Program()
        #expect(try await accounts("--version").text.hasPrefix("accounts "))
        let help = try await accounts("help", "import")
        #expect(help.status == 0)
        #expect(help.text.contains("--on-conflict RULE"))
        let nothing = try await accounts()
        #expect(nothing.status == 64)
        #expect(nothing.output.isEmpty)
        let wrong = try await accounts("imprt")
        #expect(wrong.status == 64)
        #expect(wrong.errors == "accounts: there is no command 'imprt'; did you mean 'import'?\nSee 'accounts help'.\n")
    }

    @Test("several imports into one new store at the same time all succeed")
    func crowd() async throws {
        let accounts = try Program()
        let run = try await accounts.shell(
            "for i in 1 2 3 4; do accounts import '\(Self.seed)' & done; "
                + "status=0; for job in $(jobs -p); do wait $job || status=1; done; exit $status"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await accounts("list", "--json").array().count == 1)
        #expect(try await accounts("check").status == 0)
    }

    @Test("a graph at the limit of depth is shown, and one beyond it refused")
    func depth() async throws {
        let accounts = try Program()
        for (depth, status) in [(250, 0), (505, 0), (600, 1)] as [(Int, Int32)] {
            try accounts.folder.write(nestedArchive(depth: depth), to: "deep.xml")
            for options in [["--json"], []] {
                let run = try await accounts.shell("accounts inspect deep.xml \(options.joined())")
                #expect(run.status == status, "\(depth) \(run.errors)")
                if status == 1 { #expect(run.errors.contains(": tooDeep: ")) }
            }
        }
    }

    /// An archive of arrays within one another.
    private func nestedArchive(depth: Int) -> [UInt8] {
        let class1 = depth + 1
        var objects = "<string>$null</string>"
        for index in 1...depth {
            let content = index < depth ? "<dict><key>CF$UID</key><integer>\(index + 1)</integer></dict>" : ""
            objects += "<dict><key>$class</key><dict><key>CF$UID</key><integer>\(class1)</integer></dict>"
            objects += "<key>NS.objects</key><array>\(content)</array></dict>"
        }
        objects += "<dict><key>$classname</key><string>NSArray</string>"
        objects += "<key>$classes</key><array><string>NSArray</string><string>NSObject</string></array></dict>"
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\
            <key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>\(objects)</array>\
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>\
            <key>$version</key><integer>100000</integer></dict></plist>
            """.utf8
        )
    }
}
