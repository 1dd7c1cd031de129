/// Finds any of many runs of bytes in others, in steps that grow with their length alone.
struct BytePatterns {
    /// The next node by node and byte; node 0 is before the first byte.
    private var next: [UInt64: Int] = [:]
    /// What it means to have come to a node.
    private var nodes: [Node] = [.inside]
    private var isFirst = [Bool](repeating: false, count: 256)

    private enum Node {
        case inside
        case end
        /// The pattern goes on, but is not kept any further.
        case endless
    }

    /// So many bytes are a match even if the pattern has more: a copy may be cut off, and steps back stay short.
    private static let enough = 128
    /// So many bytes of a pattern are kept.
    private static let most = 4_096

    /// Whether there is no pattern.
    var isEmpty: Bool { nodes.count == 1 }

    /// Adds a pattern; an empty one is none.
    mutating func insert(_ pattern: some Sequence<UInt8>) {
        var node = 0
        for (index, byte) in pattern.enumerated() {
            guard index < Self.most else {
                nodes[node] = .endless
                return
            }
            if index == 0 { isFirst[Int(byte)] = true }
            let step = Self.step(node, byte)
            if let known = next[step] {
                node = known
            } else {
                next[step] = nodes.count
                node = nodes.count
                nodes.append(.inside)
            }
        }
        if node != 0, nodes[node] == .inside { nodes[node] = .end }
    }

    /// Where patterns are, the longest at each place; they do not overlap.
    func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard isFirst[Int(bytes[index])], let end = end(of: bytes, from: index) else {
                index += 1
                continue
            }
            ranges.append(index..<end)
            index = end
        }
        return ranges
    }

    /// Whether a pattern is in the bytes.
    func match(in bytes: [UInt8]) -> Bool {
        !isEmpty && bytes.indices.contains { isFirst[Int(bytes[$0])] && end(of: bytes, from: $0) != nil }
    }

    private func end(of bytes: [UInt8], from start: Int) -> Int? {
        var node = 0
        var end: Int?
        for index in start..<bytes.count {
            guard let known = next[Self.step(node, bytes[index])] else { break }
            node = known
            switch nodes[node] {
            case .endless: return bytes.count
            case .end: end = index + 1
            case .inside: if index + 1 - start >= Self.enough { end = index + 1 }
            }
        }
        return end
    }

    private static func step(_ node: Int, _ byte: UInt8) -> UInt64 { UInt64(node) << 8 | UInt64(byte) }
}
