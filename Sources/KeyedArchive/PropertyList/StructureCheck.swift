/// Checks what can only be seen once all objects of a property list are known: that keys are texts and no
/// dictionary has one twice, and that containers neither contain themselves nor nest too deeply.
///
/// Linear in the objects and references, without recursion. Objects that nothing refers to are checked like all others.
struct StructureCheck {
    /// The most objects that can be told apart here.
    static let mostObjects = Int(Height.leaf) - 1

    /// What is known of an object: how many containers it is deep, or one of these.
    private enum Height {
        static let leaf: UInt32 = 0xFFFF_FFFF
        static let text: UInt32 = 0xFFFF_FFFE
        static let unvisited: UInt32 = 0xFFFF_FFFD
        /// A container that is being visited: one that is met again contains itself.
        static let open: UInt32 = 0xFFFF_FFFC
        static let most: UInt32 = 0xFFFF_FFF0
    }

    private let depth: UInt32
    private var heights: [UInt32]
    private var keys: KeyCheck

    /// Checks `list`, whose references are in range; `bytes` are those of the binary file that it was read from.
    ///
    /// - Throws: `badKey`, `duplicateKey`, `cycle`, or `tooDeep` if containers nest in more than `depth` levels.
    static func run(_ list: PropertyList, bytes: ByteView? = nil, depth: Int) throws(ArchiveError) {
        var check = StructureCheck(list.nodes.span, bytes: bytes, depth: depth)
        // A container is written before its contents as a rule, so that backwards its contents are known already.
        for index in stride(from: list.nodes.count - 1, through: 0, by: -1)
        where check.heights[index] == Height.unvisited {
            try check.visit(index, in: list)
        }
    }

    private init(_ nodes: Span<PropertyList.Node>, bytes: ByteView?, depth: Int) {
        self.depth = UInt32(clamping: min(max(depth, 0), Int(Height.most)))
        keys = KeyCheck(bytes: bytes)
        heights = [UInt32](filling: nodes.count) { heights in
            for index in nodes.indices {
                switch nodes[index] {
                case .array, .set, .dictionary: heights.append(Height.unvisited)
                case .text: heights.append(Height.text)
                default: heights.append(Height.leaf)
                }
            }
        }
    }

    /// The references from a container to what it contains, once its keys are checked.
    @inline(__always)
    private mutating func contents(of index: Int, in list: PropertyList) throws(ArchiveError) -> Range<Int> {
        switch list.nodes[index] {
        case .array(let run), .set(let run):
            return run.start..<(run.start + run.count)
        case .dictionary(let run):
            for position in run.start..<(run.start + run.count) where heights[list.references[position]] != Height.text
            {
                throw badKey(position - run.start, of: index, target: list.references[position], in: list)
            }
            try keys.check(run, of: index, in: list)
            return (run.start + run.count)..<(run.start + 2 * run.count)
        default:
            return 0..<0
        }
    }

    private func badKey(_ number: Int, of index: Int, target: Int, in list: PropertyList) -> ArchiveError {
        ArchiveError(
            .badKey,
            at: list.byteOffset(of: index),
            "key \(number) of the dictionary that is object \(index) is object \(target), which is no text"
        )
    }

    /// Finds the height of a container, and of all that it contains.
    @inline(__always)
    private mutating func visit(_ index: Int, in list: PropertyList) throws(ArchiveError) {
        let contents = try contents(of: index, in: list)
        var height: UInt32 = 0
        for position in contents {
            let inner = heights[list.references[position]]
            if inner >= Height.text { continue }
            guard inner < Height.open else { return try visitDeeply(index, contents: contents, in: list) }
            height = max(height, inner)
        }
        try close(index, above: height, in: list)
    }

    @inline(__always)
    private mutating func close(_ index: Int, above height: UInt32, in list: PropertyList) throws(ArchiveError) {
        guard height < depth else { throw tooDeep(index, in: list) }
        heights[index] = height + 1
    }

    /// A container whose contents are being visited.
    private struct Frame {
        var index: Int
        var contents: Range<Int>
        var height: UInt32 = 0
    }

    /// The same as ``visit(_:in:)`` for a container that refers to one before it, by a stack of its own.
    private mutating func visitDeeply(
        _ index: Int,
        contents: Range<Int>,
        in list: PropertyList
    ) throws(ArchiveError) {
        var stack = [Frame(index: index, contents: contents)]
        heights[index] = Height.open
        while var frame = stack.popLast() {
            var next: Int?
            while let position = frame.contents.first, next == nil {
                let target = list.references[position]
                let inner = heights[target]
                switch inner {
                case Height.open: throw cycle(target, stack: stack + [frame], in: list)
                case Height.unvisited: next = target
                case Height.text, Height.leaf: frame.contents.removeFirst()
                default:
                    frame.height = max(frame.height, inner)
                    frame.contents.removeFirst()
                }
            }
            guard let next else {
                try close(frame.index, above: frame.height, in: list)
                continue
            }
            stack.append(frame)
            guard stack.count < Int(depth) else { throw tooDeep(index, in: list) }
            stack.append(Frame(index: next, contents: try self.contents(of: next, in: list)))
            heights[next] = Height.open
        }
    }

    private func tooDeep(_ index: Int, in list: PropertyList) -> ArchiveError {
        ArchiveError(
            .tooDeep,
            at: list.byteOffset(of: index),
            "the containers in object \(index) are nested more than \(depth) deep, which is the limit"
        )
    }

    private func cycle(_ target: Int, stack: [Frame], in list: PropertyList) -> ArchiveError {
        let path = stack.drop { $0.index != target }.dropFirst().prefix(8).map { String($0.index) }
        let way = path.isEmpty ? "" : " by way of object \(path.joined(separator: ", "))"
        return ArchiveError(
            .cycle,
            at: list.byteOffset(of: target),
            "the container that is object \(target) contains itself\(way)"
        )
    }
}

extension PropertyList {
    /// Where the object at `index` starts in the file, if the list was read from one.
    func byteOffset(of index: Int) -> Int? {
        sources.indices.contains(index) ? sources[index].lowerBound : nil
    }
}
