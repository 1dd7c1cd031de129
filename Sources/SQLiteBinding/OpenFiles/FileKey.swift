internal import Glibc

/// What tells a file from all others, under whatever name: the device that it is on, and its number there.
package struct FileKey: Hashable, Sendable {
    /// The device, which is that of the whole file system.
    package let device: UInt64
    private let inode: UInt64

    /// Takes it from what the system says of a file.
    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// Asks for a path, symbolic links followed; nil if nothing is there.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Asks for an open file; nil if it cannot be asked.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
