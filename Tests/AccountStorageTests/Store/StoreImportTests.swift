import Foundation
import KeyValueCoding
import KeyedArchive
import SQLiteBinding
import Testing

@testable import AccountStorage

@Suite("Saving the accounts of archives")
struct StoreImportTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("accounts come back with their forms and details")
    func roundTrip() async throws {
        let store = try await folder.open()
        let details: ArchiveFormDetails = [0: [1, 2, 255], 12: []]
        let file = try ImportedFile.sample("/a", form: "HWAccount", details: details, .sample(1), .sample(2))
        #expect(try await store.save([file], onConflict: .newest) == [.saved([.inserted, .inserted])])
        let stored = try await store.storedArchive(uid: 2)
        #expect(stored == StoredArchive(account: .sample(2), form: try .sample("HWAccount"), details: details))
        #expect(try await store.storedArchive(uid: 3) == nil)
        #expect(
            try folder.sql("SELECT form_details FROM accounts WHERE uid = 1")
                == [[#"{"0":{"$data":"AQL/"},"12":{"$data":""}}"#]]
        )
        // Another process meets the same.
        let other = try await folder.open()
        #expect(try await other.storedArchive(uid: 1)?.details == details)
        #expect(try await other.save([.sample("/b", form: "HWAccount", .sample(3))], onConflict: .newest).count == 1)
        #expect(try folder.sql("SELECT count(*) FROM forms") == [[1]])
    }

    @Test("an account that never was in an archive has no form")
    func noForm() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        #expect(try await store.storedArchive(uid: 1) == StoredArchive(account: .sample(1)))
    }

    @Test("saving an account alone leaves its form, and importing it replaces it")
    func formOfTheWinner() async throws {
        let store = try await folder.open()
        _ = try await store.save(
            [.sample("/a", form: "A", details: [1: [1]], .sample(1, obtainedAt: 5))],
            onConflict: .newest
        )
        try await store.save(.sample(1, token: "new", obtainedAt: 5))
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("A"))
        #expect(try await store.storedArchive(uid: 1)?.details == [1: [1]])
        let older = try ImportedFile.sample("/b", form: "B", .sample(1, obtainedAt: 4))
        #expect(try await store.save([older], onConflict: .newest) == [.saved([.kept(nil)])])
        #expect(try await store.save([older], onConflict: .keep) == [.saved([.kept(nil)])])
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("A"))
        let newer = try ImportedFile.sample("/c", form: "C", .sample(1, obtainedAt: 6))
        #expect(try await store.save([newer], onConflict: .newest) == [.saved([.updated(nil)])])
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("C"))
        #expect(try await store.storedArchive(uid: 1)?.details == [:])
        #expect(try await store.save([older], onConflict: .replace) == [.saved([.updated("/c")])])
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("B"))
    }

    @Test(
        "the very same account in another form is unchanged, and takes the form only if it had none",
        arguments: [
            ConflictRule.newest, .replace, .keep,
        ]
    )
    func sameAccountOtherForm(rule: ConflictRule) async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        for name in ["A", "B"] {
            let file = try ImportedFile.sample("/\(name)", form: name, details: [1: Array(name.utf8)], .sample(1))
            #expect(try await store.save([file], onConflict: rule) == [.saved([.unchanged])])
            #expect(try await store.storedArchive(uid: 1)?.form == .sample("A"))
            #expect(try await store.storedArchive(uid: 1)?.details == [1: [65]])
        }
    }

    @Test("files count in their order, within one call as in several")
    func order() async throws {
        let store = try await folder.open()
        let files = [
            try ImportedFile.sample("/1", form: "A", .sample(1, obtainedAt: 5), .sample(2)),
            try ImportedFile.sample("/2", form: "B", .sample(1, obtainedAt: 9)),
            try ImportedFile.sample("/3", form: "C"),
            try ImportedFile.sample("/4", form: "D", .sample(2, token: "x"), .sample(1, obtainedAt: 7)),
        ]
        #expect(
            try await store.save(files, onConflict: .keep) == [
                .saved([.inserted, .inserted]), .saved([.kept("/1")]), .saved([]),
                .saved([.kept("/1"), .kept("/1")]),
            ]
        )
        #expect(
            try await store.save(files, onConflict: .newest) == [
                .saved([.unchanged, .unchanged]), .saved([.updated("/1")]), .saved([]),
                .saved([.updated("/1"), .kept("/2")]),
            ]
        )
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("B"))
        #expect(try await store.save([] as [ImportedFile], onConflict: .newest).isEmpty)
    }

    @Test("under the rule fail a file with a conflict is left out as a whole, and the others are saved")
    func fail() async throws {
        let store = try await folder.open()
        try await store.save(.sample(5))
        let files = [
            try ImportedFile.sample("/1", form: "A", .sample(1)),
            try ImportedFile.sample("/2", form: "B", .sample(2), .sample(5, token: "x")),
            try ImportedFile.sample("/3", form: "B", .sample(3), .sample(3)),
            try ImportedFile.sample("/4", form: "D", .sample(4), .sample(1, token: "x")),
            try ImportedFile.sample("/5", form: "E", .sample(6), .sample(6, token: "x")),
            try ImportedFile.sample("/6", form: "A", .sample(1), .sample(5)),
        ]
        #expect(
            try await store.save(files, onConflict: .fail) == [
                .saved([.inserted]), .conflict(uid: 5), .saved([.inserted, .unchanged]), .conflict(uid: 1),
                .conflict(uid: 6), .saved([.unchanged, .unchanged]),
            ]
        )
        #expect(try await store.accounts().collected().map(\.uid) == [1, 3, 5])
        let known = try await store.importedFiles(at: files.map(\.identity.path))
        #expect(known == [files[0].identity, nil, files[2].identity, nil, nil, files[5].identity])
        #expect(try folder.sql("SELECT count(*) FROM forms") == [[2]])
        #expect(try await store.storedArchive(uid: 3)?.form == .sample("B"))
        #expect(try await store.check().isHealthy)
    }

    @Test("a file is known by its path, as it was when it was imported last")
    func importedFiles() async throws {
        let store = try await folder.open()
        let file = try ImportedFile.sample("/p\u{FF}", .sample(1))
        try await _ = store.save([file], onConflict: .newest)
        let path = file.identity.path
        #expect(
            try await store.importedFiles(at: [path + [0xFF], path, [], path.dropLast()]) == [
                nil, file.identity, nil, nil,
            ]
        )
        #expect(try await store.importedFiles(at: []).isEmpty)
        // Imported again after a change, only the new state is known.
        var changed = file
        changed.identity.size = 99
        try await _ = store.save([changed], onConflict: .newest)
        #expect(try await store.importedFiles(at: [path]) == [changed.identity])
        #expect(
            try folder.sql("SELECT accounts, outcome, uid, abs(unixepoch() - imported_at) < 60 FROM imported_files")
                == [[1, "unchanged", 1, 1]]
        )
    }

    @Test("files are found in whatever order they are asked for, among many others", arguments: [1, 7, 40])
    func manyImportedFiles(step: Int) async throws {
        let store = try await folder.open()
        let files = try (0..<400).map { try ImportedFile.sample("/f\($0)", .sample(Int64($0))) }
        _ = try await store.save(files, onConflict: .newest)
        let paths = stride(from: 0, to: 800, by: step).map { Array("/f\($0)".utf8) }
        for asked in [paths, paths.reversed(), paths.sorted { $0.lexicographicallyPrecedes($1) }] {
            let found = try await store.importedFiles(at: asked)
            #expect(
                found.map { $0?.path } == asked.map { path in files.contains { $0.identity.path == path } ? path : nil }
            )
        }
    }

    @Test("what became of each file's account, and which file the account came from, is written down")
    func ledger() async throws {
        let store = try await folder.open()
        let files = [
            try ImportedFile.sample("/1", form: "A", .sample(1, obtainedAt: 5)),
            try ImportedFile.sample("/2", form: "A", .sample(1, obtainedAt: 9)),
            try ImportedFile.sample("/3", form: "A", .sample(1, obtainedAt: 9)),
            try ImportedFile.sample("/4", form: "A", .sample(1, obtainedAt: 7)),
            try ImportedFile.sample("/5", form: "A", .sample(2), .sample(3)),
        ]
        let outcomes: [ImportedFileOutcome] = [
            .saved([.inserted]), .saved([.updated("/1")]), .saved([.unchanged]), .saved([.kept("/2")]),
            .saved([.inserted, .inserted]),
        ]
        #expect(try await store.save(files, onConflict: .newest) == outcomes)
        #expect(
            try folder.sql("SELECT id, accounts, outcome, uid FROM imported_files ORDER BY path") == [
                [1, 1, "inserted", 1], [2, 1, "updated", 1], [3, 1, "unchanged", 1], [4, 1, "kept", 1],
                [5, 2, .null, .null],
            ]
        )
        #expect(try folder.sql("SELECT uid, file_id FROM accounts ORDER BY uid") == [[1, 2], [2, 5], [3, 5]])
        // An account that an app saves is no file's any more, unless it is the very same.
        try await store.save(.sample(2))
        try await store.save(.sample(3, token: "other"))
        #expect(try folder.sql("SELECT uid, file_id FROM accounts ORDER BY uid") == [[1, 2], [2, 5], [3, .null]])
        // The same file twice in one call is one row.
        let again = try ImportedFile.sample("/6", form: "A", .sample(6))
        #expect(
            try await store.save([again, again], onConflict: .newest) == [.saved([.inserted]), .saved([.unchanged])]
        )
        #expect(try folder.sql("SELECT count(*), max(id) FROM imported_files") == [[6, 6]])
    }

    @Test("removing an account leaves its form and the memory of its file")
    func removing() async throws {
        let store = try await folder.open()
        let file = try ImportedFile.sample("/a", .sample(1))
        try await _ = store.save([file], onConflict: .newest)
        #expect(try await store.remove(uid: 1))
        #expect(try await store.importedFiles(at: [file.identity.path]) == [file.identity])
        let report = try await store.check()
        #expect(report.isHealthy)
        #expect(report.unusedForms == 1)
        try await _ = store.save([.sample("/b", .sample(2))], onConflict: .newest)
        #expect(try folder.sql("SELECT count(*) FROM forms") == [[1]])
    }

    @Test("the ids of forms that were rolled back are not used again")
    func rolledBackForms() async throws {
        let store = try await folder.open()
        try await limitPages(of: store, to: 12)
        let large = Account.sample(1, token: String(repeating: "x", count: 200_000))
        let error = try await storeError {
            _ = try await store.save([.sample("/a", form: "A", large)], onConflict: .newest)
        }
        #expect(error.code == .diskFull)
        #expect(try folder.sql("SELECT count(*) FROM forms") == [[0]])
        try await limitPages(of: store, to: 100_000)
        try await _ = store.save([.sample("/b", form: "B", .sample(2))], onConflict: .newest)
        try await _ = store.save([.sample("/a", form: "A", large)], onConflict: .newest)
        #expect(try await store.storedArchive(uid: 1)?.form == .sample("A"))
        #expect(try await store.storedArchive(uid: 2)?.form == .sample("B"))
        #expect(try await store.check().isHealthy)
    }

    @Test("a form that somebody removed by hand is an error once, and then found again")
    func removedForm() async throws {
        let store = try await folder.open()
        try await _ = store.save([.sample("/a", form: "A", .sample(1))], onConflict: .newest)
        try await store.remove(uid: 1)
        try folder.sql("DELETE FROM forms")
        let error = try await storeError {
            _ = try await store.save([.sample("/a", form: "A", .sample(1))], onConflict: .newest)
        }
        #expect(error.code == .database)
        #expect(
            try await store.save([.sample("/a", form: "A", .sample(1))], onConflict: .newest) == [.saved([.inserted])]
        )
        #expect(try await store.check().isHealthy)
    }

    @Test(
        "a form or details that cannot be read are an error that tells where",
        arguments: [
            ("UPDATE forms SET content = '{}'", "column form_id: the form 1 is none"),
            ("UPDATE forms SET content = 'x'", "column form_id: the form 1 is none"),
            ("UPDATE accounts SET form_id = 9", "column form_id: there is no such form"),
            ("UPDATE accounts SET form_details = '[]'", "column form_details"),
            ("UPDATE accounts SET form_details = '{\"x\":{\"$data\":\"\"}}'", "column form_details"),
            ("UPDATE accounts SET form_details = '{\"1\":2}'", "column form_details"),
        ]
    )
    func unreadableForms(sql: String, message: String) async throws {
        let store = try await folder.open()
        try await _ = store.save([.sample("/a", form: "A", details: [1: [1]], .sample(1))], onConflict: .newest)
        try folder.sql(sql)
        let error = try await storeError { _ = try await store.storedArchive(uid: 1) }
        #expect(error.code == .badRow)
        #expect(error.message.contains("row 1 of accounts, \(message)"))
        #expect(try await store.account(uid: 1) == .sample(1))
        #expect(try await store.check().isHealthy == false)
    }

    @Test("more forms than the cache keeps are all found")
    func manyForms() async throws {
        let store = try await folder.open()
        let files = try (1...600).map {
            try ImportedFile.sample("/\($0)", form: "Class\($0 % 300)", .sample(Int64($0)))
        }
        for start in stride(from: 0, to: 600, by: 150) {
            _ = try await store.save(Array(files[start..<(start + 150)]), onConflict: .newest)
        }
        #expect(try folder.sql("SELECT count(*) FROM forms") == [[300]])
        for uid in 1...600 as ClosedRange<Int64> {
            #expect(try await store.storedArchive(uid: uid)?.form?.className == "Class\(uid % 300)")
        }
    }
}

/// Lets the file of a store grow to so many pages.
func limitPages(of store: AccountStore, to pages: Int) async throws {
    try await store.pool.write(inTransaction: false) { connection in
        _ = try connection.value("PRAGMA max_page_count = \(pages)")
    }
}
