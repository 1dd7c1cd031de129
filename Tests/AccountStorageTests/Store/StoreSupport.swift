import Foundation
import KeyValueCoding
import KeyedArchive
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// A folder for a store of a test's own.
struct StoreFolder {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path(of: "accounts.sqlite")
    }

    func open(_ change: (inout AccountStoreOptions) -> Void = { _ in }) async throws -> AccountStore {
        var options = AccountStoreOptions()
        change(&options)
        return try await AccountStore(path: path, options: options)
    }

    /// Runs SQL on the file as another program would, without the store's checks.
    @discardableResult
    func sql(_ script: String) throws -> [[SQLValue]] {
        var configuration = Configuration()
        configuration.foreignKeys = false
        configuration.isDefensive = false
        let connection = try Connection(path: path, mode: .readWrite, configuration: configuration)
        if script.hasPrefix("SELECT") { return try connection.rows(script) }
        try connection.execute(script)
        return []
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}

/// The error that a call throws; a failed expectation if it throws none, or another type.
func storeError(
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async throws -> StoreError {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try await body() }
    let found = try #require(error, sourceLocation: sourceLocation)
    #expect(!found.message.contains("\n"), "one line", sourceLocation: sourceLocation)
    return found
}

extension Account {
    /// An account that the tests make up.
    static func sample(
        _ uid: Int64,
        token: String? = "2.00token",
        expiresIn: Int64 = 3_600,
        remindIn: Int64 = 0,
        obtainedAt: Int64? = nil,
        extras: [String: Value] = [:]
    ) -> Account {
        Account(
            uid: uid,
            accessToken: token,
            expiresIn: expiresIn,
            remindIn: remindIn,
            obtainedAt: obtainedAt.map { Date(timeIntervalSince1970: Double($0)) },
            extras: extras
        )
    }
}

extension ArchiveForm {
    /// A form that says nothing but its class.
    static func sample(_ className: String) throws -> ArchiveForm {
        try #require(
            ArchiveForm(
                content: [
                    "version": 1, "format": "binary", "class": .text(className), "object": 1, "properties": [:],
                ]
            )
        )
    }
}

extension ImportedFile {
    /// A file that the tests make up.
    static func sample(
        _ path: String,
        size: Int64 = 10,
        modifiedAt: Int64 = 1_000,
        form: String = "Account",
        details: ArchiveFormDetails = [:],
        _ accounts: Account...
    ) throws -> ImportedFile {
        let form = try ArchiveForm.sample(form)
        return ImportedFile(
            identity: FileIdentity(path: Array(path.utf8), size: size, modifiedAt: modifiedAt),
            accounts: accounts.map { ArchivedAccount(account: $0, form: form, details: details) }
        )
    }
}

extension AccountSequence {
    /// All of them.
    func collected() async throws -> [Account] {
        try await reduce(into: []) { $0.append($1) }
    }
}

extension ImportedAccountOutcome {
    static let inserted = Self(.inserted)
    static let unchanged = Self(.unchanged)
    static func updated(_ path: String?) -> Self { Self(.updated, otherFile: path.map { Array($0.utf8) }) }
    static func kept(_ path: String?) -> Self { Self(.kept, otherFile: path.map { Array($0.utf8) }) }
}
