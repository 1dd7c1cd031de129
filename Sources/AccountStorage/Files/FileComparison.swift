internal import Glibc

/// What is in a place where a file is to be.
enum FileComparison {
    case nothing
    /// A file with the same bytes.
    case same(FileStatus)
    /// A file with other bytes, or one that cannot be read although it may be replaced.
    case other

    /// Compares.
    ///
    /// - Parameters:
    ///   - path: the place; a symbolic link is followed.
    ///   - bytes: what the file is to have in it.
    ///   - overwrites: whether what is there may be replaced whatever it is.
    /// - Throws: ``FileError`` for what is no regular file, or cannot be read.
    init(of path: FilePath, with bytes: [UInt8], overwrites: Bool) throws(FileError) {
        do throws(FileError) {
            let content = try FileContent.read(path, limit: bytes.count)
            self = content.bytes == bytes ? .same(content.status) : .other
        } catch {
            switch error.errorNumber {
            case ENOENT: self = .nothing
            case EFBIG: self = .other
            case _ where overwrites && !error.isInUse: self = .other
            default: throw error
            }
        }
    }
}
