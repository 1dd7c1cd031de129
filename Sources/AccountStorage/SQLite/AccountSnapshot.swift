internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

/// The accounts of a store as they are at one moment, for as long as a closure runs.
///
/// Many reads in one snapshot take half the time of as many reads of a store, and see nothing of what is saved meanwhile.
///
/// ```swift
/// let tokens = try await store.read { snapshot in
///     try uids.map { try snapshot.account(uid: $0)?.accessToken }
/// }
/// ```
public struct AccountSnapshot {
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// The account of a user, or nil.
    ///
    /// - Throws: ``StoreError``.
    public func account(uid: Int64) throws -> Account? {
        try translating {
            try connection.withStatement(AccountRows.selectOne) { statement in
                try statement.bind(uid, at: 1)
                return try statement.step() ? try AccountRows.decoder.decode(statement) : nil
            }
        }
    }

    /// The accounts of several users, in the order of the ids; a user who has none is left out.
    ///
    /// - Throws: ``StoreError``.
    public func accounts(uids: some Sequence<Int64>) throws -> [Account] {
        try translating {
            try connection.withStatement(AccountRows.selectOne) { statement in
                var accounts: [Account] = []
                accounts.reserveCapacity(uids.underestimatedCount)
                for uid in uids {
                    try statement.bind(uid, at: 1)
                    if try statement.step() { accounts.append(try AccountRows.decoder.decode(statement)) }
                    statement.reset()
                }
                return accounts
            }
        }
    }

    /// All accounts in ascending order of their uids. They are all in memory then; ``forEach(_:)`` has one at a time.
    ///
    /// - Throws: ``StoreError``, with the code `badRow` for a row that no account can be read from.
    public func accounts() throws -> [Account] {
        var accounts: [Account] = []
        accounts.reserveCapacity(try count())
        try forEach { accounts.append($0) }
        return accounts
    }

    /// Calls a closure with each account, in ascending order of the uids.
    ///
    /// - Throws: ``StoreError``, with the code `badRow` for a row that no account can be read from; what the closure throws.
    public func forEach(_ body: (Account) throws -> Void) throws {
        try translating {
            try connection.withStatement(AccountRows.selectAll) { statement in
                while try statement.step() { try body(try AccountRows.decoder.decode(statement)) }
            }
        }
    }

    /// How many accounts there are. It counts them, which takes time for millions.
    ///
    /// - Throws: ``StoreError``.
    public func count() throws -> Int {
        try translating {
            try connection.withStatement("SELECT count(*) FROM accounts") { statement in
                try statement.step() ? Int(clamping: statement.int64(at: 0)) : 0
            }
        }
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw StoreError.translating(error) }
    }
}

@available(*, unavailable)
extension AccountSnapshot: Sendable {}

extension AccountStore {
    /// Reads a snapshot on a thread of the store's own.
    ///
    /// - Parameter body: what to read. It must not use the store itself, which would wait for itself and is refused.
    /// - Throws: ``StoreError``, what the closure throws, and `CancellationError`; a statement that runs is interrupted when the
    ///   task is cancelled.
    public func read<Output: Sendable>(
        _ body: @escaping @Sendable (AccountSnapshot) throws -> Output
    ) async throws -> Output {
        try await read(on: .poolThread) { connection in try body(AccountSnapshot(connection)) }
    }

    /// Reads a snapshot on the calling thread, which may wait for a reader; for callers that own their thread, never for a task.
    ///
    /// - Parameter body: what to read. It must not use the store itself, which would wait for itself and is refused.
    /// - Throws: ``StoreError``, and what the closure throws.
    public func readSync<Output>(_ body: (AccountSnapshot) throws -> Output) throws -> Output {
        do {
            return try pool.readSync { connection in try body(AccountSnapshot(connection)) }
        } catch {
            throw StoreError.translating(error)
        }
    }
}
