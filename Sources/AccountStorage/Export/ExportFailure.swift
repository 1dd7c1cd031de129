internal import KeyedArchive

/// Why an account was not exported.
public struct ExportFailure: Error, Sendable, Hashable {
    /// Whose account.
    public var uid: Int64
    /// The kind of failure, under the word by which scripts know it: `conflict` for a file with other content that is there already,
    /// `noAccount`, `badRow`, `unreadable` for what the file system refuses, and the codes of `ArchiveError`.
    public var code: String
    /// What happened, on one line.
    public var message: String

    /// Makes a failure.
    public init(uid: Int64, code: String, message: String) {
        self.uid = uid
        self.code = code
        self.message = message
    }

    /// Whether a file is there already that has another content; ``ExportOptions/overwrites`` has such files replaced.
    public var isConflict: Bool { code == StoreError.Code.conflict.rawValue }
}

extension ExportFailure: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension ExportFailure {
    static func conflict(_ uid: Int64, at path: FilePath) -> ExportFailure {
        ExportFailure(
            uid: uid,
            code: StoreError.Code.conflict.rawValue,
            message: "\(path): a file with other content is there already"
        )
    }

    static func noAccount(_ uid: Int64) -> ExportFailure {
        ExportFailure(uid: uid, code: "noAccount", message: "there is no account of uid \(uid)")
    }

    init(_ row: BadRow) {
        self.init(uid: row.uid, code: StoreError.Code.badRow.rawValue, message: row.message)
    }

    init(uid: Int64, _ error: FileError) {
        self.init(uid: uid, code: StoreError.Code.unreadable.rawValue, message: error.description)
    }

    init(uid: Int64, _ error: ArchiveError) {
        self.init(uid: uid, code: error.code.rawValue, message: error.description)
    }
}
