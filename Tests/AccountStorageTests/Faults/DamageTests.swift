import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

@Suite("A store whose file is damaged")
struct DamageTests {
    /// Pages by what is kept in them.
    enum Page: UInt8, CaseIterable, Sendable {
        case interiorOfIndex = 2
        case interiorOfTable = 5
        case leafOfIndex = 10
        case leafOfTable = 13
    }

    private static let pageSize = 4_096
    private static let accounts = (1...6_000 as ClosedRange<Int64>).map { number in
        Account.sample(number, token: "2.00token\(number)", obtainedAt: number)
    }

    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// The bytes of a store with the accounts.
    private static let bytes = Task {
        let folder = try StoreFolder()
        let store = try await folder.open()
        try await store.save(accounts)
        try await store.close()
        return try [UInt8](folder.bytes())
    }

    @Test("is found to be, and gives no wrong account", arguments: Page.allCases, [UInt8(0), 0xAA])
    func page(kind: Page, filling: UInt8) async throws {
        var bytes = try await Self.bytes.value
        let starts = stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize).filter {
            bytes[$0] == kind.rawValue
        }
        let start = try #require(starts.dropFirst(starts.count / 2).first, "there is such a page")
        bytes.replaceSubrange(start..<(start + Self.pageSize), with: [UInt8](repeating: filling, count: Self.pageSize))
        try folder.directory.write(bytes, to: "accounts.sqlite")
        let store = try await folder.open()
        let problems = try await store.check().problems
        #expect(problems.contains { $0.kind == .integrity })
        var isRead = true
        do {
            let found = try await store.accounts().collected()
            #expect(found == Self.accounts)
        } catch {
            isRead = false
            expectDamage(error)
        }
        #expect(isRead == [.interiorOfIndex, .leafOfIndex].contains(kind))
        await expectErrorOrNothing { _ = try await store.accounts(AccountQuery(expiringBefore: .now)).collected() }
        await expectErrorOrNothing { try await store.save(Self.accounts.map { .sample($0.uid, obtainedAt: 9) }) }
        let target = folder.directory.path(of: "copy.sqlite")
        let refusal = try await storeError { try await store.backup(to: target) }
        #expect(refusal.code == .damaged)
        #expect(refusal.message.contains("damaged"))
        try await store.close()
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }

    @Test("in its first page is refused, and left as it is", arguments: [0, 16, 18, 100, 103])
    func firstPage(offset: Int) async throws {
        var bytes = try await Self.bytes.value
        // The magic text, the size of a page, the versions of the format; the kind of the page, how many cells it has.
        bytes.replaceSubrange(offset..<(offset + 2), with: [0xEE, 0xEE])
        try folder.directory.write(bytes, to: "accounts.sqlite")
        let error = try await storeError { _ = try await folder.open() }
        #expect([.damaged, .notAStore, .unreadable].contains(error.code), "\(error)")
        #expect(error.message.contains(folder.path))
        #expect(try [UInt8](folder.bytes()) == bytes)
        #expect(try folder.directory.names() == ["accounts.sqlite"])
    }

    @Test(
        "because it was cut off is told, wherever that is",
        arguments: [2, 99, 100, 512, 4_096, 5_000, 40_960, 300_000]
    )
    func cutOff(size: Int) async throws {
        let bytes = Array(try await Self.bytes.value[..<size])
        try folder.directory.write(bytes, to: "accounts.sqlite")
        do {
            let store = try await folder.open()
            await expectErrorOrNothing {
                let found = try await store.accounts().collected()
                #expect(found == Self.accounts)
            }
            let problems = try await store.check().problems
            #expect(problems.contains { $0.kind == .integrity })
            try await store.close()
        } catch {
            #expect([.damaged, .notAStore].contains((error as? StoreError)?.code), "\(error)")
            #expect("\(error)".contains(folder.path))
        }
        #expect(try [UInt8](folder.bytes()) == bytes)
    }

    private func expectErrorOrNothing(_ body: () async throws -> Void) async {
        do { try await body() } catch { expectDamage(error) }
    }

    private func expectDamage(_ error: any Error) {
        guard let error = error as? StoreError else {
            Issue.record("not a StoreError: \(error)")
            return
        }
        #expect(error.code == .damaged, "\(error)")
        #expect(error.message.contains(folder.path) && error.message.contains("restore a backup"), "\(error)")
        #expect(!error.message.contains("2.00"), "\(error)")
    }
}
