/// Goes through the files of a folder and the folders below it, in the order of the bytes of their paths.
///
/// Memory holds some names of one folder a level. Symbolic links are met, and not followed.
struct FileWalker {
    /// A file that was met.
    struct Entry {
        /// The path from the folder that the walk began at.
        var relativePath: [UInt8]
        /// Whether it is a regular file, and no link, device, pipe or socket.
        var isRegular: Bool
    }

    /// A folder that the walk is in.
    private struct Level {
        var relativePath: [UInt8]
        var names: FolderNames
    }

    private let folder: FilePath
    private var levels: [Level]
    /// The path of a folder that is left out, from the folder that the walk began at.
    private let excluded: [UInt8]?
    /// Folders that could not be looked into.
    private var failures: [FileError] = []

    /// Begins at a folder.
    ///
    /// - Parameters:
    ///   - folder: where to begin; it is no symbolic link.
    ///   - excluded: the path, from there, of a folder to leave out.
    /// - Throws: ``FileError`` if it cannot be read.
    init(_ folder: FilePath, leavingOut excluded: [UInt8]? = nil) throws(FileError) {
        self.folder = folder
        self.excluded = excluded
        levels = excluded?.isEmpty == true ? [] : [Level(relativePath: [], names: try FolderNames(folder))]
    }

    /// The next file, or nil after the last. A folder that cannot be read is left out, and is one of ``takeFailures()``.
    mutating func next() -> Entry? {
        while let depth = levels.indices.last {
            guard let (name, kind) = nextName(at: depth) else {
                levels.removeLast()
                continue
            }
            let parent = levels[depth].relativePath
            let path = parent.isEmpty ? name : parent + [UInt8(ascii: "/")] + name
            if path == excluded { continue }
            guard kind == .folder else { return Entry(relativePath: path, isRegular: kind == .regular) }
            do throws(FileError) {
                levels.append(Level(relativePath: path, names: try FolderNames(folder.appending(path))))
            } catch {
                failures.append(error)
            }
        }
        return nil
    }

    private mutating func nextName(at depth: Int) -> (name: [UInt8], kind: FolderNames.Kind)? {
        do throws(FileError) {
            return try levels[depth].names.next()
        } catch {
            failures.append(error)
            return nil
        }
    }

    /// Takes the failures so far.
    mutating func takeFailures() -> [FileError] {
        defer { failures = [] }
        return failures
    }
}
