internal import KeyedArchive
internal import SQLiteBinding

extension AccountStore {
    /// Saves an account. It keeps the form of the archive that one of the same uid came in.
    ///
    /// A save that has begun is finished, and returns, though its task is cancelled. One that still waits for its turn is not run then, and
    /// throws `CancellationError`.
    ///
    /// - Returns: what has happened.
    /// - Throws: ``StoreError``; with the code `conflict` if the rule is ``ConflictRule/fail`` and there is another account of
    ///   the uid.
    @discardableResult
    public nonisolated(nonsending) func save(_ account: Account, onConflict rule: ConflictRule) async throws
        -> SaveOutcome
    {
        let result = try await write(sharing: .statement) { connection in
            try AccountWriter(connection: connection)
                .save(CollectionOfOne(AccountWriter.Row(account: account)), onConflict: rule)
        }
        return result.outcomes.first ?? .unchanged
    }

    /// Saves accounts in one transaction: all of them or, when it throws, none. A task that is cancelled has the effect that it has on
    /// the save of one account.
    ///
    /// - Returns: how many came out in each way.
    /// - Throws: ``StoreError``; with the code `conflict` if the rule is ``ConflictRule/fail`` and there is another account of
    ///   one of the uids.
    @discardableResult
    public nonisolated(nonsending) func save(_ accounts: [Account], onConflict rule: ConflictRule) async throws
        -> SaveCounts
    {
        if accounts.isEmpty { return SaveCounts() }
        let result = try await write { connection in
            try AccountWriter(connection: connection).save(accounts, onConflict: rule)
        }
        var counts = SaveCounts()
        for outcome in result.outcomes { counts.add(outcome) }
        return counts
    }

    /// Removes the account of a user, and says whether there was one.
    ///
    /// The form of the archive that it came in stays, for other accounts of the same app, as does the memory of the file.
    /// A task that is cancelled has the effect that it has on a save.
    @discardableResult
    public nonisolated(nonsending) func remove(uid: Int64) async throws -> Bool {
        try await write(sharing: .statement) { connection in try connection.run(AccountRows.delete, [.integer(uid)]) > 0
        }
    }

    /// Saves the accounts of archives, and remembers the files, in one transaction.
    ///
    /// An account that was there just so keeps the form that it has. A task that is cancelled has the effect that it has on the save of
    /// one account.
    ///
    /// - Returns: what has happened to the accounts of each file, in the order of the files.
    public nonisolated(nonsending) func save(
        _ files: [ImportedFile],
        onConflict rule: ConflictRule
    ) async throws -> [ImportedFileOutcome] {
        if files.isEmpty { return [] }
        return try await writeFiles { try $0.save(files, onConflict: rule) }
    }
}

extension AccountStore: ImportTransactionRepository {
    nonisolated(nonsending) func save(_ handover: ImportHandover, onConflict rule: ConflictRule) async throws {
        try await writeFiles { writer in
            while let files = handover.next() { handover.finish(try writer.save(files, onConflict: rule)) }
        }
    }

    private nonisolated(nonsending) func writeFiles<Output: Sendable>(
        _ body: @escaping @Sendable (inout ImportedFileWriter) throws -> Output
    ) async throws -> Output {
        let forms = forms
        do {
            let (output, found) = try await write { connection in
                var writer = ImportedFileWriter(connection, forms: forms)
                let output = try body(&writer)
                return (output, writer.foundForms)
            }
            forms.add(found)
            return output
        } catch {
            // Should somebody have removed a form by hand, this finds it again the next time.
            forms.removeIDs()
            throw error
        }
    }
}
