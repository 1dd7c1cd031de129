internal import Glibc

/// A thread of the operating system's, for work that may block.
package enum SystemThread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that ends when `body` returns; nobody waits for it.
    ///
    /// - Returns: Whether the system gave a thread.
    package static func start(name: String, body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Start(name: name, body: body)).toOpaque()
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, run, context) == 0 else {
            unsafe Unmanaged<Start>.fromOpaque(context).release()
            return false
        }
        _ = pthread_detach(thread)
        return true
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context = unsafe context else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        setName(start.name)
        start.body()
        return nil
    }

    /// Names the running thread, for debuggers. Glibc's own call for it is not visible to Swift.
    private static func setName(_ name: String) {
        let descriptor = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = unsafe write(descriptor, name, name.utf8.count)
        _ = close(descriptor)
    }
}
