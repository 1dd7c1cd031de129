import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Importing files and folders")
struct ImporterTests {
    private let folder: TemporaryDirectory
    private let repository: any AccountRepository = MemoryRepository()

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// An archive of the legacy app.
    private func archive(uid: Int64, token: String = "2.00token") throws -> [UInt8] {
        try StoredArchive(account: Account(uid: uid, accessToken: token, expiresIn: 10)).archiveData()
    }

    @discardableResult
    private func write(_ bytes: [UInt8], to name: String, modified: Int64 = 1_000) throws -> FilePath {
        let path = FilePath(folder.path).appending(name)
        try FileWriter.makeFolder(path.parent)
        try FileWriter.write(bytes, to: path, modifiedAt: modified)
        return path
    }

    private func run(_ options: ImportOptions = ImportOptions(), _ paths: [FilePath]? = nil) async throws
        -> ImportReport
    {
        try await Importer(into: repository, options: options).run(paths ?? [FilePath(folder.path)])
    }

    @Test("a folder's archives are imported, and what is no property list is passed over and counted")
    func folderOfArchives() async throws {
        try write(try archive(uid: 1), to: "a/account.data")
        try write(try archive(uid: 2), to: "b/c/account.data")
        try write(Array("{\"uid\":1}".utf8), to: "reply.json")
        try write([], to: "empty")
        try write(Array(try archive(uid: 3).dropLast(40)), to: "damaged.data")
        let report = try await run()
        #expect(report.files == 5)
        #expect(report.accounts == 2)
        #expect(report.outcomes.inserted == 2)
        #expect(report.passedOver == 2)
        #expect(report.passedOverFiles.map(\.code) == ["empty", "notAPropertyList"])
        #expect(report.failures.map(\.code) == ["truncated"])
        #expect(report.imported == 2)
        #expect(try await repository.account(uid: 1)?.obtainedAt == Date(timeIntervalSince1970: 1_000))
    }

    @Test("a time of change after the year 2262 is taken as it is, and told from another")
    func lateTimes() async throws {
        for (time, token) in [(10_000_000_000, "a"), (10_000_000_001, "b")] as [(Int64, String)] {
            try write(try archive(uid: 1, token: token), to: "account.data", modified: time)
            #expect(try await run().skipped == 0)
            let account = try await repository.account(uid: 1)
            #expect(account?.accessToken == token)
            #expect(account?.obtainedAt == Date(timeIntervalSince1970: Double(time)))
            #expect(try await run().skipped == 1)
        }
    }

    @Test("a file that is named must be an archive")
    func namedFile() async throws {
        let path = try write(Array("{\"uid\":1}".utf8), to: "reply.json")
        let report = try await run(ImportOptions(), [path])
        #expect(report.failures.map(\.code) == ["notAPropertyList"])
        #expect(report.failures.first?.path == path)
    }

    @Test("an unchanged file is skipped, a changed one is read again")
    func unchangedFiles() async throws {
        let path = try write(try archive(uid: 1), to: "account.data")
        _ = try await run()
        #expect(try await run().skipped == 1)
        try write(try archive(uid: 1, token: "another"), to: "account.data", modified: 2_000)
        let report = try await run()
        #expect(report.skipped == 0)
        #expect(report.outcomes.updated == 1)
        #expect(try await repository.account(uid: 1)?.accessToken == "another")
        #expect(try await run(ImportOptions(readsUnchangedFiles: true), [path]).outcomes.unchanged == 1)
    }

    @Test(
        "of several files of one user the rule's account stays, whatever their order",
        arguments: ConflictRule.allCases
    )
    func conflicts(rule: ConflictRule) async throws {
        try write(try archive(uid: 1, token: "first"), to: "1/account.data", modified: 3_000)
        try write(try archive(uid: 1, token: "newest"), to: "2/account.data", modified: 9_000)
        try write(try archive(uid: 1, token: "last"), to: "3/account.data", modified: 6_000)
        let report = try await run(ImportOptions(conflictRule: rule, jobs: 3))
        let token = try await repository.account(uid: 1)?.accessToken
        switch rule {
        case .newest: #expect(token == "newest")
        case .replace: #expect(token == "last")
        case .keep: #expect(token == "first")
        case .fail:
            #expect(token == "first")
            #expect(report.failures.map(\.code) == ["conflict", "conflict"])
        }
        #expect(report.accounts + report.rejected == 3)
    }

