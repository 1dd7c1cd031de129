import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Where there is no room for a store")
struct RoomTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("under a limit on the size of files, saves fail as on a full disk, and succeed when it is gone")
    func fileSizeLimit() async throws {
        let outcome = try await WorkerProcess(["limit", folder.path, "\(300 << 10)"]).outcome()
        let error = try expectRecovery(outcome)
        #expect(error.contains("raise the limit on the size of files"))
        try await expectContents(acknowledged: outcome.lines)
    }

    /// A small disk with a store on it, on which another file goes after a while; what is on it is copied in the end.
    private static let script = """
        mount -t tmpfs -o size=1m small "$1"
        head -c 300000 /dev/zero >"$1/ballast"
        status=0
        "$2" fill "$1/accounts.sqlite" "$1/ballast" || status=$?
        cp "$1/accounts.sqlite" "$3"
        exit "$status"
        """

    @Test(
        "on a full disk saves fail as that, and succeed when there is room again (A17)",
        .enabled("a small disk can be mounted", SmallDisk.canMount)
    )
    func smallDisk() async throws {
        let disk = folder.directory.path(of: "disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let launcher = SmallDisk.unshare + ["sh", "-euc", Self.script, "sh", disk, WorkerProcess.program, folder.path]
        let outcome = try await WorkerProcess([], launcher: launcher).outcome()
        let error = try expectRecovery(outcome)
        #expect(error.contains("free space on its disk"))
        try await expectContents(acknowledged: outcome.lines)
    }

    @Test("an empty file, as a full disk leaves it, is a new store")
    func emptyFile() async throws {
        for leftovers in [[""], ["", "-wal"], ["", "-journal"], ["", "-wal", "-shm"]] {
            let folder = try StoreFolder()
            for suffix in leftovers { try folder.directory.write([], to: "accounts.sqlite" + suffix) }
            let store = try await folder.open()
            try await store.save(.sample(1))
            try await store.close()
            #expect(try folder.directory.names() == ["accounts.sqlite"])
        }
    }

    /// Holds what a process said to what it has to say, and gives an error of those that it met.
    private func expectRecovery(_ outcome: (lines: [String], status: Int32)) throws -> String {
        #expect(outcome.status == 0, "\(outcome.lines.last ?? "")")
        let kinds = outcome.lines.map { String($0.prefix { $0 != " " }) }
        #expect(kinds.contains("saved"))
        // It fails three times, reads, succeeds three times, and reads.
        #expect(Array(kinds.suffix(5)) == ["saved", "saved", "saved", "read", "closed"])
        let failures = outcome.lines.filter { $0.hasPrefix("failed") }
        #expect(failures.count == 3)
        for failure in failures {
            #expect(failure.hasPrefix("failed diskFull database or disk is full"))
            #expect(failure.contains("accounts.sqlite"))
            #expect(!failure.contains("no transaction"))
        }
        return try #require(failures.first)
    }

    /// Holds the store against the saves that were acknowledged, of 100 accounts each.
    private func expectContents(acknowledged lines: [String]) async throws {
        let saved = lines.filter { $0.hasPrefix("saved") }.count
        let reads = lines.filter { $0.hasPrefix("read") }
        #expect(reads == ["read \((saved - 3) * 100)", "read \(saved * 100)"])
        let store = try await folder.open()
        let contents = try await store.contents()
        #expect(contents.count == saved * 100)
        #expect(contents.allSatisfy { $0.value.expiresIn == $0.key / 100 })
        let problems = try await store.check().problems
        #expect(problems == [])
        try await store.close()
    }
}
