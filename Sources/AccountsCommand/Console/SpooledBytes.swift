internal import Glibc
internal import Synchronization

/// Bytes that are collected before they are written: some in memory, and what is too much for it in a temporary file.
final class SpooledBytes: Sendable {
    private struct State {
        var memory: [UInt8] = []
        /// The file, which has no name and goes with the descriptor.
        var file: Int32?
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many bytes are kept in memory before they go into the file.
    init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    deinit {
        state.withLock { if let file = $0.file { close(file) } }
    }

    /// Appends bytes. Where no file can be had they stay in memory.
    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            state.memory += bytes
            guard state.memory.count >= limit, let file = state.file ?? Self.makeFile() else { return }
            state.file = file
            if (try? FileDescriptor(file).write(state.memory)) != nil {
                state.memory.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Gives all bytes, in their order, a piece at a time.
    ///
    /// - Throws: what the closure throws, and ``InputError`` if they cannot be read back.
    func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        let (file, memory) = state.withLock { ($0.file, $0.memory) }
        if let file {
            var offset: off_t = 0
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = pread(file, &buffer, buffer.count, offset)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw InputError(reason: SystemFailure.text(errno)) }
                if count == 0 { break }
                try body(Array(buffer.prefix(count)))
                offset += off_t(count)
            }
        }
        if !memory.isEmpty { try body(memory) }
    }

    private static func makeFile() -> Int32? {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/accounts-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return descriptor
    }
}
