/// Why a text is not the JSON that it should be. Shows nothing of what strings hold.
public struct JSONError: Error, Sendable, Equatable {
    /// The kind of failure, under the word by which scripts know it.
    public enum Code: String, Sendable, CaseIterable {
        /// There is nothing but white space.
        case empty
        /// The text ends before the value does.
        case truncated
        /// A byte that has no place there.
        case unexpectedByte
        /// Something follows the value.
        case trailingBytes
        /// Digits that make no number of JSON.
        case badNumber
        /// A string that is not UTF-8, or has an unknown escape, half of a surrogate pair or a raw control character.
        case badString
        /// An object that has one key twice.
        case duplicateKey
        /// An object with a `$` key that stands for no value.
        case badTag
        /// Containers nested more deeply than the limit.
        case tooDeep
        /// More bytes than the limit.
        case tooLarge
    }

    /// The kind of failure.
    public var code: Code
    /// Where, in bytes from the start.
    public var byteOffset: Int
    /// The line, from 1.
    public var line: Int
    /// The column in characters (Unicode scalars), from 1.
    public var column: Int
    /// What was found and what was expected.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, byteOffset: Int, line: Int, column: Int, _ reason: String) {
        self.code = code
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// Makes an error for a place in a text; counts lines and columns.
    init(_ code: Code, at offset: Int, in text: Span<UInt8>, _ reason: String) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, text.count) {
            if text[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if text[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(code, byteOffset: offset, line: line, column: column, reason)
    }
}

extension JSONError: CustomStringConvertible {
    /// The place and the reason, on one line.
    public var description: String {
        "line \(line), column \(column) (byte \(byteOffset)): \(reason)"
    }
}
