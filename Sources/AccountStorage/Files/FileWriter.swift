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
            try replace(place, by: bytes, modifiedAt: modifiedAt, syncs: syncs)
        }
    }

    /// Writes into what is no file, and is to stay what it is.
    private static func writeThrough(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        let descriptor = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw .system("open", path) }
        defer { OpenDatabaseFiles.close(descriptor) }
        try writeAll(bytes, to: descriptor, path: path)
    }

    private static func replace(
        _ path: FilePath,
        by bytes: [UInt8],
        modifiedAt: Int64?,
        syncs: Bool
    ) throws(FileError) {
        let temporary = path.parent.appending(
            Array(".".utf8) + path.name.prefix(200)
                + Array(".\(getpid())-\(UInt32.random(in: .min ... .max)).part".utf8)
        )
        let descriptor = unsafe temporary.withCString {
            unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw .system("create a file in its folder", path) }
        do throws(FileError) {
            try finish(descriptor, bytes, path: path, modifiedAt: modifiedAt, syncs: syncs)
            let result = unsafe temporary.withCString { source in
                unsafe path.withCString { target in unsafe rename(source, target) }
            }
            guard result == 0 else { throw .system("write", path) }
        } catch {
            _ = unsafe temporary.withCString { unsafe unlink($0) }
            throw error
        }
        if syncs { try syncFolder(path.parent) }
    }

    private static func finish(
        _ descriptor: Int32,
        _ bytes: [UInt8],
        path: FilePath,
        modifiedAt: Int64?,
        syncs: Bool
    ) throws(FileError) {
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path: path)
        if let modifiedAt {
            let time = timespec(tv_sec: Int(clamping: modifiedAt), tv_nsec: 0)
            _ = unsafe [time, time].withUnsafeBufferPointer { unsafe futimens(descriptor, $0.baseAddress) }
        }
        guard !syncs || fsync(descriptor) == 0 else { throw .system("write", path) }
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

    private static func syncFolder(_ folder: FilePath) throws(FileError) {
        let descriptor = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system("write", folder) }
    }
}
