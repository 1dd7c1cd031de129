internal import CSystemFiles
internal import Glibc

/// The folder of an export, in which archives get the names `<uid>/account.data`.
///
/// Each is written beside its place under another name. Once several are, they are synced together, and each is put into its place; so
/// it is there as a whole or not at all, also when the power goes, and a sync is for many of them.
final class ExportFolder: Sendable {
    let path: FilePath
    let overwrites: Bool
    let descriptor: Int32
    private let status: FileStatus

    /// Opens the folder, which is made if it is missing, for one export at a time.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - overwrites: whether files with other content are replaced.
    /// - Throws: ``FileError``; among others if another export is at work there.
    init(_ path: FilePath, overwrites: Bool) throws(FileError) {
        self.path = path
        self.overwrites = overwrites
        try FileWriter.makeFolder(path)
        descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .system("open the folder", path) }
        do throws(FileError) {
            status = try FileStatus(descriptor: descriptor, path: path)
            // Not every file system has locks.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw FileError(path, "another export is writing to it; wait for its end, or name another folder")
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    // MARK: Names

    /// An account's file, for messages.
    func place(of uid: Int64) -> FilePath { path.appending(Self.name(of: uid).bytes) }

    // Paths from the folder, which is open, are found faster than those from elsewhere.

    static func folder(of uid: Int64) -> FilePath { FilePath(String(uid)) }

    static func name(of uid: Int64) -> FilePath { FilePath("\(uid)/account.data") }

    /// The name of the file while it is written. The next export takes such files away that an interrupted one has left.
    static func partName(of uid: Int64) -> FilePath { FilePath("\(uid)/.account.data.part") }

    // MARK: Writing

    /// What has become of an archive so far.
    enum Staging {
        /// It is written beside its place.
        case staged
        /// It is in its place, and was synced by itself.
        case written
        /// It was in its place already.
        case unchanged
        /// Something else is in its place.
        case refused
    }

    /// Writes an archive beside its place, unless it is there already, or something else is that is not to be replaced.
    ///
    /// - Parameters:
    ///   - bytes: the archive.
    ///   - uid: whose it is.
    ///   - modifiedAt: the time of last change that the file gets, in Unix seconds; nil for now.
    /// - Throws: ``FileError``, about the folder itself if it can get no others; nothing is left behind then.
    func stage(_ bytes: [UInt8], uid: Int64, modifiedAt: Int64?) throws(FileError) -> Staging {
        let isNew = try makeFolder(of: uid)
        if !isNew {
            guard try isInside(uid) else { return try put(bytes, uid: uid, modifiedAt: modifiedAt) }
            remove(Self.partName(of: uid))
            let place = place(of: uid)
            switch try FileComparison(of: place, with: bytes, overwrites: overwrites) {
            case .same(let status):
                FileWriter.setTime(of: place, from: status, to: modifiedAt)
                return .unchanged
            case .other where !overwrites: return .refused
            case .other where isLink(place): return try put(bytes, uid: uid, modifiedAt: modifiedAt)
            case .nothing, .other: break
            }
        }
        do throws(FileError) {
            try writePart(bytes, uid: uid, modifiedAt: modifiedAt)
        } catch {
            if isNew { _ = unsafe Self.folder(of: uid).withCString { unsafe unlinkat(descriptor, $0, AT_REMOVEDIR) } }
            throw error
        }
        return .staged
    }

    /// Makes the folder of an account, and says whether it is new.
    private func makeFolder(of uid: Int64) throws(FileError) -> Bool {
        if unsafe Self.folder(of: uid).withCString({ unsafe mkdirat(descriptor, $0, 0o700) }) == 0 { return true }
        let failure = errno
        if failure == EEXIST { return false }
        let error = FileError.system("make folders in it", path, errorNumber: failure)
        throw error
    }

    /// Whether the folder of an account is one of this file system, and not somewhere else through a link.
    private func isInside(_ uid: Int64) throws(FileError) -> Bool {
        let place = path.appending(Self.folder(of: uid).bytes)
        let status = try FileStatus(place, followsLinks: true)
        guard status.kind == .folder else { throw .system("make the folder", place, errorNumber: EEXIST) }
        guard status.isOnDevice(of: self.status) else { return false }
        return try FileStatus(place, followsLinks: false).kind == .folder
    }

    private func isLink(_ place: FilePath) -> Bool {
        (try? FileStatus(place, followsLinks: false))?.kind == .symbolicLink
    }

    /// Writes a file that a sync of this file system would not be for.
    private func put(_ bytes: [UInt8], uid: Int64, modifiedAt: Int64?) throws(FileError) -> Staging {
        switch try FileWriter.put(bytes, at: place(of: uid), modifiedAt: modifiedAt, overwrites: overwrites) {
        case .written: .written
        case .unchanged: .unchanged
        case .refused: .refused
        }
    }

    private func writePart(_ bytes: [UInt8], uid: Int64, modifiedAt: Int64?) throws(FileError) {
        let name = Self.partName(of: uid)
        let part = unsafe name.withCString {
            unsafe openat(descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard part >= 0 else { throw .system("create a file in its folder", place(of: uid)) }
        do throws(FileError) {
            try FileWriter.fill(part, bytes, path: place(of: uid), modifiedAt: modifiedAt, syncs: false)
        } catch {
            remove(name)
            throw error
        }
    }

    /// Takes away a file, if there is one.
    func remove(_ name: FilePath) {
        _ = unsafe name.withCString { unsafe unlinkat(descriptor, $0, 0) }
    }
}
