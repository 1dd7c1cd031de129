/// A file that an import looks at.
struct ImportCandidate: Sendable {
    /// The path as it was given or met.
    var path: FilePath
    /// The path below the folder that was given; for a file that was given, its name.
    var relativePath: [UInt8]
    /// Whether the file itself was given, so that it has to be an archive.
    var isNamed: Bool
    /// Which file it is; its path is the one that the file system knows it by.
    var identity: FileIdentity
}

/// Gives the files of an import one after the other: the paths in the order given, the files of a folder in the order of
/// the bytes of their names.
struct ImportSource {
    /// What comes next.
    enum Event {
        case candidate(ImportCandidate)
        /// Something in a folder that is no regular file.
        case passedOver(FilePath)
        case failure(FileError)
    }

    private var paths: ArraySlice<FilePath>
    private var walk: (walker: FileWalker, root: FilePath)?
    private var failures: [FileError] = []
    private let quarantine: Quarantine?

    /// Begins with the first of some paths.
    ///
    /// - Parameter quarantine: a folder that is left out where it is met in another.
    init(_ paths: [FilePath], leavingOut quarantine: Quarantine?) {
        self.paths = paths[...]
        self.quarantine = quarantine
    }

    /// The next file, or nil after the last.
    mutating func next() -> Event? {
        while true {
            if let failure = failures.popLast() { return .failure(failure) }
            if var walk {
                let entry = walk.walker.next()
                failures = walk.walker.takeFailures().reversed()
                self.walk = entry == nil ? nil : walk
                if let entry { return event(for: entry, below: walk.root) }
            } else if let path = paths.popFirst() {
                if let event = begin(path) { return event }
            } else {
                return nil
            }
        }
    }

    private func event(for entry: FileWalker.Entry, below root: FilePath) -> Event {
        guard let status = entry.status else { return .passedOver(entry.path) }
        let identity = FileIdentity(
            path: root.appending(entry.relativePath).bytes,
            size: status.size,
            modifiedAt: status.modifiedAt
        )
        return .candidate(
            ImportCandidate(path: entry.path, relativePath: entry.relativePath, isNamed: false, identity: identity)
        )
    }

    /// Begins with a path: a folder is walked from then on, a file comes at once.
    private mutating func begin(_ path: FilePath) -> Event? {
        do throws(FileError) {
            let status = try FileStatus(path, followsLinks: true)
            guard let resolved = path.resolved() else { throw .system("find", path) }
            if status.kind == .folder {
                walk = (try FileWalker(path, leavingOut: quarantine?.place(below: resolved)), resolved)
                return nil
            }
            let identity = FileIdentity(path: resolved.bytes, size: status.size, modifiedAt: status.modifiedAt)
            return .candidate(
                ImportCandidate(path: path, relativePath: path.name, isNamed: true, identity: identity)
            )
        } catch {
            return .failure(error)
        }
    }
}
