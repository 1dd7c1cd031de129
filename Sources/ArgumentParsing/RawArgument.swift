/// An argument as the system passed it: bytes that need not be UTF-8.
///
/// A path on Linux may hold any byte but `/` and NUL, so paths are kept as they came. There is no NUL in an argument.
public struct RawArgument: Sendable, Hashable {
    /// The bytes, without the terminating NUL.
    public let bytes: [UInt8]

    /// An argument of these bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// An argument that is the UTF-8 form of a text.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The text, if the bytes are UTF-8; `nil` otherwise.
    public var exactText: String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The text, with `U+FFFD` for what is not UTF-8. For people, not for opening files.
    public var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The argument in single quotes for a message on a terminal: control characters and bytes that are not UTF-8
    /// are escaped, and of a long argument, which may be a secret, only the beginning is shown.
    public var quoted: String {
        Quotation.quote(bytes)
    }

    /// Whether this is `-`, which stands for standard input or output where a file is expected.
    public var isStandardStream: Bool {
        bytes == [UInt8(ascii: "-")]
    }
}

extension RawArgument: ExpressibleByStringLiteral {
    /// An argument that is the UTF-8 form of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension RawArgument: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}

extension RawArgument {
    /// The bytes that end the options.
    static let terminator = RawArgument("--")

    /// Whether the argument stands where an option may stand: a dash and something other than a digit after it.
    ///
    /// A digit makes it a negative number; no short option is a digit.
    var looksLikeOption: Bool {
        guard bytes.count > 1, bytes.first == UInt8(ascii: "-") else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1])
    }

    /// Whether the argument begins with two dashes.
    var isLong: Bool {
        bytes.starts(with: RawArgument.terminator.bytes)
    }
}
