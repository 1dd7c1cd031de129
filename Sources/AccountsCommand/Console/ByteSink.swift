/// Where output goes: a file descriptor of the process, or memory in a test.
public protocol ByteSink: Sendable {
    /// Writes all of the bytes.
    ///
    /// - Throws: ``OutputError`` if they cannot all be written.
    func write(_ bytes: [UInt8]) throws(OutputError)

    /// Whether a person reads it, so that progress and colour make sense.
    var isTerminal: Bool { get }

    /// The columns of the terminal; nil if it is none.
    var columns: Int? { get }
}

/// Where input comes from: a file descriptor of the process, or memory in a test.
public protocol ByteSource: Sendable {
    /// Reads up to the end.
    ///
    /// - Parameter limit: the most bytes that are accepted.
    /// - Throws: ``InputError``, among others for input that is longer than the limit.
    func readAll(limit: Int) throws(InputError) -> [UInt8]

    /// Whether a person types it.
    var isTerminal: Bool { get }
}

/// Why output could not be written.
public struct OutputError: Error, Sendable, Hashable {
    /// What the system says.
    public var reason: String
    /// Whether the reader has gone, as `head` does when it has seen enough; nobody needs to be told then.
    public var isClosedPipe: Bool

    /// Makes an error.
    public init(reason: String, isClosedPipe: Bool) {
        self.reason = reason
        self.isClosedPipe = isClosedPipe
    }
}

/// Why input could not be read.
public struct InputError: Error, Sendable, Hashable {
    /// The kind of failure, under the word by which scripts know it: `unreadable` or `tooLarge`.
    public var code: String
    /// What happened, without the path.
    public var reason: String

    /// Makes an error.
    public init(code: String = "unreadable", reason: String) {
        self.code = code
        self.reason = reason
    }
}
