internal import SQLiteBinding

extension AccountStore {
    /// More accounts than this are no short read any more.
    private static let shortRead = 64

    /// The account of a user, or nil.
    public nonisolated(nonsending) func account(uid: Int64) async throws -> Account? {
        try Task.checkCancellation()
        do {
            if let reader = try pool.takeFreeReader() {
                let account: Account?
                do {
                    defer { pool.giveBack(reader) }
                    account = try AccountRows.account(uid: uid, try reader.use())
                }
                if pool.courtesy.isOwed { await Task.yield() }
                return account
            }
        } catch {
            throw StoreError.translating(error, path: path)
        }
        return try await read(on: .callerIfFree, inTransaction: false) { connection in
            try AccountRows.account(uid: uid, connection)
        }
    }

    /// The accounts of several users, in the order of the ids; a user who has none is left out.
    public nonisolated(nonsending) func accounts(uids: [Int64]) async throws -> [Account] {
        try await read(on: uids.count <= Self.shortRead ? .callerIfFree : .poolThread) { connection in
            try AccountSnapshot.with(connection) { try $0.accounts(uids: uids) }
        }
    }

    /// How many accounts there are. It counts them, which takes time for millions.
    public nonisolated(nonsending) func count() async throws -> Int {
        try await read(on: .poolThread, inTransaction: false) { connection in try AccountRows.count(connection) }
    }

    /// What files were when they were imported; nil for each that never was.
    public nonisolated(nonsending) func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?] {
        if paths.isEmpty { return [] }
        return try await read(on: .callerIfFree) { connection in try ImportLedger(connection).files(at: paths) }
    }
}
