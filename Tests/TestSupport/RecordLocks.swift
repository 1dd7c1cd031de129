internal import Glibc

/// The locks by which processes keep one another from a file.
package enum RecordLocks {
    /// Whether this process has one on a file, as an open file of its own sees it.
    ///
    /// That one stays open: closing it would take the locks away.
    package static func isHeld(on path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // F_OFD_GETLK, which asks for locks of other owners than this open file, and is not in the headers by default.
        return fcntl(descriptor, 36, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}
