/// What lies between statements.
enum SQLText {
    /// What ``skipBlank(_:from:)`` found.
    struct Blank {
        /// Where the first byte is that belongs to a statement; the text's end if there is none.
        var end: Int
        /// Where a comment begins that is never closed.
        var unclosedComment: Int?
    }

    /// Passes over white space, comments, semicolons and a byte order mark, as SQLite's tokenizer does.
    static func skipBlank(_ text: ArraySlice<UInt8>, from start: Int) -> Blank {
        var index = start
        func isAt(_ place: Int, _ byte: Unicode.Scalar) -> Bool {
            place < text.endIndex && text[place] == UInt8(ascii: byte)
        }
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: " "), 9, 10, 12, 13, UInt8(ascii: ";"):
                index += 1
            case 0xEF where text[index...].starts(with: [0xEF, 0xBB, 0xBF]):
                index += 3
            case UInt8(ascii: "-") where isAt(index + 1, "-"):
                index = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            case UInt8(ascii: "/") where isAt(index + 1, "*"):
                var close = index + 2
                while close < text.endIndex, !(isAt(close, "*") && isAt(close + 1, "/")) { close += 1 }
                guard close < text.endIndex else { return Blank(end: text.endIndex, unclosedComment: index) }
                index = close + 2
            default:
                return Blank(end: index)
            }
        }
        return Blank(end: index)
    }
}
