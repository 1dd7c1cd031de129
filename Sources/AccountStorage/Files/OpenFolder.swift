internal import Glibc

/// A folder that is kept open, from which its files are reached without walking their whole paths.
final class OpenFolder: Sendable {
    /// Each of these takes one of the descriptors that a process has, of which others may need many.
    private static let descriptorLimit: Int32 = 256

    fileprivate let descriptor: Int32

    /// Keeps a folder open, if there are descriptors to spare.
    ///
    /// - Parameter other: an open folder, which stays open by itself.
    init?(copying other: Int32) {
        let copy = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        guard copy < Self.descriptorLimit else {
            close(copy)
            return nil
        }
        descriptor = copy
    }

    deinit {
        close(descriptor)
    }
}

extension FilePath {
    /// Calls with where the system begins to look, and what it looks for from there: the name in the folder that the path is in if that is
    /// open, else the path.
    func withPlace<Result>(
        in folder: OpenFolder?,
        _ body: (_ descriptor: Int32, UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        guard let folder, let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
            return try unsafe withCString { unsafe try body(AT_FDCWD, $0) }
        }
        return try unsafe withCString { unsafe try body(folder.descriptor, $0 + slash + 1) }
    }
}
