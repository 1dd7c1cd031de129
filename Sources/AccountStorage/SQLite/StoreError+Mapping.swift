internal import Schema
internal import SQLiteBinding

extension StoreError {
    /// What a store throws instead of an error of the parts below it; `CancellationError` stays as it is.
    ///
    /// This is the one place where that is decided.
    ///
    /// - Parameter path: the store's file, where the error does not know it.
    static func translating(_ error: any Error, path: String = "") -> any Error {
        switch error {
        case is StoreError, is CancellationError: error
        case let error as SQLiteError: StoreError(error)
        case let error as MigrationError: StoreError(error)
        case let error as ConnectionPoolError: StoreError(error, path: path)
        case let error as RowError: StoreError(error.isTooLarge ? .tooLarge : .badRow, "\(error)")
        case let error as ColumnError: StoreError(.badRow, "\(error)")
        case let error as AccountWriter.Conflict:
            StoreError(
                .conflict,
                "there is another account of the uid \(error.uid); save it by another rule to replace or keep that one"
            )
        // What a closure of the caller's throws.
        default: error
        }
    }

    init(_ error: SQLiteError) {
        let code = Code(error.code)
        var error = error
        // What these say has nothing to do with the statement that met it.
        if code != .database { error.sql = nil }
        // Somebody has changed the schema by hand: SQLite has no code of its own for that.
        guard code == .database, error.message.hasPrefix("no such ") else {
            self.init(code, "\(error)")
            return
        }
        error.sql = nil
        error.hint =
            "the schema is not as this library made it; a check of the store ('accounts check') says what is missing and what restores it"
        self.init(.damaged, "\(error)")
    }

    private init(_ error: MigrationError) {
        let code: Code
        switch error.code {
        case .foreignDatabase: code = .notAStore
        case .newerSchema: code = .newerSchema
        case .changed, .missing, .forbiddenStatement, .failed, .foreignKeys:
            code = error.cause.map { Code($0.code) } ?? .database
        }
        self.init(code, error.message)
    }

    private init(_ error: ConnectionPoolError, path: String) {
        let store = path.isEmpty ? "the store" : "the store \(path)"
        switch error {
        case .closed: self.init(.closed, "\(store) is closed; make another AccountStore to use its file again")
        case .reentrant:
            self.init(
                .reentrant,
                "re-entrant access: \(store) was used from inside one of its own transactions, or by its observer, and would wait for "
                    + "itself; use the snapshot that the closure was given, or use the store once the closure has returned"
            )
        case .readTimeout, .waitTimeout: self.init(.timedOut, "\(store): \(error)")
        case .noThread: self.init(.database, "\(store): \(error)")
        }
    }
}

extension StoreError.Code {
    fileprivate init(_ code: ResultCode) {
        switch code.primary {
        case .busy: self = .busy
        case .full: self = .diskFull
        case .outOfMemory: self = .outOfMemory
        case .corrupt: self = .damaged
        case .tooBig: self = .tooLarge
        case .notADatabase: self = .notAStore
        case .cannotOpen, .readOnly, .permission, .ioError: self = .unreadable
        default: self = .database
        }
    }
}
