import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Checking and backing up a store")
struct StoreCheckTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("a sound store is counted, and nothing is found")
    func sound() async throws {
        let store = try await folder.open()
        try await store.save((1...700).map { .sample($0, obtainedAt: .max / 2_048, extras: ["a": 1]) })
        _ = try await store.save([.sample("/a", form: "A", details: [0: [1]], .sample(9_000))], onConflict: .newest)
        let report = try await store.check()
        #expect(report.problems.isEmpty)
        #expect(report.isHealthy)
        #expect(report.accounts == 701)
        #expect(report.forms == 1)
        #expect(report.unusedForms == 0)
    }

    @Test(
        "each kind of fault is found, and told where it is",
        arguments: [
            ("UPDATE accounts SET extras = '[1]' WHERE uid = 2", .row, "row 2 of accounts, column extras: "),
            ("UPDATE accounts SET extras = 'x' WHERE uid = 2", .row, "row 2 of accounts, column extras: "),
            ("UPDATE accounts SET expires_at = 1 WHERE uid = 1", .row, "row 1 of accounts, column expires_at: "),
            ("UPDATE accounts SET expires_at = NULL WHERE uid = 1", .row, "row 1 of accounts, column expires_at: "),
            ("UPDATE accounts SET expires_at = 1 WHERE uid = 2", .row, "row 2 of accounts, column expires_at: "),
            ("UPDATE accounts SET form_details = 'x'", .row, "column form_details: "),
            ("UPDATE accounts SET form_details = '{}' WHERE uid = 1", .row, "there are details, but no form"),
            (
                "UPDATE accounts SET form_id = 77 WHERE uid = 1", .foreignKey,
                "row 1 of accounts refers to a row of forms"
            ),
            ("UPDATE forms SET content = '{\"version\":99}'", .form, "row 1 of forms, column content: "),
            ("DROP INDEX accounts_expires_at", .schema, "index accounts_expires_at is missing"),
            ("CREATE TABLE other (x)", .schema, "table other was made by no migration"),
            ("ALTER TABLE accounts ADD COLUMN x TEXT", .schema, "table accounts is not as its migration made it"),
            ("DROP TABLE imported_files", .schema, "table imported_files is missing"),
            ("INSERT INTO schema_migrations VALUES (9999, 'later', '', 0)", .schema, "V9999__later.sql"),
        ] as [(String, CheckReport.Problem.Kind, String)]
    )
    func faults(sql: String, kind: CheckReport.Problem.Kind, message: String) async throws {
        let store = try await folder.open()
        try await store.save([.sample(1, token: "2.00hush", obtainedAt: 5)])
        _ = try await store.save([.sample("/a", form: "A", .sample(2, token: "2.00hush"))], onConflict: .newest)
        try folder.sql(sql)
        let report = try await store.check()
        #expect(!report.isHealthy)
        #expect(report.problems.contains { $0.kind == kind && $0.message.contains(message) }, "\(report.problems)")
        #expect(!report.problems.contains { $0.message.contains("2.00") })
    }

    @Test("a damaged page is found, and the check does not stop at it")
    func damagedPage() async throws {
        let store = try await folder.open()
        try await store.save((1...2_000).map { .sample($0) })
        try await store.close()
        var bytes = try folder.bytes()
        let middle = bytes.count / 2 / 4_096 * 4_096
        bytes.replaceSubrange(middle..<(middle + 4_096), with: Data(repeating: 0xAA, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: folder.path))
        let damaged = try await folder.open()
        let report = try await damaged.check()
        #expect(report.problems.contains { $0.kind == .integrity })
        let error = try await storeError { _ = try await damaged.accounts().collected() }
        #expect(error.code == .damaged)
        #expect(error.message.contains("damaged"))
    }

    @Test("of many faults the first ones are listed, and all are counted")
    func manyFaults() async throws {
        let store = try await folder.open()
        try await store.save((1...300).map { .sample($0, obtainedAt: 5) })
        try folder.sql("UPDATE accounts SET expires_at = 1")
        let report = try await store.check()
        #expect(report.problemCount == 300)
        #expect(report.problems.count == 100)
    }

    @Test("an index that is gone is told to those who need it, and the check has the SQL that restores it")
    func missingIndex() async throws {
        let store = try await folder.open()
        try await store.save((0..<10).map { .sample($0, obtainedAt: 1_000) })
        let names = try folder.sql("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        for case .text(let name)? in names.map(\.first) { try folder.sql("DROP INDEX \(name)") }
        let error = try await storeError {
            _ = try await store.accounts(AccountQuery(expiringBefore: .distantFuture)).collected()
        }
        #expect(error.code == .damaged)
        #expect(error.message.contains("accounts check"), "\(error)")
        let problems = try await store.check().problems.map(\.message).filter { $0.contains("is missing") }
        #expect(problems.count == names.count)
        for problem in problems {
            let parts = problem.split(separator: "; this SQL restores it: ", maxSplits: 1)
            try folder.sql(String(try #require(parts.last)))
        }
        #expect(try await store.check().isHealthy)
        #expect(try await store.accounts(AccountQuery(expiringBefore: .distantFuture)).collected().count == 10)
    }

    @Test("a backup is a store of its own, and takes the place of an older one")
    func backup() async throws {
        let store = try await folder.open()
        try await store.save((1...100).map { .sample($0) })
        let target = folder.directory.path(of: "copy.sqlite")
        try await store.backup(to: target)
        try await store.save(.sample(101))
        try await store.backup(to: target)
        #expect(try folder.directory.names().filter { $0.contains("copy") } == ["copy.sqlite"])
        let copy = try await AccountStore(path: target)
        #expect(try await copy.count() == 101)
        #expect(try await copy.check().isHealthy)
    }

    @Test("backups that are made while tasks write are each of one moment, with all that was saved before")
    func backupsWhileWriting() async throws {
        let store = try await folder.open { $0.durability = .normal }
        let target = folder.directory.path(of: "copy.sqlite")
        let saved = Monitor<Set<Int64>>([])
        let isOver = Monitor(false)
        try await withThrowingTaskGroup { group in
            for task in 0..<3 as Range<Int64> {
                group.addTask {
                    var first = task * 1_000_000_000
                    while !isOver.withLock({ $0 }) {
                        try await store.save((first..<(first + 3)).map { .sample($0) })
                        saved.withLock { [first] in _ = $0.insert(first) }
                        first += 3
                    }
                }
            }
            for _ in 0..<5 {
                let before = saved.withLock { $0 }
                try await store.backup(to: target)
                let copy = try await AccountStore(path: target)
                let uids = Set(try await copy.accounts().collected().map(\.uid))
                #expect(before.allSatisfy { uids.contains($0) })
                #expect(uids.count.isMultiple(of: 3), "a transaction is there as a whole or not at all")
                #expect(try await copy.check().isHealthy)
                try await copy.close()
            }
            isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        try await store.close()
    }

    @Test("a backup refuses to replace what it must not, and leaves it as it is")
    func backupRefusals() async throws {
        let store = try await folder.open()
        try await store.save(.sample(1))
        try folder.directory.write(Array("a letter".utf8), to: "letter.txt")
        for name in ["accounts.sqlite", "letter.txt", "none/copy.sqlite"] {
            _ = try await storeError { try await store.backup(to: folder.directory.path(of: name)) }
        }
        let letter = try Data(contentsOf: URL(fileURLWithPath: folder.directory.path(of: "letter.txt")))
        #expect(letter == Data("a letter".utf8))
        #expect(try await store.check().isHealthy)
    }
}
