/// A result code of SQLite, primary or extended.
///
/// The low eight bits are the primary code, which says what kind of failure it is; an extended code has more in the
/// bits above. The numbers are SQLite's own (<https://www.sqlite.org/rescode.html>).
public struct ResultCode: RawRepresentable, Sendable, Hashable {
    /// The number that SQLite uses.
    public let rawValue: Int32

    /// Any number is accepted; SQLite may add codes.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without its extension, for telling kinds of failures apart.
    public var primary: ResultCode { ResultCode(rawValue & 0xFF) }
}

extension ResultCode {
    /// No failure.
    public static let ok = ResultCode(0)
    /// A failure without a code of its own, most often in SQL.
    public static let error = ResultCode(1)
    /// A fault inside SQLite.
    public static let internalError = ResultCode(2)
    /// Access was denied.
    public static let permission = ResultCode(3)
    /// An operation was abandoned.
    public static let abort = ResultCode(4)
    /// Another connection holds a lock that is needed.
    public static let busy = ResultCode(5)
    /// A statement of the same connection holds a lock that is needed.
    public static let locked = ResultCode(6)
    /// There is not enough memory.
    public static let outOfMemory = ResultCode(7)
    /// The database cannot be written to.
    public static let readOnly = ResultCode(8)
    /// The operation was interrupted.
    public static let interrupt = ResultCode(9)
    /// The operating system reported a failure of input or output.
    public static let ioError = ResultCode(10)
    /// The file is damaged.
    public static let corrupt = ResultCode(11)
    /// Something was not found.
    public static let notFound = ResultCode(12)
    /// The disk, or the database's own limit, is full.
    public static let full = ResultCode(13)
    /// The file cannot be opened.
    public static let cannotOpen = ResultCode(14)
    /// The locking protocol failed.
    public static let locking = ResultCode(15)
    /// The schema changed.
    public static let schema = ResultCode(17)
    /// A text or blob is too large.
    public static let tooBig = ResultCode(18)
    /// A constraint was violated.
    public static let constraint = ResultCode(19)
    /// A value has a type that does not fit.
    public static let mismatch = ResultCode(20)
    /// The library was used in a way that it does not allow.
    public static let misuse = ResultCode(21)
    /// The system lacks support for large files.
    public static let noLargeFiles = ResultCode(22)
    /// An authorizer refused.
    public static let authorization = ResultCode(23)
    /// An index of a parameter or a column is out of range.
    public static let range = ResultCode(25)
    /// The file is no database.
    public static let notADatabase = ResultCode(26)
    /// A step gave a row.
    public static let row = ResultCode(100)
    /// A step came to the end.
    public static let done = ResultCode(101)
}

extension ResultCode {
    /// The transaction that a statement was part of has been rolled back.
    public static let abortRollback = ResultCode(4 | 2 << 8)
    /// Another process is recovering the write-ahead log.
    public static let busyRecovery = ResultCode(5 | 1 << 8)
    /// The data changed since the transaction read it, so it cannot write any more.
    public static let busySnapshot = ResultCode(5 | 2 << 8)
    /// The database cannot be written to because its journal needs a recovery that is not permitted.
    public static let readOnlyRecovery = ResultCode(8 | 1 << 8)
    /// The shared memory of the write-ahead log cannot be opened for lack of permission.
    public static let readOnlyCannotInit = ResultCode(8 | 5 << 8)
    /// The folder cannot be written to.
    public static let readOnlyDirectory = ResultCode(8 | 6 << 8)
    /// The file was moved or removed while it was open.
    public static let readOnlyMoved = ResultCode(8 | 4 << 8)
    /// Reading failed.
    public static let ioErrorRead = ResultCode(10 | 1 << 8)
    /// A file ended where there had to be more of it.
    public static let ioErrorShortRead = ResultCode(10 | 2 << 8)
    /// There was not enough memory for reading or writing.
    public static let ioErrorNoMemory = ResultCode(10 | 12 << 8)
    /// The path is a folder.
    public static let cannotOpenDirectory = ResultCode(14 | 2 << 8)
    /// A `CHECK` constraint failed.
    public static let constraintCheck = ResultCode(19 | 1 << 8)
    /// A commit hook turned a commit into a rollback.
    public static let constraintCommitHook = ResultCode(19 | 2 << 8)
    /// A foreign key constraint failed.
    public static let constraintForeignKey = ResultCode(19 | 3 << 8)
    /// A `NOT NULL` constraint failed.
    public static let constraintNotNull = ResultCode(19 | 5 << 8)
    /// A primary key already exists.
    public static let constraintPrimaryKey = ResultCode(19 | 6 << 8)
    /// A trigger raised an error.
    public static let constraintTrigger = ResultCode(19 | 7 << 8)
    /// A `UNIQUE` constraint failed.
    public static let constraintUnique = ResultCode(19 | 8 << 8)
    /// A row id already exists.
    public static let constraintRowID = ResultCode(19 | 10 << 8)
    /// A `STRICT` table refused a value of another type.
    public static let constraintDataType = ResultCode(19 | 12 << 8)
}
