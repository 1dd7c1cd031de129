import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Accounts with the forms of their archives")
struct StoredArchiveTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func all(_ repository: some AccountRepository, limit: Int) async throws -> [StoredArchiveRow] {
        var rows: [StoredArchiveRow] = []
        while case let page = try await repository.storedArchives(after: rows.last?.uid, limit: limit), !page.isEmpty {
            #expect(page.count <= limit)
            rows += page
        }
        return rows
    }

    @Test("come in parts as they come one by one", arguments: [1, 7, 10_000])
    func parts(limit: Int) async throws {
        let store = try await folder.open()
        try await store.fillWithForms()
        try await store.save([.sample(.min), .sample(.max)])
        var expected: [StoredArchiveRow] = []
        for uid in try await store.uids(after: nil, limit: .max) {
            expected.append(.archive(try #require(try await store.storedArchive(uid: uid))))
        }
        #expect(try await all(store, limit: limit) == expected)
        #expect(try await store.storedArchives(after: nil, limit: 0) == [])
        #expect(try await store.storedArchives(after: .max, limit: 5) == [])
        try await store.close()
    }

    @Test("come in smaller parts where they are large")
    func largeRows() async throws {
        let store = try await folder.open()
        let long = String(repeating: "x", count: 300_000)
        try await store.save((1...9).map { .sample($0, extras: ["note": .text(long)]) })
        #expect(try await store.storedArchives(after: nil, limit: 100).count == 4)
        #expect(try await all(store, limit: 100).map(\.uid) == Array(1...9))
        try await store.close()
    }

    @Test("come with the rows between them that are none")
    func badRows() async throws {
        let store = try await folder.open()
        let form = try ImportedFile.sample("a", .sample(1), .sample(2), .sample(3), .sample(4), .sample(5))
        _ = try await store.save([form], onConflict: .fail)
        try folder.sql(
            """
            PRAGMA ignore_check_constraints = 1;
            UPDATE accounts SET extras = 'x' WHERE uid = 1;
            UPDATE accounts SET form_id = 99 WHERE uid = 2;
            UPDATE accounts SET form_details = '[]' WHERE uid = 4;
            """
        )
        let rows = try await all(store, limit: 2)
        let messages = rows.map { if case .bad(let row) = $0 { row.message } else { "" } }
        #expect(rows.map(\.uid) == [1, 2, 3, 4, 5])
        #expect(messages[0].hasPrefix("row 1 of accounts, column extras: "))
        #expect(messages[1] == "row 2 of accounts, column form_id: there is no such form")
        #expect(messages[3] == "row 4 of accounts, column form_details: it is not what forms need")
        #expect(messages[2].isEmpty && messages[4].isEmpty)
        for uid in [1, 2, 4] as [Int64] {
            let error = try await storeError { _ = try await store.storedArchive(uid: uid) }
            #expect(error.code == .badRow && error.message == messages[Int(uid) - 1])
        }
        try await store.close()
    }

    @Test("come from a repository that gives one at a time, too")
    func oneByOne() async throws {
        let repository = MemoryRepository()
        _ = try await repository.save((1...10).map { .sample($0) }, onConflict: .fail)
        #expect(try await all(repository, limit: 3).map(\.uid) == Array(1...10))
        #expect(try await all(repository, limit: 3).first == .archive(StoredArchive(account: .sample(1))))
    }
}
