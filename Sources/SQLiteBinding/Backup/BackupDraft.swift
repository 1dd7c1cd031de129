internal import Glibc

/// The file that a backup is written into before it takes its place.
///
/// It is locked as long as its process is at work, so that another backup tells one that goes on from one that was killed.
struct BackupDraft {
    let path: String
    private let descriptor: Int32

    private static let prefix = ".sqlite-backup-"

    /// Makes an empty file that only its owner can read; nil with the reason in `errno` if that is not possible.
    init?(in folder: String) {
        while true {
            var template = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
            let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
                unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
            }
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Another backup may have taken it for one of a killed process before the lock was there.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.hasName(descriptor) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            OpenDatabaseFiles.close(descriptor)
        }
    }

    /// Lets go of it, and takes away what is left under its name.
    func remove() {
        Self.remove(path)
        // By now it may be the backup, and open somewhere.
        OpenDatabaseFiles.close(descriptor)
    }

    /// Takes away what backups have left whose processes were killed: it holds all that the database did.
    static func removeAbandoned(in folder: String) {
        guard let directory = unsafe opendir(folder) else { return }
        defer { _ = unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 6 else { continue }
            let path = "\(folder)/\(name)"
            let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            // It may be that of a backup which this process is making.
            OpenDatabaseFiles.close(descriptor)
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["-journal", "-wal", "-shm", ""] { _ = unsafe unlink(path + suffix) }
    }

    private static func hasName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
}
