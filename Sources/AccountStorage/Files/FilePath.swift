internal import Glibc

/// A path as the bytes that the file system has, which need not be text.
public struct FilePath: Sendable, Hashable {
    /// The bytes, without a NUL.
    public let bytes: [UInt8]

    /// Makes a path from bytes; they end at the first NUL.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.prefix { $0 != 0 })
    }

    /// Makes a path from bytes that have no NUL among them.
    init(withoutNUL bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes a path from text.
    public init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// The path with a name below it.
    public func appending(_ name: some Sequence<UInt8>) -> FilePath {
        var path = bytes
        if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
        path.append(contentsOf: name.prefix { $0 != 0 })
        return FilePath(withoutNUL: path)
    }

    /// The path with a name below it.
    public func appending(_ name: String) -> FilePath { appending(name.utf8) }

    /// The folder that the path is in.
    public var parent: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
        return FilePath(bytes: slash == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<slash]))
    }

    /// The last part of the path.
    public var name: [UInt8] {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[($0 + 1)...]) } ?? bytes
    }

    /// The path with its symbolic links and dots resolved, or nil if nothing is there.
    func resolved() -> FilePath? {
        let pointer = unsafe withCString { unsafe realpath($0, nil) }
        guard let pointer = unsafe pointer else { return nil }
        defer { unsafe free(pointer) }
        return unsafe FilePath(bytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    /// Calls with the path as C has it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            unsafe bytes.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            unsafe buffer[bytes.count] = 0
            guard let text = buffer.baseAddress else { return unsafe try body("") }
            return unsafe try body(text)
        }
    }
}

extension FilePath: CustomStringConvertible {
    /// The path as text; bytes that are none are replaced.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// Why a file could not be read or written.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var path: FilePath
    /// What happened and what can be done, without the path.
    public var reason: String
    /// The number that the system gives the failure; 0 if it was not the system that failed.
    public var errorNumber: Int32
    /// Whether it is a file of a database that this process has in use.
    private(set) var isInUse = false

    /// The path and the reason.
    public var description: String { "\(path): \(reason)" }

    /// Whether there was no space left for the file.
    var isDiskFull: Bool { errorNumber == ENOSPC || errorNumber == EDQUOT }

    init(_ path: FilePath, _ reason: String, errorNumber: Int32 = 0) {
        self.path = path
        self.reason = reason
        self.errorNumber = errorNumber
    }

    /// The refusal of a file of a database that is in use.
    static func inUse(_ path: FilePath, _ reason: String) -> FileError {
        var error = FileError(path, "cannot open: \(reason); name another file")
        error.isInUse = true
        return error
    }

    /// The last failure of a call to the system, which was to do something to a file.
    static func system(_ action: String, _ path: FilePath, errorNumber: Int32 = errno) -> FileError {
        let text = unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
        return FileError(path, "cannot \(action): \(text)", errorNumber: errorNumber)
    }
}
