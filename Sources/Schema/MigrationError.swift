public import SQLiteBinding

/// Why a database's schema could not be brought up to date. Nothing has been written then.
public struct MigrationError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The database has tables, but they are not of this program.
        case foreignDatabase
        /// The database was written by a newer program, which knows more migrations.
        case newerSchema
        /// A migration that was applied is not the one that the program has under its number.
        case changed
        /// The database lacks a migration that comes before one that it has, or the program does.
        case missing
        /// A migration's SQL is not allowed to do what it does.
        case forbiddenStatement
        /// A statement of a migration failed, or the commit did.
        case failed
        /// A migration leaves rows whose foreign keys lead nowhere.
        case foreignKeys
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, where, and what can be done, on one line.
    public var message: String
    /// The files that it is about.
    public var files: [String]
    /// The statement of the file that it is about.
    public var position: ScriptPosition?
    /// What the database reported.
    public var cause: SQLiteError?

    init(
        _ code: Code,
        _ message: String,
        files: [String] = [],
        position: ScriptPosition? = nil,
        cause: SQLiteError? = nil
    ) {
        self.code = code
        self.message = message
        self.files = files
        self.position = position
        self.cause = cause
    }
}

extension MigrationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
