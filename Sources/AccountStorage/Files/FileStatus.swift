internal import Glibc
internal import SQLiteBinding

/// What the system says of a file.
struct FileStatus {
    /// What kind of thing the file is.
    enum Kind {
        case regular
        case folder
        case symbolicLink
        case other
    }

    var kind: Kind
    /// The size in bytes.
    var size: Int64
    /// When it was changed last, in nanoseconds since 1970-01-01 UTC, modulo 2⁶⁴: it tells a time from another, also one
    /// after the year 2262.
    var modifiedAt: Int64
    /// The same in whole seconds, rounded down.
    var modifiedAtSeconds: Int64
    /// Which file it is.
    private(set) var key: FileKey

    /// Whether this is the same file in the same state.
    func isUnchanged(since other: FileStatus) -> Bool {
        size == other.size && modifiedAt == other.modifiedAt && key == other.key
    }

    /// Whether this is a file as it was when it was imported.
    func isUnchanged(since imported: FileIdentity) -> Bool {
        kind == .regular && size == imported.size && modifiedAt == imported.modifiedAt
    }

    /// Whether this is on the same file system.
    func isOnDevice(of other: FileStatus) -> Bool { key.device == other.key.device }

    /// Asks for a path; a symbolic link is followed if that is wanted. The folder that it is in need not be open.
    init(_ path: FilePath, in folder: OpenFolder? = nil, followsLinks: Bool) throws(FileError) {
        var status = stat()
        let result = unsafe path.withPlace(in: folder) {
            unsafe fstatat($0, $1, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else { throw .system("find", path) }
        self.init(status)
    }

    /// Asks for an open file.
    init(descriptor: Int32, path: FilePath) throws(FileError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system("read", path) }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        size = Int64(status.st_size)
        // The system gives the part behind the second as a positive number, also before 1970.
        modifiedAtSeconds = Int64(status.st_mtim.tv_sec)
        modifiedAt = modifiedAtSeconds &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        key = FileKey(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

extension FileStatus {
    /// Throws if this is the file of a database that this process has in use.
    func requireNoUse(of path: FilePath) throws(FileError) {
        switch OpenDatabaseFiles.role(of: key) {
        case nil: return
        case .database: throw .inUse(path, "it is a database that this process has in use")
        case .companion(let owner):
            throw .inUse(path, "it belongs to the database \(owner), which this process has in use")
        }
    }
}

/// A file with its content.
struct FileContent {
    var bytes: [UInt8]
    var status: FileStatus

    /// Reads a regular file as a whole.
    ///
    /// A file that changes while it is read is read again, a few times.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: the folder that it is in, if that is open.
    ///   - limit: how many bytes it may have.
    ///   - followsLinks: whether the path may end in a symbolic link.
    /// - Throws: ``FileError``; among others for a file that is larger than a limit, with `EFBIG`, and for a database that this
    ///   process has in use.
    static func read(
        _ path: FilePath,
        in folder: OpenFolder? = nil,
        limit: Int,
        followsLinks: Bool = true
    ) throws(FileError) -> FileContent {
        for _ in 0..<4 {
            if let content = try attempt(path, in: folder, limit: limit, followsLinks: followsLinks) {
                return content
            }
        }
        throw FileError(
            path,
            "cannot read: the file keeps changing, or is longer than it says; try again once its writer is done"
        )
    }

    private static func attempt(
        _ path: FilePath,
        in folder: OpenFolder?,
        limit: Int,
        followsLinks: Bool
    ) throws(FileError) -> FileContent? {
        let descriptor = try open(path, in: folder, followsLinks: followsLinks)
        var key: FileKey?
        defer { OpenDatabaseFiles.close(descriptor, key) }
        let status = try FileStatus(descriptor: descriptor, path: path)
        key = status.key
        try status.requireNoUse(of: path)
        switch status.kind {
        case .regular: break
        case .folder: throw FileError(path, "cannot read: it is a folder", errorNumber: EISDIR)
        default: throw FileError(path, "cannot read: it is no regular file but a device, a pipe or a socket")
        }
        guard status.size <= limit else {
            throw FileError(
                path,
                "the file has \(status.size) bytes, more than the limit of \(limit)",
                errorNumber: EFBIG
            )
        }
        let bytes = try readAll(descriptor, path: path, size: Int(status.size))
        // A file that is longer than it says, as those of /proc are, has no size to rely on.
        guard bytes.count == Int(status.size),
            try FileStatus(descriptor: descriptor, path: path).isUnchanged(since: status)
        else { return nil }
        return FileContent(bytes: bytes, status: status)
    }

    /// The first bytes of a file, without those behind them; none if they cannot be read.
    static func beginning(of path: FilePath, count: Int) -> [UInt8] {
        guard let descriptor = try? open(path, in: nil, followsLinks: false) else { return [] }
        defer { OpenDatabaseFiles.close(descriptor) }
        return (try? readAll(descriptor, path: path, size: count)) ?? []
    }

    private static func open(
        _ path: FilePath,
        in folder: OpenFolder?,
        followsLinks: Bool
    ) throws(FileError) -> Int32 {
        // What is opened though it is in use stays open for long. So once that has happened, it is asked before.
        if OpenDatabaseFiles.hasParked {
            try FileStatus(path, in: folder, followsLinks: followsLinks).requireNoUse(of: path)
        }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe path.withPlace(in: folder) { unsafe openat($0, $1, flags) }
        guard descriptor >= 0 else { throw .system("open", path) }
        return descriptor
    }

    /// Reads a file to its end, and a byte more than its size if there is one.
    private static func readAll(_ descriptor: Int32, path: FilePath, size: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let capacity = size + 1
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            repeat {
                let start = unsafe buffer.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + count) }
                let received = unsafe Glibc.read(descriptor, start, capacity - count)
                if received < 0, errno == EINTR { continue }
                if received < 0 { failure = .system("read", path) }
                guard received > 0 else { return }
                count += received
            } while count < size
        }
        if let failure { throw failure }
        return bytes
    }
}
