/// Accounts one after the other, fetched in pages as they are consumed: once that is known to take many of them, the next page while one
/// is gone through.
///
/// It can be gone through several times; each time it asks anew. A page is a consistent view of the repository; an
/// account that is saved or removed meanwhile may or may not be seen.
public struct AccountSequence: AsyncSequence, Sendable {
    /// The accounts.
    public typealias Element = Account
    /// What fetching may throw.
    public typealias Failure = any Error

    /// Fetches the accounts after a uid, nil for the first ones; an empty page is the end.
    public typealias Page = nonisolated(nonsending) @Sendable (_ after: Int64?) async throws -> [Account]

    private let makePages: @Sendable () -> Page
    private let limit: Int?

    /// Makes a sequence from pages in ascending order of uids.
    ///
    /// - Parameters:
    ///   - limit: the most accounts that are given.
    ///   - makePages: called once for each time that the sequence is gone through.
    public init(limit: Int? = nil, makePages: @escaping @Sendable () -> Page) {
        self.limit = limit
        self.makePages = makePages
    }

    /// Starts at the first account.
    public func makeAsyncIterator() -> Iterator {
        Iterator(page: makePages(), remaining: limit ?? .max)
    }

    /// The place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        private let fetch: Page
        private var remaining: Int
        private var page: [Account] = []
        /// How many of the page's accounts were given.
        private var given = 0
        /// The uid that the next page comes after.
        private var last: Int64?
        private var isAtEnd = false
        /// The page after this one, if it is being fetched already.
        private var ahead: PageAhead?

        fileprivate init(page: @escaping Page, remaining: Int) {
            fetch = page
            self.remaining = remaining
        }

        /// The next account, or nil after the last.
        public mutating func next() async throws -> Account? {
            try await next(isolation: nil)
        }

        /// The next account, or nil after the last. The caller's actor is left only to fetch a page.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Account? {
            guard remaining > 0 else { return nil }
            if given == page.count, !(try await fetchPage(isolation: actor)) { return nil }
            remaining -= 1
            given += 1
            return page[given - 1]
        }

        /// Fetches the accounts after those of the page; false at the end.
        private mutating func fetchPage(isolation actor: isolated (any Actor)?) async throws -> Bool {
            if isAtEnd { return false }
            try Task.checkCancellation()
            if let account = page.last { last = account.uid }
            // The page goes before the next one comes.
            page = []
            given = 0
            if let ahead {
                self.ahead = nil
                page = try await ahead.accounts()
            } else {
                page = try await fetch(last)
            }
            isAtEnd = page.isEmpty
            if let account = page.last, PageAhead.isWorthwhile(after: page.count), remaining > page.count {
                self.ahead = PageAhead(after: account.uid, fetch)
            }
            return !isAtEnd
        }
    }
}

/// A page that is fetched before it is asked for.
private final class PageAhead: Sendable {
    /// How many accounts a page has before the next is fetched ahead. Whoever wants few does not want that one.
    private static let leastAccounts = 1_024

    private let task: Task<[Account], any Error>

    static func isWorthwhile(after count: Int) -> Bool { count >= leastAccounts }

    init(after uid: Int64, _ fetch: @escaping AccountSequence.Page) {
        task = Task { try await fetch(uid) }
    }

    deinit {
        // Nobody asks for it any more.
        task.cancel()
    }

    nonisolated(nonsending) func accounts() async throws -> [Account] {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
