import Foundation
import KeyValueCoding
import Synchronization
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Rows that no account can be read from")
struct BadRowTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// The rows that a stream has told of.
    private final class Log: Sendable {
        private let rows = Mutex<[BadRow]>([])

        var uids: [Int64] { rows.withLock { $0.map(\.uid) } }
        var messages: [String] { rows.withLock { $0.map(\.message) } }
        var policy: BadRowPolicy { .skip { row in self.rows.withLock { $0.append(row) } } }
    }

    @Test(
        "a stream goes on after them, and tells of each once",
        arguments: ([
            [3], [512, 513], Array(400...1_700), [1], [2_000], Array(1...600), Array(1_990...2_000), Array(1...2_000),
        ] as [[Int64]]).prefix(Effort.isBrief ? 3 : .max)
    )
    func skip(bad: [Int64]) async throws {
        let store = try await folder.open()
        try await store.save((1...2_000).map { .sample($0, obtainedAt: 0) })
        let list = bad.map(String.init).joined(separator: ",")
        try folder.sql("UPDATE accounts SET extras = 'x' WHERE uid IN (\(list))")
        let good = (1...2_000 as ClosedRange<Int64>).filter { !bad.contains($0) }
        for query in [AccountQuery(), AccountQuery(expiringBefore: Date(timeIntervalSince1970: 1e9))] {
            let log = Log()
            let sequence = store.accounts(query, onBadRow: log.policy)
            #expect(try await sequence.collected().map(\.uid) == good)
            #expect(log.uids == bad)
            // Each pass tells of them anew.
            #expect(try await sequence.collected().count == good.count)
            #expect(log.uids == bad + bad)
            #expect(log.messages.first?.hasPrefix("row \(bad[0]) of accounts, column extras: ") == true)
            let stopping = store.accounts(query)
            let error = try await storeError { _ = try await stopping.collected() }
            #expect(error.code == .badRow)
        }
        #expect(
            try await store.accounts(AccountQuery(limit: 5), onBadRow: Log().policy).collected().map(\.uid)
                == Array(good.prefix(5))
        )
        try await store.close()
    }

    @Test("an export writes the others, and says of each bad row what is wrong")
    func export() async throws {
        let store = try await folder.open()
        try await store.save((1...2_100).map { .sample($0) })
        try folder.sql("UPDATE accounts SET extras = 'x' WHERE uid IN (3, 1500)")
        let target = FilePath(folder.directory.path(of: "out"))
        let report = try await Exporter(from: store).writeAll(to: target)
        #expect(report.exported == 2_098)
        #expect(report.failures.map(\.uid) == [3, 1_500])
        #expect(report.failures[0].message.contains("row 3 of accounts, column extras"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.description).count == 2_098)
        try await store.close()
    }

    @Test("uids come in parts, whatever else is in the rows", arguments: [1, 3, 100])
    func uids(limit: Int) async throws {
        let store = try await folder.open()
        let all = [.min, -1, 0, 7, 8, .max] as [Int64]
        try await store.save(all.shuffled().map { .sample($0) })
        try folder.sql("UPDATE accounts SET extras = 'x' WHERE uid < 8")
        var found: [Int64] = []
        while case let page = try await store.uids(after: found.last, limit: limit), !page.isEmpty { found += page }
        #expect(found == all)
        #expect(try await store.uids(after: nil, limit: -1).isEmpty)
        try await store.close()
    }
}
