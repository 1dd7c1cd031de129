internal import Glibc

/// Goes through the files of a folder and the folders below it, in the order of the bytes of their names.
///
/// Memory holds the names of one folder a level. Symbolic links are met, and not followed.
struct FileWalker {
    /// A file that was met.
    struct Entry {
        var path: FilePath
        /// The path from the folder that the walk began at.
        var relativePath: [UInt8]
        /// Nil for something other than a regular file: a link, a device, a pipe or a socket.
        var status: FileStatus?
    }

    /// A folder that the walk is in, with the names that are still to come, the next one last.
    private struct Level {
        var path: FilePath
        var relativePath: [UInt8]
        var names: [[UInt8]]
    }

    private var levels: [Level] = []
    /// The path of a folder that is left out, from the folder that the walk began at.
    private let excluded: [UInt8]?
    /// Folders and files that could not be looked into.
    private(set) var failures: [FileError] = []

    /// Begins at a folder.
    ///
    /// - Parameters:
    ///   - folder: where to begin.
    ///   - excluded: the path, from there, of a folder to leave out.
    /// - Throws: ``FileError`` if it cannot be read.
    init(_ folder: FilePath, leavingOut excluded: [UInt8]? = nil) throws(FileError) {
        self.excluded = excluded
        levels = [Level(path: folder, relativePath: [], names: try FileWalker.names(in: folder))]
    }

    /// The next file, or nil after the last. A folder that cannot be read is left out and noted in ``failures``.
    mutating func next() -> Entry? {
        while var level = levels.popLast() {
            guard let name = level.names.popLast() else { continue }
            levels.append(level)
            let path = level.path.appending(name)
            let relativePath = level.relativePath.isEmpty ? name : level.relativePath + [UInt8(ascii: "/")] + name
            if relativePath == excluded { continue }
            do {
                let status = try FileStatus(path, followsLinks: false)
                switch status.kind {
                case .folder:
                    levels.append(
                        Level(path: path, relativePath: relativePath, names: try FileWalker.names(in: path))
                    )
                case .regular:
                    return Entry(path: path, relativePath: relativePath, status: status)
                case .symbolicLink, .other:
                    return Entry(path: path, relativePath: relativePath, status: nil)
                }
            } catch {
                failures.append(error)
            }
        }
        return nil
    }

    /// Takes the failures so far.
    mutating func takeFailures() -> [FileError] {
        defer { failures = [] }
        return failures
    }

    /// The names in a folder, the first in the order of bytes last.
    private static func names(in folder: FilePath) throws(FileError) -> [[UInt8]] {
        guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else {
            throw .system("open the folder", folder)
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .system("read the folder", folder) }
        return names.sorted { $1.lexicographicallyPrecedes($0) }
    }
}
