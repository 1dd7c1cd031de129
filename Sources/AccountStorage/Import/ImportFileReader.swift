internal import Glibc
internal import KeyValueCoding
internal import KeyedArchive

/// What reading a file of an import has given.
enum ImportReading: Sendable {
    case accounts(ImportedFile, ImportCandidate)
    /// The file was imported before and has not changed since.
    case skipped
    /// The file is no property list, and was met in a folder.
    case passedOver(ImportFailure)
    case refused(ImportFailure, RefusedFile?)
}

/// A file that was refused, as a quarantine keeps it.
struct RefusedFile: Sendable {
    /// The path below the folder that was imported.
    var relativePath: [UInt8]
    /// The content; nil if it could not be read.
    var bytes: [UInt8]?
}

/// Reads the accounts out of single files.
struct ImportFileReader: Sendable {
    private let options: ImportOptions
    private let archives: AccountArchiveReader

    init(options: ImportOptions) {
        self.options = options
        archives = AccountArchiveReader(options: options.reading)
    }

    func read(_ candidate: ImportCandidate) -> ImportReading {
        let content: FileContent
        do throws(FileError) {
            content = try FileContent.read(candidate.path, limit: options.reading.limits.bytes)
        } catch {
            return .refused(ImportFailure(error), RefusedFile(relativePath: candidate.relativePath, bytes: nil))
        }
        var candidate = candidate
        candidate.identity.size = content.status.size
        candidate.identity.modifiedAt = content.status.modifiedAt
        return read(content.bytes, modifiedAt: content.status.modifiedAtSeconds, as: candidate)
    }

    /// Reads the accounts out of the content of a file.
    ///
    /// - Parameter modifiedAt: when it was changed last, in Unix seconds; nil if that is not known.
    func read(_ bytes: [UInt8], modifiedAt: Int64?, as candidate: ImportCandidate) -> ImportReading {
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
                return .refused(failure, RefusedFile(relativePath: candidate.relativePath, bytes: bytes))
            }
            return .accounts(ImportedFile(identity: candidate.identity, accounts: accounts), candidate)
        } catch {
            if !candidate.isNamed, Self.isNoPropertyList(error) {
                return .passedOver(ImportFailure(error, path: candidate.path, remedies: []))
            }
            var reading = options.reading
            reading.obtainedAt = obtainedAt
            let failure = ImportFailure(
                error,
                path: candidate.path,
                remedies: RemedyFinder.remedies(for: bytes, options: reading)
            )
            return .refused(failure, RefusedFile(relativePath: candidate.relativePath, bytes: bytes))
        }
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
