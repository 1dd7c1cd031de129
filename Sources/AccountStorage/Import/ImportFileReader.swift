internal import Glibc
internal import KeyValueCoding
internal import KeyedArchive

/// What reading a file of an import has given.
enum ImportReading: Sendable {
    case accounts(ImportedFile, ImportCandidate)
    /// The file was imported before and has not changed since.
    case skipped(ImportCandidate)
    /// The file is no property list, and was met in a folder.
    case passedOver(ImportFailure)
    case refused(ImportFailure, RefusedFile?)

    /// About how many bytes are kept of the file.
    var size: Int {
        switch self {
        case .accounts(let file, _): Int(clamping: file.identity.size)
        case .skipped, .passedOver: 0
        case .refused(_, let file): file?.bytes?.count ?? 0
        }
    }
}

/// A file that was refused, as a quarantine keeps it.
struct RefusedFile: Sendable {
    var candidate: ImportCandidate
    /// The content; nil if it could not be read, or is so large that it is read again when it is wanted.
    var bytes: [UInt8]?

    /// The most bytes that are kept of a file that was refused.
    static let keptBytes = 65_536
}

/// Reads the accounts out of single files.
struct ImportFileReader: Sendable {
    private let options: ImportOptions
    private let archives: AccountArchiveReader

    init(options: ImportOptions) {
        self.options = options
        archives = AccountArchiveReader(options: options.reading)
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - candidate: the file.
    ///   - known: what it was when it was imported, if it was.
    func read(_ candidate: ImportCandidate, known: FileIdentity?) -> ImportReading {
        let path = FilePath(withoutNUL: candidate.absolutePath)
        let content: FileContent
        do throws(FileError) {
            if let known, try FileStatus(path, in: candidate.folder, followsLinks: false).isUnchanged(since: known) {
                return .skipped(candidate)
            }
            content = try FileContent.read(
                path,
                in: candidate.folder,
                limit: options.reading.limits.bytes,
                followsLinks: false
            )
        } catch {
            if !candidate.root.isFile, isPassedOver(error) {
                return .passedOver(ImportFailure(error.below(candidate.root)))
            }
            return .refused(
                ImportFailure(error.below(candidate.root)),
                RefusedFile(candidate: candidate, bytes: nil)
            )
        }
        let identity = FileIdentity(
            path: candidate.absolutePath,
            size: content.status.size,
            modifiedAt: content.status.modifiedAt
        )
        return read(content.bytes, modifiedAt: content.status.modifiedAtSeconds, as: candidate, identity)
    }

    /// Reads the accounts out of the content of a file.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - modifiedAt: when it was changed last, in Unix seconds; nil if that is not known.
    ///   - candidate: the file.
    ///   - identity: what tells the file from another, and from itself after a change.
    func read(
        _ bytes: [UInt8],
        modifiedAt: Int64?,
        as candidate: ImportCandidate,
        _ identity: FileIdentity
    ) -> ImportReading {
        let obtainedAt = options.obtainedAt == .mtime ? modifiedAt.map(Timestamp.date(unixSeconds:)) : nil
        do {
            let accounts = try archives.accounts(in: bytes, obtainedAt: obtainedAt)
            // One file that a repository refuses must not keep the others of its batch from being saved.
            for account in accounts {
                guard let reason = account.reasonToRefuse() else { continue }
                let failure = ImportFailure(
                    path: candidate.path,
                    code: StoreError.Code.tooLarge.rawValue,
                    message: reason
                )
                return .refused(failure, refused(candidate, bytes))
            }
            return .accounts(ImportedFile(identity: identity, accounts: accounts), candidate)
        } catch {
            if !candidate.root.isFile, Self.isNoPropertyList(error) {
                var failure = ImportFailure(error, path: candidate.path, remedies: [])
                if candidate.absolutePath.suffix(Quarantine.reasonSuffix.count) == Quarantine.reasonSuffix[...] {
                    failure.message = "a quarantine's reason for the file beside it"
                }
                return .passedOver(failure)
            }
            var reading = options.reading
            reading.obtainedAt = obtainedAt
            let failure = ImportFailure(
                error,
                path: candidate.path,
                remedies: RemedyFinder.remedies(for: bytes, options: reading)
            )
            return .refused(failure, refused(candidate, bytes))
        }
    }

    /// Keeps the content for a quarantine, if there is one and it is not much.
    private func refused(_ candidate: ImportCandidate, _ bytes: [UInt8]) -> RefusedFile {
        let isKept = options.quarantine != nil && bytes.count <= RefusedFile.keptBytes
        return RefusedFile(candidate: candidate, bytes: isKept ? bytes : nil)
    }

    /// Whether a file that was met in a folder, and could not be read, is none that anybody wants to import.
    private func isPassedOver(_ error: FileError) -> Bool {
        if error.isInUse { return true }
        guard error.errorNumber == EFBIG else { return false }
        return !Archive.mayBegin(with: FileContent.beginning(of: error.path, count: 4_096))
    }

    private static func isNoPropertyList(_ error: any Error) -> Bool {
        guard let error = error as? ArchiveError else { return false }
        return error.code == .notAPropertyList || error.code == .empty
    }
}

extension ImportFailure {
    /// A failure of the file system.
    init(_ error: FileError) {
        let code =
            error.errorNumber == EFBIG ? ArchiveError.Code.tooLarge.rawValue : StoreError.Code.unreadable.rawValue
        self.init(path: error.path, code: code, message: error.reason)
    }

    /// A failure to read accounts from a file.
    init(_ error: any Error, path: FilePath, remedies: [ImportRemedy]) {
        let code =
            switch error {
            case let error as ArchiveError: error.code.rawValue
            case let error as ArchivedAccountError: error.mapping.code.rawValue
            default: StoreError.Code.unreadable.rawValue
            }
        self.init(path: path, code: code, message: String(describing: error), remedies: remedies)
    }
}
