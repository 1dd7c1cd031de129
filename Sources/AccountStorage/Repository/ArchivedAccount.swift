public import KeyedArchive

/// An account out of an archive, with what it takes to write the archive again.
public struct ArchivedAccount: Sendable, Hashable {
    /// The account.
    public var account: Account
    /// How the archive was written.
    public var form: ArchiveForm
    /// The spellings that the form and the account do not give again.
    public var details: ArchiveFormDetails

    /// Puts the parts together.
    public init(account: Account, form: ArchiveForm, details: ArchiveFormDetails) {
        self.account = account
        self.form = form
        self.details = details
    }
}

/// An account as a repository has it, with the form of the archive that it came in, if it came in one.
public struct StoredArchive: Sendable, Hashable {
    /// The account.
    public var account: Account
    /// How the archive was written; nil for an account that never was in one.
    public var form: ArchiveForm?
    /// The spellings that the form and the account do not give again.
    public var details: ArchiveFormDetails

    /// Puts the parts together.
    public init(account: Account, form: ArchiveForm? = nil, details: ArchiveFormDetails = [:]) {
        self.account = account
        self.form = form
        self.details = details
    }
}

/// What was found at the place of an account that is to be exported.
public enum StoredArchiveRow: Sendable, Hashable {
    /// The account.
    case archive(StoredArchive)
    /// A row that no account can be read from.
    case bad(BadRow)

    /// Whose account it is.
    public var uid: Int64 {
        switch self {
        case .archive(let stored): stored.account.uid
        case .bad(let row): row.uid
        }
    }
}

/// What tells a file from another, and from itself after a change.
public struct FileIdentity: Sendable, Hashable {
    /// The absolute path, as the bytes that the file system has.
    public var path: [UInt8]
    /// The size in bytes.
    public var size: Int64
    /// When it was changed last, in nanoseconds since 1970-01-01 UTC, modulo 2⁶⁴.
    public var modifiedAt: Int64

    /// Names a file.
    public init(path: [UInt8], size: Int64, modifiedAt: Int64) {
        self.path = path
        self.size = size
        self.modifiedAt = modifiedAt
    }
}

/// A file with the accounts that were read from it.
public struct ImportedFile: Sendable {
    /// Which file.
    public var identity: FileIdentity
    /// The accounts in it.
    public var accounts: [ArchivedAccount]

    /// Puts the parts together.
    public init(identity: FileIdentity, accounts: [ArchivedAccount]) {
        self.identity = identity
        self.accounts = accounts
    }
}

/// What has become of an account of a file.
public struct ImportedAccountOutcome: Sendable, Hashable {
    /// What has become of it.
    public var outcome: SaveOutcome
    /// For an account that replaced another, or gave way to one: the path of the file which that one came from; nil if an app saved it,
    /// or the file is not known.
    public var otherFile: [UInt8]?

    /// Puts the parts together.
    public init(_ outcome: SaveOutcome, otherFile: [UInt8]? = nil) {
        self.outcome = outcome
        self.otherFile = otherFile
    }
}

/// What has become of the accounts of a file.
public enum ImportedFileOutcome: Sendable, Hashable {
    /// They were saved, each with an outcome, in the order of ``ImportedFile/accounts``.
    case saved([ImportedAccountOutcome])
    /// The file was left out because of an account of this uid that is there already.
    case conflict(uid: Int64)
}
