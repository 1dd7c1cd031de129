import Foundation
import SQLiteBinding
import Schema
import TestSupport
import Testing

@testable import AccountStorage

/// A store that processes write until they are killed, held against what they have acknowledged.
struct KilledStore {
    let path: String
    /// How many saves were acknowledged.
    private(set) var saves = 0
    /// How long it took to open the store and read an account, after each kill, in milliseconds.
    private(set) var starts: [Double] = []
    /// The number that each range was last seen with, or acknowledged.
    private var numbers: [Int64: Int64] = [:]
    private var counts: [Int64: Int] = [:]

    init(path: String) {
        self.path = path
    }

    /// Lets a process write some ranges, `first:count` each, kills it, and looks at what is there.
    mutating func kill(_ ranges: [String], after longest: Duration) async throws {
        for range in ranges {
            let parts = range.split(separator: ":").compactMap { Int64($0) }
            counts[parts[0]] = Int(parts[1])
        }
        let (lines, status) = try await linesUntilKilled(["write", path] + ranges, after: longest)
        for line in lines {
            let words = line.split(separator: " ")
            switch words[0] {
            case "open": starts.append(Double(words[1]) ?? .infinity)
            case "found": try found(words.dropFirst().compactMap { Int64($0) })
            case "saved": try acknowledged(words.dropFirst().compactMap { Int64($0) })
            default: Issue.record("\(line)")
            }
        }
        #expect(status == -SIGKILL)
        // Now and then the next process finds what this one has left, and else this test does.
        if Bool.random() { try await check() }
    }

    private mutating func acknowledged(_ values: [Int64]) throws {
        try #require(values.count == 2)
        #expect(values[1] == numbers[values[0], default: 0] + 1)
        numbers[values[0]] = values[1]
        saves += 1
    }

    /// A process has found `count` accounts of a range, with numbers from the least to the greatest.
    private mutating func found(_ values: [Int64]) throws {
        try #require(values.count == 4)
        let (first, count, least, greatest) = (values[0], Int(values[1]), values[2], values[3])
        let number = numbers[first, default: 0]
        #expect(least == greatest, "half a batch at \(first)")
        #expect(count == (greatest == 0 ? 0 : counts[first]), "half a batch at \(first)")
        // The save that the kill has hit may be there or not; acknowledged it was not.
        #expect(greatest == number || greatest == number + 1, "acknowledged at \(first): \(number)")
        numbers[first] = greatest
    }

    private mutating func check() async throws {
        let start = ContinuousClock.now
        let store = try await AccountStore(path: path)
        _ = try await store.account(uid: 1)
        starts.append(start.duration(to: .now) / .milliseconds(1))
        for (first, count) in counts {
            let uids = first..<(first + Int64(count))
            let found = try await store.accounts(uids: Array(uids)).map(\.expiresIn)
            try self.found([first, Int64(found.count), found.min() ?? 0, found.max() ?? 0])
        }
        let problems = try await store.check().problems
        #expect(problems == [])
        try await store.close()
    }
}

/// Runs a process that is killed at a random moment, most often once it is at work, and at times while it starts.
///
/// - Returns: what it has said until then, and how it has ended.
private func linesUntilKilled(
    _ arguments: [String],
    after longest: Duration
) async throws -> (lines: [String], status: Int32) {
    let worker = try WorkerProcess(arguments)
    func kill(within longest: Duration) {
        let microseconds = Int.random(in: 0...Int(longest / .microseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { worker.kill() }
    }
    var isOnItsWay = Int.random(in: 0..<5) == 0
    if isOnItsWay { kill(within: .milliseconds(40)) }
    var lines: [String] = []
    for await line in worker.lines {
        lines.append(line)
        if !isOnItsWay { kill(within: longest) }
        isOnItsWay = true
    }
    return (lines, await worker.end())
}

/// A database that processes migrate until they are killed.
struct KilledMigrations {
    let path: String
    /// The version that was acknowledged.
    private(set) var version = 0

    init(path: String) {
        self.path = path
    }

    mutating func kill(after longest: Duration) async throws {
        let (lines, _) = try await linesUntilKilled(["migrate", path], after: longest)
        for line in lines {
            let words = line.split(separator: " ")
            try #require(words[0] == "begins", "\(line)")
            version = max(version, (Int(words[1]) ?? 0) - 1)
        }
        let connection = try Connection(path: path)
        defer { connection.close() }
        #expect(try connection.integrityCheck() == [])
        let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        if tables.isEmpty {
            #expect(version == 0)
            return
        }
        #expect(tables == [["schema_migrations"], ["t"]])
        let row = try connection.rows(
            """
            SELECT (SELECT count(*) FROM schema_migrations), (SELECT max(version) FROM schema_migrations),
                min(version), max(version), count(*) FROM t
            """
        )
        let applied = try #require(row[0][0].integer)
        #expect(row[0] == [.integer(applied), .integer(applied), .integer(applied), .integer(applied), 3_000])
        #expect(applied == version || applied == version + 1)
        version = Int(applied)
    }
}

/// Stores that processes make until they are killed.
struct KilledCreations {
    let folder: String
    /// How many were acknowledged.
    private(set) var stores = 0

    init(folder: String) {
        self.folder = folder
    }

    mutating func kill(after longest: Duration) async throws {
        let directory = "\(folder)/new"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (lines, _) = try await linesUntilKilled(["create", directory], after: longest)
        let acknowledged = lines.map { String($0.split(separator: " ")[1]) }
        stores += acknowledged.count
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sqlite") }
        #expect(Set(acknowledged).isSubset(of: names))
        for name in names {
            let store = try await AccountStore(path: "\(directory)/\(name)")
            let count = try await store.count()
            #expect(acknowledged.contains(name) ? count == 1 : count <= 1)
            try await store.save(Account(uid: 2, accessToken: nil, expiresIn: 1))
            let isHealthy = try await store.check().isHealthy
            #expect(isHealthy)
            try await store.close()
        }
    }
}

extension SQLValue {
    /// The integer that it is, if it is one.
    fileprivate var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
