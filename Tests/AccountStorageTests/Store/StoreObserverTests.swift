import Foundation
import KeyValueCoding
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// The events of a store, in order.
private final class Events: Sendable {
    private let events = Monitor<[StoreEvent]>([])

    var all: [StoreEvent] { events.withLock { $0 } }

    /// An observer that keeps what it is told, and takes everything for slow if it is to.
    func observer(tellingAll: Bool = false) -> StoreObserver {
        var observer = StoreObserver { [self] event in events.withLock { $0.append(event) } }
        if tellingAll {
            observer.slowStatement = .zero
            observer.slowTransaction = .zero
            observer.longWait = .zero
        }
        return observer
    }

    /// Returns once there is an event of a kind.
    func wait(_ sourceLocation: SourceLocation = #_sourceLocation, for isWanted: (StoreEvent) -> Bool) async throws {
        guard try await !happens({ all.contains(where: isWanted) }) else { return }
        Issue.record("no such event: \(all)", sourceLocation: sourceLocation)
    }
}

@Suite("An observer of a store")
struct StoreObserverTests {
    private let folder: StoreFolder
    private let events = Events()

    init() throws { folder = try StoreFolder() }

    @Test("is told of migrations, statements, transactions, waits and locks, and never sees a token")
    func noTokens() async throws {
        let secret = "2.00hushhush"
        let store = try await folder.open { $0.observer = events.observer(tellingAll: true) }
        let accounts = (1...200).map {
            Account.sample($0, token: "\(secret)\($0)", obtainedAt: 5, extras: ["t": .text(secret)])
        }
        try await store.save(accounts)
        try await store.save(accounts[0])
        try await store.save(.sample(7, token: secret + "other"))
        _ = try await store.save([.sample("/\(secret)", .sample(9, token: secret))], onConflict: .newest)
        _ = try await storeError { try await store.save(.sample(7, token: secret), onConflict: .fail) }
        #expect(try await store.account(uid: 1)?.accessToken == "\(secret)1")
        #expect(try await store.accounts().collected().count == 200)
        _ = try await store.check()
        try folder.sql("UPDATE accounts SET extras = 'x\(secret)' WHERE uid = 2")
        _ = try await store.check()
        _ = try? await store.accounts(uids: [2])
        let other = try Connection(path: folder.path)
        let isLockWait = { (event: StoreEvent) in if case .lockWait = event { true } else { false } }
        // How long it takes until a save waits for the lock is up to the machine.
        for pause in [50, 500, 5_000, 50_000] where !events.all.contains(where: isLockWait) {
            try other.execute("BEGIN IMMEDIATE")
            async let saved = store.save(.sample(3, token: secret))
            try await Task.sleep(for: .milliseconds(pause))
            try other.execute("COMMIT")
            _ = try await saved
            _ = try await happens(within: .seconds(1)) { events.all.contains(where: isLockWait) }
        }
        try await events.wait(for: isLockWait)
        try await events.wait { if case .slowTransaction(.read, _) = $0 { true } else { false } }
        try await store.close()

        let all = events.all
        #expect(all.contains(.migrated(SchemaPlan.Step(version: 1, name: "accounts"))))
        #expect(all.contains { if case .slowTransaction(.write, _) = $0 { true } else { false } })
        #expect(all.contains { if case .longWait(.write, _) = $0 { true } else { false } })
        let statements = all.compactMap { if case .slowStatement(let sql, _) = $0 { sql } else { nil } }
        #expect(statements.contains { $0.contains("INSERT INTO accounts") })
        #expect(statements.contains { $0.contains("SELECT") && $0.contains("uid = ?") }, "\(Set(statements))")
        for event in all {
            var dumped = ""
            dump(event, to: &dumped)
            #expect(!"\(event)\(String(reflecting: event))\(dumped)".contains("hush"))
            #expect(!event.description.contains("\n"))
        }
    }