    @Test("a refused file is in the quarantine with its hash and the reason")
    func quarantine() async throws {
        let damaged = Array(try archive(uid: 3).dropLast(40))
        try write(damaged, to: "in/x/damaged.data")
        let quarantine = FilePath(folder.path).appending("refused")
        let report = try await run(ImportOptions(quarantine: quarantine), [FilePath(folder.path).appending("in")])
        #expect(report.rejected == 1)
        let copy = quarantine.appending("x/damaged.data")
        #expect(try FileContent.read(copy, limit: 1_000).bytes == damaged)
        let reason = try FileContent.read(quarantine.appending("x/damaged.data.reason.json"), limit: 10_000).bytes
        guard case .dictionary(let entries) = try Value(json: reason, dialect: .plain) else {
            Issue.record("the reason is no object")
            return
        }
        #expect(entries["code"] == "truncated")
        #expect(entries["sha256"] == .text(SHA256.hexDigest(of: damaged)))
    }

    @Test("a link is not followed, and a device is refused")
    func linksAndDevices() async throws {
        let outside = try TemporaryDirectory()
        try FileWriter.write(try archive(uid: 7), to: FilePath(outside.path).appending("account.data"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link",
            withDestinationPath: outside.path
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.data",
            withDestinationPath: outside.path + "/account.data"
        )
        let report = try await run()
        #expect(report.passedOver == 2)
        #expect(try await repository.count() == 0)
        let named = try await run(ImportOptions(), [FilePath("/dev/zero"), FilePath(folder.path + "/link.data")])
        #expect(named.failures.map(\.code) == ["unreadable"])
        #expect(named.accounts == 1)
    }

    @Test("a path that is not there, and a file beyond the limit, are refused and the rest goes on")
    func unreadable() async throws {
        let good = try write(try archive(uid: 1), to: "account.data")
        let large = try write([UInt8](repeating: 0, count: 5_000), to: "large.data")
        var options = ImportOptions()
        options.reading.limits.bytes = 1_000
        let report = try await run(options, [FilePath(folder.path + "/none"), large, good])
        #expect(report.failures.map(\.code) == ["unreadable", "tooLarge"])
        #expect(report.outcomes.inserted == 1)
    }

    @Test("a name that is not UTF-8 is imported and skipped the next time")
    func foreignNames() async throws {
        let path = FilePath(folder.path).appending([0xE9, 0xFF, 0x2E, 0x64])
        try FileWriter.write(try archive(uid: 1), to: path)
        #expect(try await run().accounts == 1)
        #expect(try await run().skipped == 1)
    }

    @Test("more files than a batch has are all imported, in order")
    func manyFiles() async throws {
        for uid in 1...1_100 { try folder.write(try archive(uid: Int64(uid)), to: "\(uid % 10)/\(uid).data") }
        let report = try await run(ImportOptions(jobs: 2))
        #expect(report.outcomes.inserted == 1_100)
        #expect(try await repository.count() == 1_100)
    }

    @Test(
        "a refusal names the options that would accept the file",
        arguments: try ArchiveFixtures.archives(in: "variants")
    )
    func remedies(file: String) async throws {
        let path = try write(try ArchiveFixtures.bytes(file), to: "account.data")
        let report = try await run(ImportOptions(), [path])
        if file.contains("/01") {
            #expect(report.failures.isEmpty)
            return
        }
        let remedies = try #require(report.failures.first).remedies
        #expect(!remedies.isEmpty)
        var options = ImportOptions()
        for remedy in remedies { remedy.apply(to: &options.reading) }
        #expect(try await run(options, [path]).outcomes.inserted == 1)
        if file.contains("/13") {
            #expect(remedies.contains(.readKey("expires_date", as: "expires_at")))
            let account = try await repository.account(uid: 1_404_376_560)
            #expect(account?.expiresAt == Date(timeIntervalSinceReferenceDate: 462_000_000))
            #expect(account?.remindIn == 0)
        }
    }

    @Test("a damaged file has no remedy, and a renamed key has one")
    func remediesOfFaults() async throws {
        let damaged = try write(try ArchiveFixtures.bytes("bad/trunc_221.data"), to: "1.data")
        let renamed = try write(try ArchiveFixtures.bytes("bad/underscore_key.data"), to: "2.data")
        let report = try await run(ImportOptions(), [damaged, renamed])
        #expect(report.failures.map(\.remedies) == [[], [.readKey("_remind_in", as: "remind_in")]])
    }
}

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "a hash is what other tools compute",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 119),
                "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
            ),
        ]
    )
    func known(text: String, digest: String) {
        #expect(SHA256.hexDigest(of: Array(text.utf8)) == digest)
    }
}
