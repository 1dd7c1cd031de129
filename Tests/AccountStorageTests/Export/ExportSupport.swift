import Foundation
import KeyValueCoding
import TestSupport

@testable import AccountStorage

/// A folder of an export.
struct ExportTarget {
    let directory: TemporaryDirectory
    let path: FilePath

    init(_ name: String = "out") throws {
        directory = try TemporaryDirectory()
        path = FilePath(directory.path(of: name))
    }

    /// The files below, by their paths from there.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path.description) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            files[name] = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
        }
        return files
    }

    /// What is in the file of an account; nil without one.
    func file(_ uid: Int64) -> [UInt8]? { FileManager.default.contents(atPath: place(uid)).map { [UInt8]($0) } }

    func place(_ uid: Int64) -> String { "\(path)/\(uid)/account.data" }

    /// When the file of an account was changed last, in nanoseconds.
    func modifiedAt(_ uid: Int64) throws -> Int64 {
        try FileStatus(FilePath(place(uid)), followsLinks: false).modifiedAt
    }

    /// Puts something in the place of an account's file, or beside it.
    func write(_ text: String, _ uid: Int64, name: String = "account.data") throws {
        try directory.write(Array(text.utf8), to: "out/\(uid)/\(name)")
    }
}

extension AccountStore {
    /// The files that an export of all is to make, one by one.
    func expectedFiles(_ options: ArchiveWriteOptions = ArchiveWriteOptions()) async throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for uid in try await uids(after: nil, limit: .max) {
            if let stored = try await storedArchive(uid: uid) {
                files["\(uid)/account.data"] = try stored.archiveData(options)
            }
        }
        return files
    }

    /// Adds accounts of many forms: those of the fixtures, each under several uids, and some that never were archives.
    func fillWithForms() async throws {
        var uid: Int64 = 0
        var files: [ImportedFile] = []
        for path in try ArchiveFixtures.archives(in: "variants") + ArchiveFixtures.archives(in: "expected") {
            var options = ArchiveReadOptions(classes: ["*"])
            options.mapping.defaults = ["remind_in": 0, "expires_in": 5]
            guard let read = try? ArchivedAccount.accounts(in: ArchiveFixtures.bytes(path), options: options) else {
                continue
            }
            for copy in 0..<40 {
                var accounts = read
                for index in accounts.indices {
                    uid += 1
                    accounts[index].account.uid = uid
                    if copy > 0 { accounts[index].account.obtainedAt = Date(timeIntervalSince1970: Double(copy) * 1e6) }
                }
                let identity = FileIdentity(path: Array("\(path)/\(copy)".utf8), size: 1, modifiedAt: 1)
                files.append(ImportedFile(identity: identity, accounts: accounts))
            }
        }
        _ = try await save(files, onConflict: .replace)
        try await save((-20..<0).map { .sample($0, obtainedAt: 1_500_000_000 + $0, extras: ["n": .integer($0)]) })
    }
}

/// A repository that makes its accounts up while they are read, and counts them.
struct EndlessRepository: AccountRepository {
    struct Unused: Error {}

    let size: Int64
    let fetched: @Sendable (Int) -> Void

    func storedArchives(after uid: Int64?, limit: Int) async throws -> [StoredArchiveRow] {
        let first = uid.map { $0 + 1 } ?? 0
        let rows = (first..<min(first + Int64(limit), size)).map { uid in
            StoredArchiveRow.archive(StoredArchive(account: .sample(uid)))
        }
        fetched(rows.count)
        return rows
    }

    func count() async throws -> Int { Int(size) }
    func close() async throws {}
    func account(uid: Int64) async throws -> Account? { throw Unused() }
    func accounts(uids: [Int64]) async throws -> [Account] { throw Unused() }
    func accounts(_ query: AccountQuery) -> AccountSequence { AccountSequence { { _ in throw Unused() } } }
    func uids(after uid: Int64?, limit: Int) async throws -> [Int64] { throw Unused() }
    func save(_ account: Account, onConflict rule: ConflictRule) async throws -> SaveOutcome { throw Unused() }
    func save(_ accounts: [Account], onConflict rule: ConflictRule) async throws -> SaveCounts { throw Unused() }
    func remove(uid: Int64) async throws -> Bool { throw Unused() }
    func storedArchive(uid: Int64) async throws -> StoredArchive? { throw Unused() }
    func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?] { throw Unused() }
    func save(_ files: [ImportedFile], onConflict rule: ConflictRule) async throws -> [ImportedFileOutcome] {
        throw Unused()
    }
}