    @Test("is told of damage")
    func damage() async throws {
        let sound = try await folder.open()
        try await sound.save((1...2_000).map { .sample($0) })
        try await sound.close()
        var bytes = try folder.bytes()
        let middle = bytes.count / 2 / 4_096 * 4_096
        bytes.replaceSubrange(middle..<(middle + 4_096), with: Data(repeating: 0xAA, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: folder.path))
        let store = try await folder.open { $0.observer = events.observer() }
        _ = try await storeError { _ = try await store.accounts().collected() }
        try await events.wait { event in
            if case .corruption(let error) = event { error.message.contains("damaged") } else { false }
        }
        #expect(events.all.contains { $0.level == .error })
    }

    @Test("cannot use the store, which is an error at once, though a task that it starts can")
    func reentrancy() async throws {
        let box = Monitor<AccountStore?>(nil)
        let refusals = Monitor<[StoreError.Code]>([])
        var observer = StoreObserver { _ in
            guard let store = box.withLock({ $0 }) else { return }
            do {
                _ = try store.readSync { try $0.count() }
            } catch {
                refusals.withLock { $0.append((error as? StoreError)?.code ?? .database) }
            }
            Task { try await store.account(uid: 1) }
        }
        observer.slowTransaction = .zero
        let store = try await folder.open { $0.observer = observer }
        box.withLock { $0 = store }
        try await store.save(.sample(1))
        #expect(try await happens { refusals.withLock { !$0.isEmpty } })
        box.withLock { $0 = nil }
        try await store.close()
        #expect(Set(refusals.withLock { $0 }) == [.reentrant])
    }

    @Test("that does not return holds nothing up, and what it misses is counted")
    func blocking() async throws {
        // Opening would wait for it to be told of the migration.
        try await folder.open().close()
        let release = DispatchSemaphore(value: 0)
        var observer = StoreObserver { _ in _ = release.wait(timeout: .now() + 300) }
        observer.slowTransaction = .zero
        let store = try await folder.open {
            $0.observer = observer
            $0.durability = .normal
        }
        for uid in 1...1_500 { try await store.save(.sample(Int64(uid))) }
        #expect(try await store.count() == 1_500)
        #expect(store.statistics.lostEvents > 0)
        try await store.close()
        for _ in 0..<2_000 { release.signal() }
    }
}

@Suite("The figures of a store")
struct StoreStatisticsTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("count what was done, and how")
    func counts() async throws {
        let store = try await folder.open()
        let before = store.statistics
        try await store.save((1...1_000).map { .sample($0) })
        try await store.save(.sample(1))
        for _ in 0..<10 { _ = try await store.account(uid: 5) }
        let after = store.statistics
        #expect(after.commits - before.commits == 2)
        #expect(after.writes - before.writes == 2)
        #expect(after.writeWaits.count - before.writeWaits.count == 2)
        #expect(after.writeWaits.total >= after.writeWaits.maximum && after.writeWaits.maximum > .zero)
        #expect(after.statementCache.hits >= 9)
        #expect(after.statementCache.misses >= 1)
        #expect(after.pageCache.hits > before.pageCache.hits)
        #expect(after.logBytes > 0)
        #expect(after.databaseBytes > 0)
        #expect(after.busyReaders == 0 && after.oldestReader == nil)
        #expect(after.waitingWrites == 0 && after.waitingReads == 0 && after.waitingCallers == 0)
        try await store.close()
        #expect(store.statistics.logBytes == 0)
        #expect(store.statistics.commits == after.commits)
    }

    @Test("tell how many saves share a commit")
    func groups() async throws {
        let store = try await folder.open()
        try await withThrowingTaskGroup { group in
            for uid in 0..<200 as Range<Int64> { group.addTask { try await store.save(.sample(uid)) } }
            try await group.waitForAll()
        }
        let statistics = store.statistics
        #expect(statistics.writes == 200)
        #expect(statistics.commits >= 4 && statistics.commits < 200)
    }

    @Test("show a read that goes on, and that it is over")
    func oldestReader() async throws {
        let store = try await folder.open()
        try store.readSync { _ in
            Thread.sleep(forTimeInterval: 0.05)
            let statistics = store.statistics
            #expect(statistics.busyReaders == 1)
            #expect(statistics.oldestReader ?? .zero >= .milliseconds(20))
        }
        #expect(store.statistics.oldestReader == nil)
    }
}
