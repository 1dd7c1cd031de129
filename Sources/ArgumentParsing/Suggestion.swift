/// What a user may have meant by a word that is not known.
enum Suggestion {
    /// `; did you mean '…'?`, or nothing if no candidate is near.
    static func sentence(for word: String, among candidates: [String], prefix: String = "") -> String {
        let near = nearest(to: word, among: candidates).map { "'\(prefix)\($0)'" }
        guard let last = near.last else { return "" }
        let others = near.dropLast().joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// Up to three candidates, all of the same and least distance from the word.
    static func nearest(to word: String, among candidates: [String]) -> [String] {
        let word = word.lowercased()
        // Nothing that is near a candidate is this long, and the distance takes time in the square of the length.
        guard !word.isEmpty, word.utf8.count <= 64 else { return [] }
        let extended = candidates.filter { word.count >= 2 && $0.lowercased().hasPrefix(word) }
        if !extended.isEmpty { return Array(extended.prefix(3)) }

        let limit = max(1, min(3, word.count / 3 + 1))
        let measured = candidates.map { (candidate: $0, distance: distance(word, $0.lowercased())) }
            .filter { $0.distance <= limit && $0.distance < $0.candidate.count - 1 }
        guard let least = measured.map(\.distance).min() else { return [] }
        return Array(measured.filter { $0.distance == least }.map(\.candidate).prefix(3))
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (character == other ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous.last ?? left.count
    }
}
