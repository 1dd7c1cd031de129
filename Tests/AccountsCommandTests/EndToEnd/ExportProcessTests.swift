import Foundation
import KeyValueCoding
import TestSupport
import Testing

@Suite("An export as a process that does not come to its end")
struct ExportProcessTests {
    private let accounts: Program
    private static let count = 3_000

    init() throws { accounts = try Program() }

    /// Fills the store, and exports all of it to a folder that the other exports are held against.
    private func fill() async throws {
        let objects = (1...Self.count).map { uid in
            #"{"access_token":"2.00token-\#(uid)","expires_in":\#(uid),"uid":\#(uid * 1_000)}"#
        }
        let all = "[" + objects.joined(separator: ",") + "]"
        #expect(try await accounts("add", "-", "--obtained-at", "2020-01-01", input: Array(all.utf8)).status == 0)
        #expect(try await accounts("export", "--all", "-o", "whole").status == 0)
        #expect(try await accounts.shell("find whole -type f | wc -l").text == "\(Self.count)\n")
    }

    /// Each file that is in its place is as it is to be, and so is its time.
    private func expectWholeFiles(in folder: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let run = try await accounts.shell(
            """
            cd \(folder) && find . -name account.data -printf '%P %T@\\n' | sort > ../found
            cd ../whole && find . -name account.data -printf '%P %T@\\n' | sort > ../expected
            cd .. && comm -23 found expected && cut -d' ' -f1 found | while read -r name; do
                cmp "\(folder)/$name" "whole/$name" || exit 1
            done
            """
        )
        #expect(run.status == 0 && run.text.isEmpty, "\(run.text) \(run.errors)", sourceLocation: sourceLocation)
    }

    @Test("that is killed leaves whole files, and the next one makes the rest and takes away what was left")
    func killed() async throws {
        try await fill()
        // It is killed once so many folders are there.
        for threshold in [1, 300, 1_500, 2_990] {
            let run = try await accounts.shell(
                """
                "\(Program.path)" export --all -o out --jobs 2 & job=$!
                until [ "$(ls out 2>/dev/null | wc -l)" -ge \(threshold) ]; do kill -0 $job || break; done
                kill -9 $job; wait $job; echo $?
                """
            )
            #expect(["137\n", "0\n"].contains(run.text), "\(run.text)")
            try await expectWholeFiles(in: "out")
        }
        // Something is left of the one that is killed while its files wait for a sync.
        try accounts.folder.write([1], to: "out/2000/.account.data.part")
        #expect(try await accounts("export", "--all", "-o", "out", "--json").object()["accounts"] == 3_000)
        try await expectWholeFiles(in: "out")
        #expect(try await accounts.shell("diff -r whole out").status == 0)
        #expect(try await accounts.shell("find out -type f ! -name account.data").text.isEmpty)
    }

    @Test("that is interrupted puts what it has written into place, says how far it came, and exits with 130")
    func interrupted() async throws {
        try await fill()
        let run = try await accounts.shell(
            """
            set -m; "\(Program.path)" export --all -o out --json --jobs 1 & job=$!
            until [ "$(ls out 2>/dev/null | wc -l)" -ge 20 ]; do kill -0 $job || break; done
            kill -INT $job; wait $job; echo $? > status; find out -name account.data | wc -l > files
            """
        )
        let status = try String(contentsOfFile: accounts.folder.path(of: "status"), encoding: .utf8)
        // It may have come to its end before the signal came.
        try #require(["130\n", "0\n"].contains(status), "\(status) \(run.errors)")
        let files = try String(contentsOfFile: accounts.folder.path(of: "files"), encoding: .utf8)
        #expect(try run.object()["accounts"].map { "\($0)\n" } == files)
        #expect((status == "130\n") == run.errors.contains("interrupted; the same command goes on from here"))
        try await expectWholeFiles(in: "out")
        #expect(try await accounts.shell("find out -type f ! -name account.data").text.isEmpty)
        #expect(try await accounts("export", "--all", "-o", "out").status == 0)
        #expect(try await accounts.shell("diff -r whole out").status == 0)
    }

    @Test(
        "on a full disk tells so, leaves whole files, and goes on when there is room",
        .enabled("a small disk can be mounted", SmallDisk.canMount)
    )
    func fullDisk() async throws {
        try await fill()
        let script = """
            mkdir disk && mount -t tmpfs -o size=4m,nr_inodes=20k small disk
            status=0
            "\(Program.path)" export --all -o disk/out || status=$?
            find disk/out -type f ! -name account.data
            rm -rf partial && cp -a disk/out partial
            mount -o remount,size=64m disk
            "\(Program.path)" export --all -o disk/out >&2
            diff -r whole disk/out >&2
            exit $status
            """
        try accounts.folder.write(Array(script.utf8), to: "script")
        let run = try await accounts.shell(SmallDisk.unshare.joined(separator: " ") + " bash -eu script")
        #expect(run.status == 1)
        #expect(run.text.isEmpty, "something is left over: \(run.text)")
        #expect(run.errorLines.count == 2)
        #expect(run.errors.contains("No space left on device. Before that: "), "\(run.errors)")
        #expect(run.errorLines.last?.hasSuffix(" unchanged") == true, "\(run.errors)")
        let partial = try await accounts.shell("find partial -type f | wc -l")
        #expect((Int(partial.text.trimmingCharacters(in: .newlines)) ?? 0) > 100)
        try await expectWholeFiles(in: "partial")
    }
}
