/// What differs between two texts, line by line, in short.
struct LineDifference {
    /// Lines of the first text, `-7: uid INTEGER`, then those of the second that are in their place, `+7: uid TEXT`.
    var lines: [String]

    /// Compares from both ends towards the middle, where at most `limit` lines of each text are shown.
    init(from old: String, to new: String, limit: Int = 3) {
        let old = old.split(separator: "\n", omittingEmptySubsequences: false)
        let new = new.split(separator: "\n", omittingEmptySubsequences: false)
        let common = min(old.count, new.count)
        var start = 0
        while start < common, old[start] == new[start] { start += 1 }
        var end = 0
        while end < common - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        lines =
            Self.shown(old[start..<(old.count - end)], sign: "-", limit: limit)
            + Self.shown(new[start..<(new.count - end)], sign: "+", limit: limit)
    }

    private static func shown(_ lines: ArraySlice<Substring>, sign: String, limit: Int) -> [String] {
        let shown = zip(lines.indices, lines).prefix(limit).map { index, line in
            "\(sign)\(index + 1): \(line.drop(while: \.isWhitespace).prefix(80))"
        }
        return lines.count > limit ? shown + ["\(sign)… \(lines.count - limit) more"] : shown
    }
}
