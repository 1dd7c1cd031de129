internal import AccountStorage
internal import Glibc
internal import SQLiteBinding

/// A file that a command reads as a whole: a regular file, a pipe (`<(curl …)`), or standard input.
struct InputFile {
    var bytes: [UInt8]
    /// When the file was changed last, in whole Unix seconds; nil for what is no regular file.
    var modifiedAt: Int64?

    /// Reads a file.
    static func read(_ path: FilePath, limit: Int) throws(InputError) -> InputFile {
        if let key = path.key { try requireNoUse(key) }
        let (number, failure) = path.withCharacters { (open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY), errno) }
        guard number >= 0 else { throw InputError(reason: "cannot open: \(SystemFailure.text(failure))") }
        defer { OpenDatabaseFiles.close(number) }
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw InputError(reason: "cannot read: \(SystemFailure.text(errno))")
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw InputError(reason: "cannot read: it is a folder; expected a file") }
        guard kind != S_IFREG || status.st_size <= limit else {
            throw InputError(
                code: "tooLarge",
                reason: "the file has \(status.st_size) bytes, more than the limit of \(limit)"
            )
        }
        let bytes = try FileDescriptor(number).readAll(limit: limit)
        return InputFile(bytes: bytes, modifiedAt: kind == S_IFREG ? Int64(status.st_mtim.tv_sec) : nil)
    }

    /// Throws for a file that is not even to be opened: closing it again would take SQLite's locks away.
    private static func requireNoUse(_ key: FileKey) throws(InputError) {
        switch OpenDatabaseFiles.role(of: key) {
        case nil: return
        case .database:
            throw InputError(reason: "cannot read: it is a database that is in use here; expected another file")
        case .companion(let owner):
            throw InputError(
                reason:
                    "cannot read: it belongs to the database \(DisplayText.line(owner)), which is in use here; expected another file"
            )
        }
    }
}

extension FilePath {
    /// What a path leads to.
    enum Place {
        case nothing
        case file
        case folder
        /// A device, a pipe or a socket.
        case other
        /// Something that cannot be looked at.
        case unknown
    }

    /// What is there, symbolic links followed.
    var place: Place {
        var status = stat()
        let failure = withCharacters { stat($0, &status) == 0 ? 0 : errno }
        guard failure == 0 else { return failure == ENOENT || failure == ENOTDIR ? .nothing : .unknown }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The first bytes of the file there; nil if it cannot be read, or is one of a database that is in use.
    func firstBytes(_ count: Int) -> [UInt8]? {
        if let key, OpenDatabaseFiles.role(of: key) != nil { return nil }
        let number = withCharacters { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        guard number >= 0 else { return nil }
        defer { OpenDatabaseFiles.close(number) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = read(number, &bytes, count)
        return length < 0 ? nil : Array(bytes.prefix(length))
    }

    /// Which file it leads to; nil if that cannot be looked at.
    fileprivate var key: FileKey? {
        var status = stat()
        guard withCharacters({ stat($0, &status) }) == 0 else { return nil }
        return FileKey(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Calls with the path as C has it.
    fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { characters in
            characters.baseAddress.map(body) ?? body("")
        }
    }
}
