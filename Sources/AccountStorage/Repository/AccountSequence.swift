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
    public typealias Page = @Sendable (_ after: Int64?) async throws -> [Account]

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
        private let page: Page
        private var remaining: Int
        private var fetched: ArraySlice<Account> = []
        private var last: Int64?
        private var isAtEnd = false

        fileprivate init(page: @escaping Page, remaining: Int) {
            self.page = page
            self.remaining = remaining
        }

        /// The next account, or nil after the last.
        public mutating func next() async throws -> Account? {
            if fetched.isEmpty, !isAtEnd, remaining > 0 {
                try Task.checkCancellation()
                fetched = try await page(last)[...]
                isAtEnd = fetched.isEmpty
            }
            guard remaining > 0, let account = fetched.popFirst() else { return nil }
            remaining -= 1
            last = account.uid
            return account
        }
    }
}
