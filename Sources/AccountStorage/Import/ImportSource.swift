/// A path that an import was given.
final class ImportRoot: Sendable {
    /// The path as it was given.
    let path: FilePath
    /// The same without symbolic links on the way.
    let resolvedPath: FilePath
    /// Whether it is a file, which has to be an archive, and no folder.
    let isFile: Bool
    /// How many bytes of the absolute path of a file below come before its path from here.
    private let prefixCount: Int

    init(_ path: FilePath, resolvedPath: FilePath, isFile: Bool) {
        self.path = path
        self.resolvedPath = resolvedPath
        self.isFile = isFile
        prefixCount = resolvedPath.appending("").bytes.count
    }

    /// The path of a file below from here.
    func relativePath(of absolutePath: [UInt8]) -> ArraySlice<UInt8> { absolutePath.dropFirst(prefixCount) }
}

/// A file that an import looks at.
struct ImportCandidate: Sendable {
    let root: ImportRoot
    /// The path that the file system knows it by.
    let absolutePath: [UInt8]
    /// The folder that it is in, if that is kept open.
    var folder: OpenFolder?

    /// The path below the folder that was given; for a file that was given, its name.
    var relativePath: [UInt8] {
        root.isFile ? root.path.name : Array(root.relativePath(of: absolutePath))
    }

    /// The path as it was given, or as the folder that it is in was given.
    var path: FilePath { root.isFile ? root.path : root.path.appending(root.relativePath(of: absolutePath)) }
}

/// Gives the files of an import one after the other: the paths in the order given, the files of a folder in the order of the bytes of
/// their paths.
struct ImportSource {
    /// What comes next.
    enum Event: Sendable {
        case candidate(ImportCandidate)
        /// Something in a folder that is no regular file.
        case passedOver(FilePath)
        case failure(FileError)
    }

    private var paths: ArraySlice<FilePath>
    private var walk: (walker: FileWalker, root: ImportRoot)?
    private var failures: [FileError] = []
    private let quarantine: Quarantine?

    /// Begins with the first of some paths.
    ///
    /// - Parameter quarantine: a folder that is left out where it is met in another.
    init(_ paths: [FilePath], leavingOut quarantine: Quarantine?) {
        self.paths = paths[...]
        self.quarantine = quarantine
    }

    /// The next files, so many at most; none at the end.
    mutating func next(_ count: Int) -> [Event] {
        var events: [Event] = []
        while events.count < count, let event = next() { events.append(event) }
        return events
    }

    private mutating func next() -> Event? {
        while true {
            if let failure = failures.popLast() { return .failure(failure) }
            if let root = walk?.root {
                let entry = walk?.walker.next()
                failures = (walk?.walker.takeFailures() ?? []).reversed().map { $0.below(root) }
                guard let entry else {
                    walk = nil
                    continue
                }
                return event(for: entry, below: root)
            }
            guard let path = paths.popFirst() else { return nil }
            if let event = begin(path) { return event }
        }
    }

    private func event(for entry: FileWalker.Entry, below root: ImportRoot) -> Event {
        let candidate = ImportCandidate(root: root, absolutePath: entry.path, folder: entry.folder)
        return entry.isRegular ? .candidate(candidate) : .passedOver(candidate.path)
    }

    /// Begins with a path: a folder is walked from then on, a file comes at once.
    private mutating func begin(_ path: FilePath) -> Event? {
        do throws(FileError) {
            let status = try FileStatus(path, followsLinks: true)
            guard let resolved = path.resolved() else { throw .system("find", path) }
            let root = ImportRoot(path, resolvedPath: resolved, isFile: status.kind != .folder)
            if root.isFile { return .candidate(ImportCandidate(root: root, absolutePath: resolved.bytes)) }
            do throws(FileError) {
                walk = (try FileWalker(resolved, leavingOut: quarantine?.folder), root)
            } catch {
                throw error.below(root)
            }
            return nil
        } catch {
            return .failure(error)
        }
    }
}

extension FileError {
    /// The same failure, with the path as an import was given it.
    func below(_ root: ImportRoot) -> FileError {
        var error = self
        if path == root.resolvedPath {
            error.path = root.path
        } else {
            let start = root.resolvedPath.appending("").bytes
            if path.bytes.starts(with: start) { error.path = root.path.appending(root.relativePath(of: path.bytes)) }
        }
        return error
    }
}
