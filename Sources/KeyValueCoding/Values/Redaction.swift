/// How texts and names are shown where people or logs may see them.
public enum Redaction {
    /// A text that may be secret, in quotation marks: its first 4 characters and `…`.
    ///
    /// Of a text of fewer than 10 characters, which these would be much of, nothing is shown but `…`; an empty text is `""`. Characters are Unicode scalars; those that would break a line of output are escaped.
    public static func redact(_ text: String) -> String {
        text.isEmpty ? "\"\"" : "\"\(prefix(of: text))\""
    }

    /// The same without the quotation marks.
    public static func prefix(of text: String) -> String {
        guard !text.isEmpty else { return "" }
        let start = text.unicodeScalars.prefix(shortestShown)
        return start.count < shortestShown ? "…" : escape(start.prefix(4)) + "…"
    }

    /// A key or the name of a class on one line.
    ///
    /// What is longer than names are, begins with a digit as none does, or has digits as tokens have them may be a token, and is cut. Numbers stay.
    public static func name(_ name: String) -> String {
        let start = name.unicodeScalars.prefix(longestNumber + 1)
        if start.allSatisfy({ "0123456789+-.eE".unicodeScalars.contains($0) }) {
            return start.count <= longestNumber ? escape(start) : escape(start.prefix(longestNumber)) + "…"
        }
        if start.count > 8, let first = start.first, ("0"..."9").contains(first) { return prefix(of: name) }
        if start.count >= shortestToken, hasDigitsOfToken(start) { return prefix(of: name) }
        if start.count > longestName { return escape(start.prefix(12)) + "…" }
        return escape(start)
    }

    /// A pattern for the name of a class, in which `*` stands for any text: the name, or, of one that ``name(_:)`` cuts, the beginning that it shows.
    package static func pattern(of name: String) -> String {
        let shown = Self.name(name)
        guard shown.hasSuffix("…"), !name.hasSuffix("…") else { return name }
        let start = shown.dropLast()
        return (name.hasPrefix(start) ? start : "") + "*"
    }

    private static let shortestShown = 10
    /// One less than a digest in hexadecimal has.
    private static let longestName = 31
    private static let shortestToken = 16
    private static let longestNumber = 64

    /// Whether digits stand in three places, or are six. Names have a version in them, or the two lengths of a Swift class in a module.
    private static func hasDigitsOfToken(_ scalars: some Collection<Unicode.Scalar>) -> Bool {
        var (places, digits, isDigit) = (0, 0, false)
        for scalar in scalars {
            let wasDigit = isDigit
            isDigit = ("0"..."9").contains(scalar)
            if isDigit { digits += 1 }
            if isDigit, !wasDigit { places += 1 }
        }
        return places >= 3 || digits >= 6
    }

    /// Names in quotation marks, the first 16 of them.
    static func list(_ names: some Sequence<String>, sorted: Bool = true) -> String {
        let all = sorted ? names.sorted() : Array(names)
        guard !all.isEmpty else { return "no keys" }
        let shown = all.prefix(16).map { "\"\(name($0))\"" }.joined(separator: ", ")
        return all.count > 16 ? "\(shown) and \(all.count - 16) more" : shown
    }

    private static func escape(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in scalars {
            switch scalar.properties.generalCategory {
            // Also marks that reverse the direction of text, and separators of lines.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
