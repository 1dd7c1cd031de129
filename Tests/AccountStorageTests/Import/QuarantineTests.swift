import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage

@Suite("The quarantine of an import")
struct QuarantineTests {
    private let folder: TemporaryDirectory
    private let repository: any AccountRepository = MemoryRepository()

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func path(_ name: String) -> FilePath { FilePath(folder.path).appending(name) }

    private func archive(uid: Int64) throws -> [UInt8] {
        try StoredArchive(account: Account(uid: uid, accessToken: "2.00token", expiresIn: 10)).archiveData()
    }

    /// A file that is refused, of a content of its own.
    @discardableResult
    private func writeDamaged(_ uid: Int64, to name: String) throws -> [UInt8] {
        let bytes = Array(try archive(uid: uid).dropLast(40))
        try FileWriter.makeFolder(path(name).parent)
        try FileWriter.write(bytes, to: path(name))
        return bytes
    }

    private func run(_ names: [String], quarantine: String = "Q") async throws -> ImportReport {
        let options = ImportOptions(quarantine: path(quarantine))
        return try await Importer(into: repository, options: options).run(names.map { path($0) })
    }

    /// The content of each copy under the path that its reason names; the names are those of the copies.
    private func copies(in name: String = "Q") throws -> [String: [UInt8]] {
        var copies: [String: [UInt8]] = [:]
        let root = path(name).description
        for file in try FileManager.default.subpathsOfDirectory(atPath: root) where file.hasSuffix(".reason.json") {
            let reason = try FileContent.read(path(name).appending(file), limit: 10_000).bytes
            guard case .dictionary(let entries) = try Value(json: reason, dialect: .plain),
                case .text(let original) = entries["path"]
            else { throw CocoaError(.fileReadCorruptFile) }
            let copy = FilePath("\(root)/\(file.dropLast(".reason.json".count))")
            let key = String(original.dropFirst(folder.path.count + 1))
            #expect(copies[key] == nil, "\(key) is there twice")
            copies[key] = try FileContent.read(copy, limit: 10_000).bytes
        }
        return copies
    }

    @Test("files of the same name are all kept, and each reason names its file")
    func sameName() async throws {
        var expected: [String: [UInt8]] = [:]
        for uid in 1...5 as ClosedRange<Int64> {
            expected["\(uid)/account.data"] = try writeDamaged(uid, to: "\(uid)/account.data")
        }
        // The same content under another path is another file.
        expected["6/account.data"] = try writeDamaged(5, to: "6/account.data")
        let paths = expected.keys.sorted()
        #expect(try await run(paths).rejected == 6)
        #expect(try copies() == expected)
        let names = try FileManager.default.subpathsOfDirectory(atPath: path("Q").description)
        #expect(names.contains("account.data"))
        #expect(names.count == 12)
    }

    @Test("a file that is refused again is not kept twice, in whatever order it comes")
    func again() async throws {
        try writeDamaged(1, to: "a/account.data")
        try writeDamaged(2, to: "b/account.data")
        _ = try await run(["a", "b"])
        let before = try copies()
        #expect(before.count == 2)
        _ = try await run(["b/account.data", "a/account.data"])
        #expect(try copies() == before)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: path("Q").description).count == 4)
        let changed = try writeDamaged(3, to: "a/account.data")
        _ = try await run(["a"])
        let contents = try FileManager.default.subpathsOfDirectory(atPath: path("Q").description)
            .filter { !$0.hasSuffix(".json") }
            .map { try FileContent.read(path("Q").appending($0), limit: 10_000).bytes }
        #expect(contents.count == 3)
        #expect(contents.contains(changed))
    }

    @Test(
        "a name that is too long for a reason beside it is cut",
        arguments: [
            String(repeating: "n", count: 255), String(repeating: "n", count: 244),
            "a" + String(repeating: "中", count: 82),
        ]
    )
    func longNames(name: String) async throws {
        let damaged = try writeDamaged(1, to: "in/\(name)")
        try FileWriter.write(try archive(uid: 2), to: path("in/z.data"))
        let report = try await run(["in"])
        #expect(report.outcomes.inserted == 1)
        #expect(report.failures.map(\.code) == ["truncated"])
        #expect(report.failures.allSatisfy { !$0.message.contains("quarantine") })
        #expect(try copies() == ["in/\(name)": damaged])
        _ = try await run(["in"])
        #expect(try copies() == ["in/\(name)": damaged])
    }

