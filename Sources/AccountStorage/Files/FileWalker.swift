/// Goes through the files of a folder and the folders below it, in the order of the bytes of their paths.
///
/// Memory holds some names of one folder a level. Symbolic links are met, and not followed.
struct FileWalker {
    /// A file that was met.
    struct Entry {
        /// The path, which begins with that of the folder where the walk began.
        var path: [UInt8]
        /// The folder that it is in, if that is kept open.
        var folder: OpenFolder?
        /// Whether it is a regular file, and no link, device, pipe or socket.
        var isRegular: Bool
    }

    /// A folder that the walk is in.
    private struct Level {
        /// The path with a slash behind it.
        var path: [UInt8]
        var names: FolderNames
    }

    private var levels: [Level]
    /// The path of a folder that is left out.
    private let excluded: [UInt8]?
    /// Folders that could not be looked into.
    private var failures: [FileError] = []

    /// Begins at a folder.
    ///
    /// - Parameters:
    ///   - folder: where to begin; it is no symbolic link.
    ///   - excluded: the path of a folder to leave out.
    /// - Throws: ``FileError`` if it cannot be read.
    init(_ folder: FilePath, leavingOut excluded: FilePath? = nil) throws(FileError) {
        self.excluded = excluded?.bytes
        let isExcluded = excluded == folder
        levels = isExcluded ? [] : [Level(path: folder.appending("").bytes, names: try FolderNames(folder))]
    }

    /// The next file, or nil after the last. A folder that cannot be read is left out, and is one of ``takeFailures()``.
    mutating func next() -> Entry? {
        while let depth = levels.indices.last {
            guard let (name, kind) = nextName(at: depth) else {
                levels.removeLast()
                continue
            }
            let path = levels[depth].path + name
            guard kind == .folder else {
                return Entry(path: path, folder: levels[depth].names.openFolder, isRegular: kind == .regular)
            }
            if path == excluded { continue }
            do throws(FileError) {
                let names = try FolderNames(FilePath(withoutNUL: path))
                levels.append(Level(path: path + [UInt8(ascii: "/")], names: names))
            } catch {
                failures.append(error)
            }
        }
        return nil
    }

    private mutating func nextName(at depth: Int) -> (name: ArraySlice<UInt8>, kind: FolderNames.Kind)? {
        do throws(FileError) {
            return try levels[depth].names.next()
        } catch {
            failures.append(error)
            return nil
        }
    }

    /// Takes the failures so far.
    mutating func takeFailures() -> [FileError] {
        if failures.isEmpty { return [] }
        defer { failures = [] }
        return failures
    }
}
