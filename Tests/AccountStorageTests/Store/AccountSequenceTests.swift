import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Pages of accounts that are fetched ahead")
struct AccountSequenceTests {
    /// A repository's pages, and what was fetched of them.
    private final class Pages: Sendable {
        private struct State {
            var fetched: [Int64?] = []
            var cancelled = 0
        }

        /// The uids are 1 to this.
        private let last: Int64
        private let size: Int
        /// The page after this uid comes only when its task is cancelled.
        private let stuckAfter: Int64?
        private let failsAfter: Int64?
        private let state = Mutex(State())

        init(last: Int64, size: Int, stuckAfter: Int64? = nil, failsAfter: Int64? = nil) {
            self.last = last
            self.size = size
            self.stuckAfter = stuckAfter
            self.failsAfter = failsAfter
        }

        /// What the pages that were fetched come after.
        var fetched: [Int64?] { state.withLock(\.fetched) }
        var cancelled: Int { state.withLock(\.cancelled) }

        func sequence(limit: Int? = nil) -> AccountSequence {
            AccountSequence(limit: limit) { { after in try await self.page(after: after) } }
        }

        private func page(after uid: Int64?) async throws -> [Account] {
            state.withLock { $0.fetched.append(uid) }
            if let uid, uid == failsAfter { throw StoreError(.badRow, "the page after \(uid)") }
            if let uid, uid == stuckAfter {
                do {
                    while true { try await Task.sleep(for: .seconds(1)) }
                } catch {
                    state.withLock { $0.cancelled += 1 }
                    throw error
                }
            }
            let first = (uid ?? 0) + 1
            return first > last ? [] : (first...min(last, first + Int64(size) - 1)).map { .sample($0) }
        }
    }

    @Test("a page is fetched ahead after a large one, and not after a small one")
    func ahead() async throws {
        for (size, isAhead) in [(1_023, false), (1_024, true)] {
            let pages = Pages(last: 5_000, size: size)
            var iterator = pages.sequence().makeAsyncIterator()
            #expect(try await iterator.next()?.uid == 1)
            if isAhead {
                #expect(try await happens { pages.fetched == [nil, Int64(size)] })
            } else {
                try await Task.sleep(for: .milliseconds(20))
                #expect(pages.fetched == [nil])
            }
            var uids: [Int64] = [1]
            while let account = try await iterator.next() { uids.append(account.uid) }
            #expect(uids == Array(1...5_000))
            #expect(try await iterator.next() == nil)
            #expect(Set(pages.fetched).count == pages.fetched.count)
        }
    }

    @Test("what a limit leaves out is not fetched")
    func limit() async throws {
        let pages = Pages(last: 9_000, size: 2_000)
        #expect(try await pages.sequence(limit: 4_000).collected().map(\.uid) == Array(1...4_000))
        #expect(pages.fetched == [nil, 2_000])
    }

    @Test("an error comes after the accounts before it, and the iterator can try again")
    func failure() async throws {
        let pages = Pages(last: 9_000, size: 2_000, failsAfter: 4_000)
        var iterator = pages.sequence().makeAsyncIterator()
        for uid in 1...4_000 as ClosedRange<Int64> { #expect(try await iterator.next()?.uid == uid) }
        for _ in 1...2 {
            let error = try await storeError { _ = try await iterator.next() }
            #expect(error.code == .badRow)
        }
        #expect(pages.fetched == [nil, 2_000, 4_000, 4_000])
    }

    @Test("whoever goes away takes the page with it that is being fetched")
    func abandoned() async throws {
        let pages = Pages(last: 9_000, size: 2_000, stuckAfter: 2_000)
        for try await account in pages.sequence() where account.uid == 5 { break }
        #expect(try await happens { pages.fetched.count == 1 || pages.cancelled == 1 })
    }

    @Test("whoever waits for a page can be cancelled")
    func cancelled() async throws {
        let pages = Pages(last: 9_000, size: 2_000, stuckAfter: 2_000)
        let task = Task { try await pages.sequence().collected() }
        #expect(try await happens { pages.fetched.count == 2 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(pages.cancelled == 1)
    }

    @Test("a store is gone through while it changes, and closes while a page is fetched ahead")
    func store() async throws {
        let folder = try StoreFolder()
        let store = try await folder.open()
        try await store.save((1...20_000).map { .sample($0 * 2) })
        var uids: [Int64] = []
        for try await account in store.accounts() {
            if account.uid % 2_000 == 0 { try await store.save(.sample(account.uid + 1)) }
            if account.uid % 3_000 == 0 { try await store.remove(uid: account.uid - 2) }
            uids.append(account.uid)
        }
        #expect(zip(uids, uids.dropFirst()).allSatisfy(<))
        #expect(Set(uids).isSuperset(of: (1...20_000).map { $0 * 2 }))
        var iterator = store.accounts().makeAsyncIterator()
        for _ in 1...6_000 { #expect(try await iterator.next() != nil) }
        try await store.close()
        let error = try await storeError { while try await iterator.next() != nil {} }
        #expect(error.code == .closed)
    }
}