    @Test("a file and a folder of the same name are both kept", arguments: [["m1", "m2"], ["m2", "m1"]])
    func fileAndFolder(order: [String]) async throws {
        let expected = [
            "m1/x": try writeDamaged(1, to: "m1/x"), "m2/x/y": try writeDamaged(2, to: "m2/x/y"),
            "m2/x/y.reason.json": try writeDamaged(3, to: "m2/x/y.reason.json"),
        ]
        #expect(try await run(order).rejected == 3)
        #expect(try copies() == expected)
        _ = try await run(["m2/x/y.reason.json", "m2/x/y"], quarantine: "other")
        let names = try FileManager.default.contentsOfDirectory(atPath: path("other").description)
        #expect(names.count == 4)
        #expect(
            try FileContent.read(path("other/y.reason.json"), limit: 10_000).bytes == expected["m2/x/y.reason.json"]
        )
    }

    @Test("a copy that cannot be made is told of with the file, and the good files are imported")
    func unwritable() async throws {
        try writeDamaged(1, to: "in/a/damaged.data")
        try writeDamaged(1, to: "in/damaged.data")
        try FileWriter.write(try archive(uid: 2), to: path("in/z.data"))
        // Nothing can be made in /proc, not even by the superuser.
        let options = ImportOptions(quarantine: FilePath("/proc/self"))
        let report = try await Importer(into: repository, options: options).run([path("in")])
        #expect(report.outcomes.inserted == 1)
        #expect(report.failures.count == 2)
        #expect(
            report.failures.allSatisfy {
                $0.code == "truncated" && $0.message.contains("; no copy of it is in the quarantine: /proc/")
            }
        )
    }

    @Test("a quarantine that cannot be made is an error before anything is imported")
    func impossible() async throws {
        try FileWriter.makeFolder(path("in"))
        try FileWriter.write(try archive(uid: 2), to: path("in/z.data"))
        await #expect(throws: FileError.self) { try await run(["in"], quarantine: "in/z.data") }
        await #expect(throws: FileError.self) { try await run(["in"], quarantine: "in/z.data/q") }
        let input = Importer(into: repository, options: ImportOptions(quarantine: path("in/z.data")))
        await #expect(throws: FileError.self) { try await input.run(archive: archive(uid: 2), name: "-") }
        #expect(try await repository.account(uid: 2) == nil)
    }

    @Test("a quarantine within the folder that is imported is left out", arguments: ["in/Q", "in/x/../Q", "link/Q"])
    func within(quarantine: String) async throws {
        try writeDamaged(1, to: "in/x/damaged.data")
        try writeDamaged(2, to: "in/a.data")
        try writeDamaged(3, to: "in/Qx/b.data")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link"),
            withDestinationPath: folder.path(of: "in")
        )
        for _ in 0..<3 {
            let report = try await run(["in"], quarantine: quarantine)
            #expect(report.files == 3)
            #expect(report.rejected == 3)
            #expect(try copies(in: "in/Q").count == 3)
        }
        await #expect(throws: FileError.self) { try await run(["in/Q"], quarantine: quarantine) }
    }

    @Test(
        "a path that is missing, or has no name, leaves a reason in the folder",
        arguments: ["missing", "missing/.."]
    )
    func missing(name: String) async throws {
        #expect(try await run([name]).rejected == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("Q").description).count == 1)
    }

    @Test("a path that is no text is told byte by byte")
    func pathBytes() async throws {
        let name = path("in").appending([0x66, 0xE9])
        try FileWriter.makeFolder(path("in"))
        try FileWriter.write(Array(try archive(uid: 1).dropLast(40)), to: name)
        #expect(name.base64.flatMap { Data(base64Encoded: $0) } == Data(name.bytes))
        #expect(path("é").base64 == nil)
        _ = try await run(["in"])
        let reason = path("Q").appending([0x66, 0xE9] + Array(".reason.json".utf8))
        let text = try FileContent.read(reason, limit: 10_000).bytes
        guard case .dictionary(let entries) = try Value(json: text, dialect: .plain) else {
            Issue.record("the reason is no object")
            return
        }
        #expect(entries["path_bytes"] == name.base64.map { .text($0) })
    }
}
