internal import Glibc

/// An open file of the process. It is not closed when this value goes.
public struct FileDescriptor: ByteSink, ByteSource {
    /// The number that the system knows it by.
    public let number: Int32

    /// Takes an open file.
    public init(_ number: Int32) {
        self.number = number
    }

    /// The standard input of the process.
    public static let standardInput = FileDescriptor(STDIN_FILENO)
    /// The standard output of the process.
    public static let standardOutput = FileDescriptor(STDOUT_FILENO)
    /// The standard error of the process.
    public static let standardError = FileDescriptor(STDERR_FILENO)

    /// Makes sure that no file that is opened later gets the number of a standard stream which the process was started
    /// without; or what is printed would be written into it. Using such a stream stays an error.
    public static func reserveStandardStreams() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is the one that is missing.
            _ = open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY))
        }
    }

    /// Whether it is a terminal.
    public var isTerminal: Bool { isatty(number) == 1 }

    /// The width of the terminal.
    public var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all of the bytes, however few the system takes at a time.
    public func write(_ bytes: [UInt8]) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, failure) = rest.withUnsafeBytes { (Glibc.write(number, $0.baseAddress, $0.count), errno) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if failure == EAGAIN {
                waitUntilReady(for: POLLOUT)
            } else if failure != EINTR {
                throw OutputError(reason: SystemFailure.text(failure), isClosedPipe: failure == EPIPE)
            }
        }
    }

    /// Reads up to the end of the file.
    public func readAll(limit: Int) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let (count, failure) = buffer.withUnsafeMutableBytes { buffer in
                (Glibc.read(number, buffer.baseAddress, buffer.count), errno)
            }
            if count == 0 { return bytes }
            if count > 0 {
                bytes += buffer.prefix(count)
                guard bytes.count <= limit else {
                    throw InputError(code: "tooLarge", reason: "there are more than \(limit) bytes, which is the limit")
                }
            } else if failure == EAGAIN {
                waitUntilReady(for: POLLIN)
            } else if failure != EINTR {
                throw InputError(reason: "cannot read: \(SystemFailure.text(failure))")
            }
        }
    }

    /// Waits for a file that another program has set not to block.
    private func waitUntilReady(for events: Int32) {
        var request = pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0)
        _ = poll(&request, 1, -1)
    }
}

/// The words that the system has for its failures.
enum SystemFailure {
    /// The text for a number of `errno`.
    static func text(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }
}
