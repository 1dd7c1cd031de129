internal import SQLiteBinding

/// Accounts in a SQLite file.
///
/// ```swift
/// let store = try await AccountStore(path: "accounts.sqlite")
/// try await store.save(Account(uid: 1404376560, accessToken: "2.00…", expiresIn: 157679999))
/// for try await account in store.accounts() { print(account.uid) }
/// ```
///
/// A store can be used from any number of tasks, and its file by any number of processes, at the same time. Reading does not wait
/// for writing. A save that has returned is on disk, and one that throws has changed nothing. What a store throws is a
/// ``StoreError``, or `CancellationError` if the task was cancelled before its work had begun.
///
/// A new file can be read and written by its owner alone. The files `-wal` and `-shm` beside it belong to it while it is in use.
public final class AccountStore: AccountRepository {
    /// The path of the file.
    public let path: String
    let pool: ConnectionPool
    let forms = FormCache()

    /// Opens a store.
    ///
    /// By default a missing file is created, and a file of an older version of this library brought up to date.
    ///
    /// - Parameters:
    ///   - path: the file; no special names.
    ///   - options: how to open it.
    /// - Throws: ``StoreError``; the file is as it was then.
    public nonisolated(nonsending) init(path: String, options: AccountStoreOptions = .init()) async throws {
        self.path = path
        do {
            pool = try await BlockingCall.run { try StoreFile.open(path: path, options: options) }
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }

    /// Waits for what runs, and refuses what comes after.
    public nonisolated(nonsending) func close() async throws {
        do {
            try await pool.close()
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }
}

extension AccountStore {
    /// Runs a closure with a connection that reads.
    nonisolated(nonsending) func read<Output: Sendable>(
        on placement: ReadPlacement,
        inTransaction: Bool = true,
        isLimited: Bool = true,
        _ body: @escaping @Sendable (Connection) throws -> Output
    ) async throws -> Output {
        do {
            return try await pool.read(on: placement, inTransaction: inTransaction, isLimited: isLimited, body)
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }

    /// Runs a closure with the connection that writes, in a transaction that others may share which save at the same time.
    nonisolated(nonsending) func write<Output: Sendable>(
        sharing: TransactionSharing,
        _ body: @escaping @Sendable (Connection) throws -> Output
    ) async throws -> Output {
        do {
            return try await pool.writeSharing(sharing, body)
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }

    /// Runs a closure with the connection that writes, as one transaction.
    nonisolated(nonsending) func write<Output: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Output
    ) async throws -> Output {
        do {
            return try await pool.write(body)
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }
}
