internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

/// The accounts of a store as they are at one moment, for as long as a closure runs.
///
/// Many reads in one snapshot take half the time of as many reads of a store, and see nothing of what is saved meanwhile. It ends
/// with its closure, and refuses to read afterwards.
///
/// ```swift
/// let tokens = try await store.read { snapshot in
///     try uids.map { try snapshot.account(uid: $0)?.accessToken }
/// }
/// ```
public final class AccountSnapshot {
    private let connection: Connection
    /// Finds one account; nil once the snapshot has ended.
    private var selectOne: Statement?

    private init(_ connection: Connection, _ selectOne: Statement) {
        self.connection = connection
        self.selectOne = selectOne
    }

    /// Lends a snapshot to a closure, inside of a transaction.
    static func with<Output>(
        _ connection: Connection,
        _ body: (AccountSnapshot) throws -> Output
    ) throws -> Output {
        try connection.withStatement(AccountRows.selectOne) { statement in
            let snapshot = AccountSnapshot(connection, statement)
            defer { snapshot.selectOne = nil }
            return try body(snapshot)
        }
    }

    /// The account of a user, or nil.
    ///
    /// - Throws: ``StoreError``.
    public func account(uid: Int64) throws -> Account? {
        try reading { try AccountRows.account(uid: uid, $0) }
    }

    /// The accounts of several users, in the order of the ids; a user who has none is left out.
    ///
    /// - Throws: ``StoreError``.
    public func accounts(uids: some Sequence<Int64>) throws -> [Account] {
        try reading { statement in
            var accounts: [Account] = []
            accounts.reserveCapacity(uids.underestimatedCount)
            for uid in uids {
                try connection.requireWanted()
                if let account = try AccountRows.account(uid: uid, statement) { accounts.append(account) }
            }
            return accounts
        }
    }

    /// All accounts in ascending order of their uids. They are all in memory then; ``forEach(_:)`` has one at a time.
    ///
    /// - Throws: ``StoreError``, with the code `badRow` for a row that no account can be read from.
    public func accounts() throws -> [Account] {
        try reading { _ in try AccountRows.accounts(connection) }
    }

    /// Calls a closure with each account, in ascending order of the uids.
    ///
    /// - Throws: ``StoreError``, with the code `badRow` for a row that no account can be read from; what the closure throws.
    public func forEach(_ body: (Account) throws -> Void) throws {
        try reading { _ in try AccountRows.forEach(connection, body) }
    }

    /// How many accounts there are. It counts them, which takes time for millions.
    ///
    /// - Throws: ``StoreError``.
    public func count() throws -> Int {
        try reading { _ in try AccountRows.count(connection) }
    }

    /// Reads with the statement that finds one account, unless the snapshot has ended.
    @inline(__always)
    private func reading<Result>(_ body: (Statement) throws -> Result) throws -> Result {
        guard let selectOne else {
            throw StoreError(
                .closed,
                "the snapshot ended with the closure that it was given to; read again to have another"
            )
        }
        do {
            try connection.requireWanted()
            return try body(selectOne)
        } catch {
            throw StoreError.translating(error, path: connection.path)
        }
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
    public nonisolated(nonsending) func read<Output: Sendable>(
        _ body: @escaping @Sendable (AccountSnapshot) throws -> Output
    ) async throws -> Output {
        try await read(on: .poolThread) { connection in try AccountSnapshot.with(connection, body) }
    }

    /// Reads a snapshot on the calling thread, which may wait for a reader; for callers that own their thread, never for a task.
    ///
    /// - Parameter body: what to read. It must not use the store itself, which would wait for itself and is refused.
    /// - Throws: ``StoreError``, and what the closure throws.
    public func readSync<Output>(_ body: (AccountSnapshot) throws -> Output) throws -> Output {
        do {
            return try pool.readSync { connection in try AccountSnapshot.with(connection, body) }
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }
}
