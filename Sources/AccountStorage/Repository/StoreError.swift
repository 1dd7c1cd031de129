/// Why a store could not do what it was asked for.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// An account of this uid is there already, and the rule is ``ConflictRule/fail``.
        case conflict
        /// The file cannot be read or written, or its place cannot.
        case unreadable
        /// The file is no database of this library.
        case notAStore
        /// The database was written by a newer version of this library.
        case newerSchema
        /// The database lacks migrations, and the options keep the store from applying them.
        case olderSchema
        /// A row holds something that no account can.
        case badRow
        /// An account is larger, or deeper within, than what could be read again. Nothing of it was saved.
        case tooLarge
        /// Another program held the database for longer than the busy timeout.
        case busy
        /// A read took longer than ``AccountStoreOptions/readTimeLimit``, or nothing was done since its turn did not come within
        /// ``AccountStoreOptions/waitTimeLimit``.
        case timedOut
        /// The disk, or the space that the database may take, is full.
        ///
        /// A limit on the size of files (`RLIMIT_FSIZE`) is told by the signal `SIGXFSZ` as well, which ends a process that does
        /// not ignore it.
        case diskFull
        /// There is not enough memory.
        case outOfMemory
        /// The file is damaged. A backup has to take its place.
        case damaged
        /// The store was closed.
        case closed
        /// The store was used from inside one of its own transactions.
        case reentrant
        /// Anything else that the database reports.
        case database
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, where, and what can be done, on one line.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
