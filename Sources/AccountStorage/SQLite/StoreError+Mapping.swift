internal import Schema
internal import SQLiteBinding

extension StoreError {
    /// What a store throws instead of an error of the parts below it; `CancellationError` stays as it is.
    ///
    /// This is the one place where that is decided.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case is StoreError, is CancellationError: error
        case let error as SQLiteError: StoreError(error)
        case let error as MigrationError: StoreError(error)
        case let error as ConnectionPoolError: StoreError(error)
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
        self.init(code, "\(error)")
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

    private init(_ error: ConnectionPoolError) {
        switch error {
        case .closed: self.init(.closed, "the store is closed; open it again to use it")
        case .reentrant:
            self.init(
                .reentrant,
                "re-entrant access: the store was used from inside one of its own transactions, or by its observer"
            )
        case .readTimeout, .waitTimeout: self.init(.timedOut, "\(error)")
        case .noThread: self.init(.database, "\(error)")
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
