import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A fault of the files while a store begins, ends or is copied")
struct LifecycleFaultTests {
    private static let before = Dictionary(uniqueKeysWithValues: FaultedOperation.before.map { ($0.uid, $0) })

    @Test("leaves a store that is opened as it was", arguments: FaultPlan.all)
    func opening(plan: FaultPlan) async throws {
        let bytes = try await FaultyStore.bytes()
        let files = try FaultyFiles()
        try await plan.forEachCall { nth in
            let faulty = try FaultyStore(files: files, bytes: bytes)
            let counts = await open(faulty, plan, nth)
            #expect(try [UInt8](faulty.folder.bytes()) == bytes, "call \(nth)")
            try await expectUsable(faulty, with: Self.before)
            return counts
        }
    }

    @Test("keeps a new store from nothing but this one beginning", arguments: FaultPlan.all)
    func creating(plan: FaultPlan) async throws {
        let files = try FaultyFiles()
        try await plan.forEachCall { nth in
            let faulty = try FaultyStore(files: files)
            let counts = await open(faulty, plan, nth)
            try await expectUsable(faulty, with: [:])
            return counts
        }
    }

    @Test("does no harm to a store that is closed, nor to one that goes without being closed", arguments: FaultPlan.all)
    func closing(plan: FaultPlan) async throws {
        let bytes = try await FaultyStore.bytes()
        let files = try FaultyFiles()
        try await plan.forEachCall { nth in
            let faulty = try FaultyStore(files: files, bytes: bytes)
            let store = try await faulty.open()
            try await store.save(.sample(1_000))
            files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
            try await store.close()
            let calls = files.calls
            let failures = files.disarm()
            var expected = Self.before
            expected[1_000] = .sample(1_000)
            try await expectUsable(faulty, with: expected)
            return (failures, calls)
        }
    }

    @Test("leaves the older copy in its place, and nothing beside it", arguments: FaultPlan.all)
    func backup(plan: FaultPlan) async throws {
        let bytes = try await FaultyStore.bytes()
        let older = try StoreFolder()
        let olderStore = try await older.open()
        try await olderStore.save(.sample(1, token: "older"))
        try await olderStore.close()
        let olderBytes = try [UInt8](older.bytes())
        let files = try FaultyFiles()
        try await plan.forEachCall { nth in
            let faulty = try FaultyStore(files: files, bytes: bytes)
            let target = try faulty.folder.directory.write(olderBytes, to: "copy.sqlite")
            let store = try await faulty.open()
            files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
            var isCopied = true
            do {
                try await store.backup(to: target)
            } catch {
                isCopied = false
                // Of the store itself, whose connection for it could not be opened, that is worth saying.
                #expect(!"\(error)".contains("max_page_count") || "\(error)".contains("in \(faulty.folder.path):"))
                expect(error, isOf: plan, in: faulty.folder.directory.path)
            }
            let calls = files.calls
            let failures = files.disarm()
            #expect(isCopied || failures > 0)
            let copy = try await AccountStore(path: target)
            #expect(try await copy.contents() == (isCopied ? Self.before : [1: .sample(1, token: "older")]))
            try await copy.close()
            try await store.backup(to: target)
            try await store.close()
            #expect(try faulty.folder.directory.names() == ["accounts.sqlite", "copy.sqlite"])
            return (failures, calls)
        }
    }

    /// Opens a store while a fault hits it.
    private func open(
        _ faulty: FaultyStore,
        _ plan: FaultPlan,
        _ nth: Int
    ) async -> (failures: Int, calls: Int) {
        faulty.files.arm(plan.calls, plan.cause, nth: nth, stays: plan.stays)
        defer { faulty.files.disarm() }
        do {
            let store = try await faulty.open()
            let counts = (faulty.files.disarm(), faulty.files.calls)
            try await store.close()
            return counts
        } catch {
            expect(error, isOf: plan, in: faulty.folder.path)
            return (faulty.files.disarm(), faulty.files.calls)
        }
    }

    /// Opens the store as if nothing had been, and uses it.
    private func expectUsable(_ faulty: FaultyStore, with contents: FaultedOperation.Contents) async throws {
        let store = try await faulty.open()
        #expect(try await store.contents() == contents)
        try await store.save(.sample(-5))
        try await store.close()
        var expected = contents
        expected[-5] = .sample(-5)
        #expect(try await faulty.contents() == expected)
        #expect(try faulty.folder.directory.names() == ["accounts.sqlite"])
    }
}
