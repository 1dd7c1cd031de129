internal import CSystemFiles
internal import Glibc
internal import SQLiteBinding

/// Writing files so that each is there as a whole or not at all, whenever the power goes.
package enum FileWriter {
    /// Writes a file beside its place, and puts it into its place.
    ///
    /// A symbolic link stays one, and what it leads to is replaced. Into a device, a pipe or a socket the bytes are written.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the place; a file that is there is replaced.
    ///   - modifiedAt: the time of last change that the file gets, in Unix seconds; nil for now.
    ///   - syncs: whether the file is on disk when the call returns.
    /// - Throws: ``FileError``; nothing is left behind then. A database that this process has in use is not replaced.
    package static func write(
        _ bytes: [UInt8],
        to path: FilePath,
        modifiedAt: Int64? = nil,
        syncs: Bool = true
    ) throws(FileError) {
        let place = path.resolved() ?? path
        let status = try? FileStatus(place, followsLinks: true)
        try status?.requireNoUse(of: path)
        if status?.kind == .other {
            try writeThrough(bytes, to: place)
        } else {
            _ = try replace(place, by: bytes, modifiedAt: modifiedAt, syncs: syncs)
        }
    }

    /// What has become of a file that was to be in a place.
    enum Placement {
        case written
        /// It was there with these bytes.
        case unchanged
        /// Something else is there, which was left alone.
        case refused
    }

    /// Sees to it that a file is in a place, and on disk, as ``write(_:to:modifiedAt:syncs:)`` does.
    ///
    /// A file that is there with these bytes is left alone, but for its time of last change.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the place.
    ///   - modifiedAt: the time of last change that the file gets, in Unix seconds; nil to leave it.
    ///   - overwrites: whether a file that is there with other bytes is replaced.
    /// - Throws: ``FileError``; nothing is left behind then. A database that this process has in use is not replaced.
    static func put(
        _ bytes: [UInt8],
        at path: FilePath,
        modifiedAt: Int64?,
        overwrites: Bool
    ) throws(FileError) -> Placement {
        let place = path.resolved() ?? path
        let status = try? FileStatus(place, followsLinks: true)
        try status?.requireNoUse(of: path)
        if status?.kind == .other {
            try writeThrough(bytes, to: place)
            return .written
        }
        switch try FileComparison(of: place, with: bytes, overwrites: overwrites) {
        case .same(let status):
            setTime(of: place, from: status, to: modifiedAt)
            try sync(place)
            try sync(place.parent)
            return .unchanged
        case .other where !overwrites: return .refused
        case .nothing, .other:
            let isPlaced = try replace(place, by: bytes, modifiedAt: modifiedAt, syncs: true, overwrites: overwrites)
            return isPlaced ? .written : .refused
        }
    }

    /// Writes into what is no file, and is to stay what it is.
    private static func writeThrough(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        let descriptor = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw .system("open", path) }
        defer { OpenDatabaseFiles.close(descriptor) }
        try writeAll(bytes, to: descriptor, path: path)
    }

    /// Writes a file and puts it into its place, and says whether it did.
    private static func replace(
        _ path: FilePath,
        by bytes: [UInt8],
        modifiedAt: Int64?,
        syncs: Bool,
        overwrites: Bool = true
    ) throws(FileError) -> Bool {
        let temporary = path.parent.appending(
            Array(".".utf8) + path.name.prefix(200)
                + Array(".\(getpid())-\(UInt32.random(in: .min ... .max)).part".utf8)
        )
        let descriptor = unsafe temporary.withCString {
            unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw .system("create a file in its folder", path) }
        do throws(FileError) {
            try fill(descriptor, bytes, path: path, modifiedAt: modifiedAt, syncs: syncs)
            guard try move(temporary, to: path, overwrites: overwrites) else {
                _ = unsafe temporary.withCString { unsafe unlink($0) }
                return false
            }
        } catch {
            _ = unsafe temporary.withCString { unsafe unlink($0) }
            throw error
        }
        if syncs { try sync(path.parent) }
        return true
    }

    /// Gives a file another name.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - target: the name.
    ///   - folder: an open folder that relative paths begin at.
    ///   - overwrites: whether what has the name already is replaced.
    /// - Returns: whether it has the name now; false if something else has it.
    static func move(
        _ source: FilePath,
        to target: FilePath,
        in folder: Int32 = AT_FDCWD,
        overwrites: Bool
    ) throws(FileError) -> Bool {
        let failure: Int32 = unsafe source.withCString { source in
            unsafe target.withCString { target in
                if !overwrites {
                    if unsafe csystemfiles_rename_new(folder, source, folder, target) == 0 { return 0 }
                    // Not every file system can do that in one step.
                    guard errno == EINVAL || errno == ENOSYS else { return errno }
                    if unsafe faccessat(folder, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
                }
                return unsafe renameat(folder, source, folder, target) == 0 ? 0 : errno
            }
        }
        if failure == EEXIST, !overwrites { return false }
        guard failure == 0 else { throw .system("write", target, errorNumber: failure) }
        return true
    }

    /// Writes the content of a new file, and closes it.
    ///
    /// - Throws: ``FileError`` about the path; the file is closed all the same.
    static func fill(
        _ descriptor: Int32,
        _ bytes: [UInt8],
        path: FilePath,
        modifiedAt: Int64?,
        syncs: Bool
    ) throws(FileError) {
        do throws(FileError) {
            try writeAll(bytes, to: descriptor, path: path)
            if let modifiedAt {
                _ = unsafe times(modifiedAt).withUnsafeBufferPointer { unsafe futimens(descriptor, $0.baseAddress) }
            }
            guard !syncs || fsync(descriptor) == 0 else { throw .system("write", path) }
        } catch {
            close(descriptor)
            throw error
        }
        // On a network's file system what could not be written may be told of only here.
        guard close(descriptor) == 0 || errno == EINTR else { throw .system("write", path) }
    }

    /// Gives a file the time of last change that it is to have; nil to leave it.
    static func setTime(of path: FilePath, from status: FileStatus, to modifiedAt: Int64?) {
        guard let modifiedAt, status.modifiedAt != modifiedAt &* 1_000_000_000 else { return }
        _ = unsafe path.withCString { path in
            unsafe times(modifiedAt).withUnsafeBufferPointer { unsafe utimensat(AT_FDCWD, path, $0.baseAddress, 0) }
        }
    }

    private static func times(_ seconds: Int64) -> [timespec] {
        Array(repeating: timespec(tv_sec: Int(clamping: seconds), tv_nsec: 0), count: 2)
    }

    /// Writes bytes to an open file.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: FilePath) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("write", path) }
            written += count
        }
    }

    /// Makes a folder and the folders that it is in, where they are missing.
    static func makeFolder(_ path: FilePath) throws(FileError) {
        let result = unsafe path.withCString { unsafe mkdir($0, 0o700) }
        if result == 0 { return }
        let failure = errno
        if failure == ENOENT, path.parent != path {
            try makeFolder(path.parent)
            guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
                throw .system("make the folder", path)
            }
            return
        }
        guard failure == EEXIST, try FileStatus(path, followsLinks: true).kind == .folder else {
            throw .system("make the folder", path, errorNumber: failure)
        }
    }

    /// Waits until a file, or the names in a folder, are on disk.
    static func sync(_ path: FilePath) throws(FileError) {
        let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system("write", path) }
    }
}
