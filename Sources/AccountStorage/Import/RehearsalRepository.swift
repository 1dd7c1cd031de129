internal import SQLiteBinding
internal import Schema

/// A repository in which an import is rehearsed: it reads from another, and keeps what would be written in a temporary database.
///
/// It says what a save would do, since it does it; reading gives what the other repository has. The database has no name and goes with this
/// repository. What does not fit into its cache is on the disk where temporary files are, so that memory does not grow with the number
/// of accounts.
public final class RehearsalRepository: AccountRepository {
    private let base: (any AccountRepository)?
    private let threads = WorkerThreads(1, name: "rehearsal")
    private let database: Monitor<Database>

    /// Rehearses over a repository, or over an empty one.
    ///
    /// - Throws: ``StoreError`` if there can be no temporary database.
    public init(over base: (any AccountRepository)?) throws {
        self.base = base
        do {
            database = Monitor(try Database())
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Does something with the database, on the thread for it.
    private nonisolated(nonsending) func work<Output: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Output
    ) async throws -> Output {
        let database = database
        let begun = try threads.begin { Result { try database.withLock { try body($0) } } }
        do {
            return try await begun.value.get()
        } catch {
            throw StoreError.translating(error)
        }
    }

    // MARK: Reading

    /// The account of a user as the other repository has it, or nil.
    public nonisolated(nonsending) func account(uid: Int64) async throws -> Account? {
        try await base?.account(uid: uid)
    }

    /// The accounts of several users as the other repository has them.
    public nonisolated(nonsending) func accounts(uids: [Int64]) async throws -> [Account] {
        try await base?.accounts(uids: uids) ?? []
    }

    /// The accounts of the other repository that a query asks for.
    public func accounts(_ query: AccountQuery) -> AccountSequence {
        base?.accounts(query) ?? AccountSequence { { _ in [] } }
    }

    /// The uids of the accounts of the other repository, a part at a time.
    public nonisolated(nonsending) func uids(after uid: Int64?, limit: Int) async throws -> [Int64] {
        try await base?.uids(after: uid, limit: limit) ?? []
    }

    /// How many accounts the other repository has.
    public nonisolated(nonsending) func count() async throws -> Int { try await base?.count() ?? 0 }

    /// The account of a user as the other repository has it, with its form.
    public nonisolated(nonsending) func storedArchive(uid: Int64) async throws -> StoredArchive? {
        try await base?.storedArchive(uid: uid)
    }

    /// What files were when they were imported, also in this rehearsal.
    public nonisolated(nonsending) func importedFiles(at paths: [[UInt8]]) async throws -> [FileIdentity?] {
        let rehearsed = try await work { try ImportLedger($0.connection).files(at: paths) }
        guard let known = try await base?.importedFiles(at: paths) else { return rehearsed }
        return zip(rehearsed, known).map { $0 ?? $1 }
    }

    // MARK: What would be written

    /// Says what saving an account would do.
    public nonisolated(nonsending) func save(_ account: Account, onConflict rule: ConflictRule) async throws
        -> SaveOutcome
    {
        try await save([account], rule).first ?? .unchanged
    }

    /// Says what saving accounts would do.
    public nonisolated(nonsending) func save(_ accounts: [Account], onConflict rule: ConflictRule) async throws
        -> SaveCounts
    {
        var counts = SaveCounts()
        for outcome in try await save(accounts, rule) { counts.add(outcome) }
        return counts
    }

    private nonisolated(nonsending) func save(_ accounts: [Account], _ rule: ConflictRule) async throws -> [SaveOutcome]
    {
        try await look(at: accounts.map(\.uid))
        return try await work { database in
            try database.connection.transaction {
                try AccountWriter(connection: database.connection).save(accounts, onConflict: rule).outcomes
            }
        }
    }

    /// Says whether there would be an account of a user to remove.
    public nonisolated(nonsending) func remove(uid: Int64) async throws -> Bool {
        try await look(at: [uid])
        return try await work { try $0.connection.run(AccountRows.delete, [.integer(uid)]) > 0 }
    }

    /// Says what saving the accounts of archives would do.
    public nonisolated(nonsending) func save(_ files: [ImportedFile], onConflict rule: ConflictRule) async throws
        -> [ImportedFileOutcome]
    {
        try await look(at: files.flatMap { $0.accounts.map(\.account.uid) })
        return try await work { database in
            try database.connection.transaction {
                var writer = ImportedFileWriter(database.connection, forms: FormCache())
                return try writer.save(files, onConflict: rule)
            }
        }
    }

    /// Ends the rehearsal.
    public nonisolated(nonsending) func close() async throws {
        await threads.finish()
        database.withLock { $0.connection.close() }
    }

    // MARK: What is there

    /// Fetches what the other repository has of users whom the rehearsal has not met yet.
    private nonisolated(nonsending) func look(at uids: [Int64]) async throws {
        guard let base else { return }
        let unknown = try await work { try $0.unknown(among: uids) }
        for start in stride(from: 0, to: unknown.count, by: Self.mostFetched) {
            let part = Array(unknown[start..<min(start + Self.mostFetched, unknown.count)])
            let accounts = try await Self.accounts(of: part, in: base)
            try await work { try $0.add(accounts, of: part) }
        }
    }

    private static let mostFetched = 4_096

    private static nonisolated(nonsending) func accounts(of uids: [Int64], in base: any AccountRepository) async throws
        -> [Account]
    {
        do {
            return try await base.accounts(uids: uids)
        } catch let error as StoreError where error.code == .badRow {
            // What cannot be read differs from every account, and is older; it keeps none of the others from being looked at.
            guard uids.count > 1 else {
                return [Account(uid: uids[0], accessToken: nil, expiresIn: .min, remindIn: .min)]
            }
            let middle = uids.count / 2
            let first = try await accounts(of: Array(uids[..<middle]), in: base)
            return try await first + accounts(of: Array(uids[middle...]), in: base)
        }
    }
}

/// The temporary database of a rehearsal: a store's tables, and the users who were looked at.
private struct Database {
    let connection: Connection

    init() throws {
        connection = try Connection.temporary()
        _ = try StoreFile.runner.apply(to: connection)
        try connection.execute("CREATE TEMP TABLE known (uid INTEGER PRIMARY KEY)")
    }

    /// Those of some users who were not looked at yet, in ascending order, each once.
    func unknown(among uids: [Int64]) throws -> [Int64] {
        try connection.withStatement("SELECT 1 FROM known WHERE uid = ?1") { statement in
            try Set(uids).sorted().filter { uid in
                try statement.bind(uid, at: 1)
                defer { statement.reset() }
                return try !statement.step()
            }
        }
    }

    /// Adds what the other repository has of some users, unless another call has done so and saved something meanwhile.
    func add(_ accounts: [Account], of uids: [Int64]) throws {
        try connection.transaction {
            let new = Set(try unknown(among: uids))
            _ = try AccountWriter(connection: connection).save(
                accounts.filter { new.contains($0.uid) },
                onConflict: .keep
            )
            for uid in new { try connection.run("INSERT INTO known (uid) VALUES (?1)", [.integer(uid)]) }
        }
    }
}
