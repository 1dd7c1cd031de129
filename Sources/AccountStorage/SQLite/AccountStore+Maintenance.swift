internal import SQLiteBinding
internal import Schema

extension AccountStore {
    /// Examines all of the file: its pages, its schema, and each row. It reads, and mends nothing.
    ///
    /// It sees the store as it is at one moment, while others go on using it.
    public nonisolated(nonsending) func check() async throws -> CheckReport {
        try await read(on: .poolThread, inTransaction: false, isLimited: false) { connection in
            try StoreCheck.run(connection)
        }
    }

    /// Writes a copy of the store, as it is at one moment, while others go on using it.
    ///
    /// The copy is examined before it takes the place of a file that is there already, which has to be a store that nobody uses, or a
    /// database with nothing in it. It ends early when the task is cancelled; the older file is as it was then.
    ///
    /// - Parameter target: the path of the copy.
    public nonisolated(nonsending) func backup(to target: String) async throws {
        do {
            try await pool.backup(to: target) { try StoreFile.requireReplaceable($0) }
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }

    /// The steps of the schema that the store's file has, and those that it lacks.
    public nonisolated(nonsending) func schemaPlan() async throws -> SchemaPlan {
        try await read(on: .poolThread, inTransaction: false) { connection in
            SchemaPlan(try StoreFile.runner.plan(connection))
        }
    }

    /// The steps of the schema that a file has, and those that it lacks: all of them if it does not exist. It writes nothing.
    ///
    /// - Throws: ``StoreError`` if the file is not one that the steps could be applied to.
    public static nonisolated(nonsending) func plan(path: String) async throws -> SchemaPlan {
        do {
            return try await BlockingCall.run { SchemaPlan(try StoreFile.runner.plan(path: path)) }
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }

    /// Applies the steps of the schema that a file lacks, as opening a store does.
    ///
    /// - Returns: the steps that this call has applied.
    public static nonisolated(nonsending) func migrate(
        path: String,
        options: AccountStoreOptions = .init()
    ) async throws -> [SchemaPlan.Step] {
        do {
            return try await BlockingCall.run {
                try StoreFile.migrate(path: path, options: options).map(SchemaPlan.Step.init)
            }
        } catch {
            throw StoreError.translating(error, path: path)
        }
    }
}
