/// Accounts one after the other, fetched in pages as they are consumed.
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
            page = try await fetch(last)
            isAtEnd = page.isEmpty
            return !isAtEnd
        }
    }
}
