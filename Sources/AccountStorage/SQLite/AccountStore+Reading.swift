internal import KeyValueCoding
internal import KeyedArchive
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

    /// The account of a user with the form of the archive that it came in, to be exported.
    public nonisolated(nonsending) func storedArchive(uid: Int64) async throws -> StoredArchive? {
        let forms = forms
        return try await read(on: .callerIfFree, inTransaction: false) { connection in
            try connection.withStatement(AccountRows.selectArchive) { statement in
                try statement.bind(uid, at: 1)
                return try statement.step() ? try Self.storedArchive(statement, uid: uid, forms: forms) : nil
            }
        }
    }

    private static func storedArchive(
        _ statement: Statement,
        uid: Int64,
        forms: FormCache
    ) throws -> StoredArchive {
        let account = try AccountRows.decoder.decode(statement.row)
        let column = AccountRows.readColumnCount
        if statement.isNull(at: column) { return StoredArchive(account: account) }
        guard let content = statement.text(at: column + 1) else {
            throw RowError(table: "accounts", key: uid, column: "form_id", reason: "there is no such form")
        }
        guard let form = forms.form(content: content) else {
            let reason = "the form \(statement.int64(at: column)) is none that this version can read"
            throw RowError(table: "accounts", key: uid, column: "form_id", reason: reason)
        }
        guard let details = FormRows.details(json: statement.text(at: column + 2)) else {
            throw RowError(table: "accounts", key: uid, column: "form_details", reason: "it is not what forms need")
        }
        return StoredArchive(account: account, form: form, details: details)
    }

    /// What files were when they were imported; nil for each that never was.
    public nonisolated(nonsending) func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?] {
        if paths.isEmpty { return [] }
        return try await read(on: .callerIfFree) { connection in try ImportLedger(connection).files(at: paths) }
    }
}
