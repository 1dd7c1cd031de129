internal import AccountStorage
internal import ArgumentParsing

/// Opening the store that `--database` names.
enum StoreAccess {
    /// What a command is going to do with the store.
    enum Purpose {
        /// Look only. The file has to exist, and nothing is changed in it.
        case reading
        /// Look only, and leave even the log of a program that has died as it is.
        case rehearsing
        /// Change what is there. The file has to exist.
        case changing
        /// Put something in. A missing file is created.
        case adding
    }

    /// Opens the store, lets a command use it, and closes it.
    ///
    /// - Throws: ``CommandFailure`` if there is no store at that path, and what opening it or the command throws.
    static func with<Result: Sendable>(
        _ parsed: ParsedCommand,
        for purpose: Purpose,
        _ body: (AccountStore) async throws -> Result
    ) async throws -> Result {
        let path = parsed[GlobalOptions.database]
        try checkPlace(path, for: purpose)
        let store = try await open(path, for: purpose)
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Checks that nothing is created by looking, and that a pipe is not waited for.
    private static func checkPlace(_ path: String, for purpose: Purpose) throws(CommandFailure) {
        let name = DisplayText.line(path)
        switch FilePath(path).place {
        case .nothing where purpose != .adding:
            throw CommandFailure(
                "\(name): no such database; import or add accounts first, or name it with --database"
            )
        case .folder: throw CommandFailure("\(name): is a folder; a database is a file")
        case .other: throw CommandFailure("\(name): is a device, a pipe or a socket; a database is a file")
        case .nothing, .file, .unknown: break
        }
    }

    private static func open(_ path: String, for purpose: Purpose) async throws -> AccountStore {
        var options = AccountStoreOptions()
        do {
            switch purpose {
            case .adding:
                options.mode = .readWriteCreate
            case .changing:
                options.mode = .existing
            case .rehearsing where FilePath(path + "-wal").place != .nothing:
                options.mode = .readOnly
                options.migrates = false
            case .reading, .rehearsing:
                options.mode = .existing
                options.migrates = false
            }
            return try await AccountStore(path: path, options: options)
        } catch let error as StoreError where error.code == .unreadable && !options.migrates {
            options.mode = .readOnly
            return try await AccountStore(path: path, options: options)
        } catch let error as StoreError where error.code == .olderSchema {
            throw StoreError(error.code, error.message + ": run 'accounts migrate'")
        }
    }
}
