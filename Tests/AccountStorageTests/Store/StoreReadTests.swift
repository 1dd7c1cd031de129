import Foundation
import KeyValueCoding
import SQLiteBinding
import Schema
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Reading accounts")
struct StoreReadTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("accounts of several users come in the order of the ids, and those who have none are left out")
    func severalUIDs() async throws {
        let store = try await folder.open()
        try await store.save((1...200).map { .sample($0) })
        #expect(try await store.accounts(uids: [3, 999, 1, 3, -5]).map(\.uid) == [3, 1, 3])
        #expect(try await store.accounts(uids: []).isEmpty)
        let many = Array((1...200).reversed()) as [Int64]
        #expect(try await store.accounts(uids: many).map(\.uid) == many)
    }

    @Test(
        "a stream gives each account once, in ascending order, across pages",
        arguments: [0, 1, 63, 64, 65, 192, 193, 9_000]
    )
    func stream(count: Int) async throws {
        let store = try await folder.open()
        let uids = (0..<Int64(count)).map { $0 * 3 - 700 }
        var generator = SeededGenerator(seed: 1)
        try await store.save(uids.shuffled(using: &generator).map { .sample($0) })
        let sequence = store.accounts()
        #expect(try await sequence.collected().map(\.uid) == uids)
        // It can be gone through again.
        #expect(try await sequence.collected().count == count)
        #expect(try await store.count() == count)
    }

    @Test("a limit ends a stream", arguments: [(-1, 0), (0, 0), (1, 1), (600, 600), (5_000, 700)])
    func limit(limit: Int, expected: Int) async throws {
        let store = try await folder.open()
        try await store.save((1...700).map { .sample($0, obtainedAt: 0) })
        #expect(try await store.accounts(AccountQuery(limit: limit)).collected().count == expected)
        let late = Date(timeIntervalSince1970: 1e9)
        #expect(
            try await store.accounts(AccountQuery(expiringBefore: late, limit: limit)).collected().map(\.uid)
                == (0..<Int64(expected)).map { $0 + 1 }
        )
    }

    @Test("a stream that nobody consumes further fetches no more, and the store can close")
    func abandonedStream() async throws {
        let store = try await folder.open()
        try await store.save((1...2_000).map { .sample($0) })
        for try await account in store.accounts() where account.uid == 3 { break }
        try await store.close()
        let error = try await storeError { _ = try await store.accounts().collected() }
        #expect(error.code == .closed)
    }

    @Test("accounts that are removed or added behind the place of a stream do not disturb it")
    func changesWhileStreaming() async throws {
        let store = try await folder.open()
        try await store.save((1...1_000).map { .sample($0) })
        var uids: [Int64] = []
        for try await account in store.accounts() {
            if account.uid == 100 {
                for uid in 600...1_000 as ClosedRange<Int64> { try await store.remove(uid: uid) }
                try await store.save(.sample(5_000))
            }
            uids.append(account.uid)
        }
        #expect(uids == Array(1...599) + [5_000])
    }

    @Test(
        "before a time means before, to the fraction of a second",
        arguments: [
            (99.0, [] as [Int64]), (100.0, []), (100.5, [1]), (101.0, [1]), (101.25, [1, 2]), (1e18, [1, 2, 3]),
            (-1e19, []), (1e30, [1, 2, 3, 4]), (-1e30, []), (.infinity, [1, 2, 3, 4]), (-.infinity, []), (.nan, []),
        ]
    )
    func expiringBefore(seconds: Double, expected: [Int64]) async throws {
        let store = try await folder.open()
        var accounts: [Account] = [
            .sample(1, expiresIn: 100, obtainedAt: 0), .sample(2, expiresIn: 1, obtainedAt: 100),
            .sample(3, expiresIn: 1_000_000, obtainedAt: 0), .sample(9, expiresIn: 1),
        ]
        if seconds.magnitude > 1e18 || !seconds.isFinite {
            accounts.append(.sample(4, expiresIn: seconds < 0 ? .min : .max, obtainedAt: seconds < 0 ? -1 : 1))
        }
        try await store.save(accounts)
        let query = AccountQuery(expiringBefore: Date(timeIntervalSince1970: seconds))
        #expect(try await store.accounts(query).collected().map(\.uid) == expected)
    }

    @Test("accounts that expire come in the order of their uids, across pages, without those saved anew meanwhile")
    func expiringPages() async throws {
        let store = try await folder.open()
        try await store.save((1...1_500).map { .sample($0, expiresIn: 2_000 - $0, obtainedAt: 0) })
        let query = AccountQuery(expiringBefore: Date(timeIntervalSince1970: 10_000))
        var uids: [Int64] = []
        for try await account in store.accounts(query) {
            if account.uid == 1 {
                try await store.save((513...1_100).map { .sample($0, expiresIn: 1_000_000, obtainedAt: 0) })
            }
            uids.append(account.uid)
        }
        #expect(uids == Array(1...512) + Array(1_101...1_500))
    }

    @Test("what expires is searched in the index, and nothing is scanned")
    func queryPlans() throws {
        let connection = try Connection.inMemory()
        try StoreFile.runner.apply(to: connection)
        func plan(_ sql: String) throws -> [String] {
            try connection.rows(
                "EXPLAIN QUERY PLAN \(sql)",
                Array(repeating: .null, count: connection.prepare(sql).parameterCount)
            )
            .compactMap { row in if case .text(let detail)? = row.last { detail } else { nil } }
        }
        let expiring = try plan(AccountRows.selectExpiring)
        #expect(expiring == ["SEARCH accounts USING COVERING INDEX accounts_expires_at (expires_at<?)"])
        try connection.visit("SELECT 1 WHERE visit(1)") { _ in true }
        #expect(try plan(AccountRows.visitAll) == ["SCAN accounts"])
        for sql in [AccountRows.visitAfter, AccountRows.selectOne, AccountRows.selectExpiringOne, AccountRows.isSame] {
            let steps = try plan(sql)
            #expect(steps.count == 1)
            #expect(steps.allSatisfy { $0.hasPrefix("SEARCH accounts USING INTEGER PRIMARY KEY") }, "\(steps)")
        }
        let ledger = try plan(ImportLedger.select("size"))
        #expect(ledger == ["SEARCH imported_files USING INDEX sqlite_autoindex_imported_files_1 (path>?)"])
        #expect(
            try plan(AccountRows.selectArchive).allSatisfy {
                $0.hasPrefix("SEARCH ") && $0.contains("INTEGER PRIMARY KEY")
            }
        )
    }

    @Test(
        "a row that can be no account is an error that names it, and shows no token (A2)",
        arguments: [
            ("extras = '[1]'", "column extras: expected a JSON object, found an array"),
            ("extras = '{'", "column extras: expected a JSON object: line 1"),
            ("extras = '{\"$date\":\"nonsense\"}'", "column extras: expected a JSON object: line 1"),
            (
                "access_token = CAST(x'32ff' AS TEXT)",
                "column access_token: expected text, found bytes that are not UTF-8"
            ),
        ]
    )
    func badRows(assignment: String, message: String) async throws {
        let store = try await folder.open()
        try await store.save((1...10).map { .sample($0, token: "2.00hush") })
        try folder.sql("UPDATE accounts SET \(assignment) WHERE uid = 7")
        for read in [
            { _ = try await store.account(uid: 7) }, { _ = try await store.accounts(uids: [1, 7]) },
            { _ = try await store.accounts().collected() }, { _ = try await store.storedArchive(uid: 7) },
        ] as [() async throws -> Void] {
            let error = try await storeError(#_sourceLocation, read)
            #expect(error.code == .badRow)
            #expect(error.message.contains("row 7 of accounts"))
            #expect(error.message.contains(message))
            #expect(!error.message.contains("2.00"))
        }
        #expect(try await store.account(uid: 6) != nil)
    }

    @Test("the database itself refuses a row without a number where one has to be (A2)")
    func strictTable() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        for assignment in ["expires_in = NULL", "expires_in = 'x'", "expires_in = 1.5", "uid = 'x'", "extras = NULL"] {
            #expect(throws: SQLiteError.self) { try folder.sql("UPDATE accounts SET \(assignment)") }
        }
        // A NULL key is one that SQLite makes up.
        try folder.sql("INSERT INTO accounts (uid, expires_in, remind_in) VALUES (NULL, 1, 1)")
        #expect(try await store.account(uid: 2)?.accessToken == nil)
    }
}
