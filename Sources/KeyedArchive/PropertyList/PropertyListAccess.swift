/// Reading single parts of a property list.
extension PropertyList {
    /// The node under a key of a dictionary, or nil.
    func value(forKey key: String, in dictionary: Run) -> Int? {
        for entry in 0..<dictionary.count where isText(key, at: references[dictionary.start + entry]) {
            return references[dictionary.start + dictionary.count + entry]
        }
        return nil
    }

    /// The node under one of the archiver's own keys, which are ASCII, or nil.
    @inline(__always)
    func value(forASCII key: String, in dictionary: Run) -> Int? {
        for entry in 0..<dictionary.count where isASCIIText(key, at: references[dictionary.start + entry]) {
            return references[dictionary.start + dictionary.count + entry]
        }
        return nil
    }

    /// Whether a node is a certain text of ASCII characters only.
    @inline(__always)
    func isASCIIText(_ text: String, at node: Int) -> Bool {
        guard case .text(let found) = nodes[node] else { return false }
        return found.isIdentical(toASCII: text)
    }

    /// Whether a node is a certain text, to the code unit: `==` takes texts that look alike for equal.
    func isText(_ text: String, at node: Int) -> Bool {
        guard case .text(let found) = nodes[node] else { return false }
        return found.isIdentical(to: text)
    }

    /// The entries of a dictionary in the order of the file.
    func entries(of dictionary: Run) -> [(key: String, node: Int)] {
        var entries: [(key: String, node: Int)] = []
        entries.reserveCapacity(dictionary.count)
        for entry in 0..<dictionary.count {
            guard case .text(let key) = nodes[references[dictionary.start + entry]] else { continue }
            entries.append((key, references[dictionary.start + dictionary.count + entry]))
        }
        return entries
    }

    /// The elements of an array or a set.
    func elements(of run: Run) -> ArraySlice<Int> {
        references[run.start..<run.start + run.count]
    }

    /// What a node is, in words for a message.
    func kind(of node: Int) -> String {
        switch nodes[node] {
        case .bool: "a bool"
        case .integer: "an integer"
        case .real: "a real"
        case .date: "a date"
        case .data: "data"
        case .text: "text"
        case .uid: "a reference"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        }
    }

    /// An error about a node, with its place in the file.
    func error(
        _ code: ArchiveError.Code,
        at node: Int,
        object: Int? = nil,
        keyPath: String = "",
        _ reason: String
    ) -> ArchiveError {
        let place = node < sources.count ? sources[node].lowerBound : nil
        return ArchiveError(code, at: place, object: object, keyPath: keyPath, reason)
    }
}

extension String {
    /// Whether two texts have the same code units. `==` also takes texts for equal that are canonically equivalent.
    @inline(__always)
    func isIdentical(to other: String) -> Bool {
        isIdentical(toASCII: other) && hasSameBytes(as: other)
    }

    /// Whether a text has the same code units as one that is known to be ASCII. What is canonically equivalent to ASCII
    /// text and is not the same takes more bytes, so that nothing more has to be compared.
    @inline(__always)
    func isIdentical(toASCII other: String) -> Bool {
        utf8.count == other.utf8.count && self == other
    }

    private func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in unsafe UnsafeRawBufferPointer(left).hasSameBytes(as: .init(right)) }
        }
    }
}

/// A text that equals another only when they have the same code units.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.isIdentical(to: right.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
