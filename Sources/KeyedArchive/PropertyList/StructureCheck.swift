/// Checks what can only be seen once all objects of a property list are known: that keys are texts and no
/// dictionary has one twice, and that containers neither contain themselves nor nest too deeply.
///
/// Linear in the objects and references, without recursion. Objects that nothing refers to are checked like all others.
struct StructureCheck {
    /// The most objects that can be told apart here.
    static let mostObjects = Int(UInt32.max) - 1

    /// What is known of an object: how many containers it is deep, or one of these.
    struct Height: Comparable {
        let value: UInt32

        static let leaf = Height(value: 0xFFFF_FFFF)
        static let text = Height(value: 0xFFFF_FFFE)
        static let unvisited = Height(value: 0xFFFF_FFFD)
        /// A container that is being visited: one that is met again contains itself.
        static let open = Height(value: 0xFFFF_FFFC)
        static let most = Height(value: 0xFFFF_FFF0)

        static func < (left: Height, right: Height) -> Bool { left.value < right.value }

        /// What is known of a node before its contents are visited.
        init(_ node: PropertyList.Node) {
            switch node {
            case .array, .set, .dictionary: self = .unvisited
            case .text: self = .text
            default: self = .leaf
            }
        }

        private init(value: UInt32) { self.value = value }

        /// The height of a container above contents of this one.
        var above: Height { Height(value: value + 1) }

        static let none = Height(value: 0)

        /// The height of so many containers.
        static func levels(_ count: Int) -> Height {
            Height(value: UInt32(clamping: min(max(count, 0), Int(most.value))))
        }
    }

    private let depth: Height
    private var heights: [Height]
    private var keys: KeyCheck

    /// Checks `list`, whose references are in range.
    ///
    /// - Parameters:
    ///   - list: the property list.
    ///   - bytes: those of the binary file that it was read from.
    ///   - heights: what is known of its nodes, if that is known already.
    ///   - depth: how many levels of containers there may be.
    /// - Throws: `badKey`, `duplicateKey`, `cycle`, or `tooDeep`.
    static func run(
        _ list: PropertyList,
        bytes: ByteView? = nil,
        heights: consuming [Height]? = nil,
        depth: Int
    ) throws(ArchiveError) {
        var heights = heights ?? list.nodes.map(Height.init)
        var keys = KeyCheck(bytes: bytes)
        var index = try visitBackwards(list, &heights, &keys, depth: .levels(depth))
        guard index > 0 else { return }
        var check = StructureCheck(depth: .levels(depth), heights: heights, keys: keys)
        while index > 0 {
            index -= 1
            if check.heights[index] == .unvisited { try check.visit(index, in: list) }
        }
    }

    /// Visits the containers from the last one on, as long as the heights of what they contain are known.
    ///
    /// A container is written before its contents as a rule, so that this is the whole work.
    ///
    /// - Returns: How many objects are left.
    private static func visitBackwards(
        _ list: PropertyList,
        _ known: inout [Height],
        _ keys: inout KeyCheck,
        depth: Height
    ) throws(ArchiveError) -> Int {
        let (nodes, references) = (list.nodes.span, list.references.span)
        var heights = known.mutableSpan
        var index = nodes.count
        while index > 0 {
            index -= 1
            guard heights[index] == .unvisited else { continue }
            let contents: Range<Int>
            switch nodes[index] {
            case .array(let run), .set(let run): contents = run.start..<(run.start + run.count)
            case .dictionary(let run):
                contents = (run.start + run.count)..<(run.start + 2 * run.count)
                for position in run.start..<contents.lowerBound where heights[references[position]] != .text {
                    throw badKey(position - run.start, of: index, target: references[position], in: list)
                }
                try keys.check(run, of: index, in: list)
            default: continue
            }
            var height = Height.none
            for position in contents {
                let inner = heights[references[position]]
                if inner >= .text { continue }
                guard inner < .open else { return index + 1 }
                height = max(height, inner)
            }
            guard height < depth else { throw tooDeep(index, depth: depth, in: list) }
            heights[index] = height.above
        }
        return 0
    }

    /// The references from a container to what it contains, once its keys are checked.
    private mutating func contents(of index: Int, in list: PropertyList) throws(ArchiveError) -> Range<Int> {
        switch list.nodes[index] {
        case .array(let run), .set(let run):
            return run.start..<(run.start + run.count)
        case .dictionary(let run):
            for position in run.start..<(run.start + run.count) where heights[list.references[position]] != Height.text
            {
                throw Self.badKey(position - run.start, of: index, target: list.references[position], in: list)
            }
            try keys.check(run, of: index, in: list)
            return (run.start + run.count)..<(run.start + 2 * run.count)
        default:
            return 0..<0
        }
    }

    private static func badKey(_ number: Int, of index: Int, target: Int, in list: PropertyList) -> ArchiveError {
        ArchiveError(
            .badKey,
            at: list.byteOffset(of: index),
            "key \(number) of the dictionary that is object \(index) is object \(target), which is no text"
        )
    }

    /// A container whose contents are being visited.
    private struct Frame {
        var index: Int
        var contents: Range<Int>
        var height = Height.none
    }

    /// Finds the height of a container, and of all that it contains, by a stack of its own.
    private mutating func visit(_ index: Int, in list: PropertyList) throws(ArchiveError) {
        var stack = [Frame(index: index, contents: try contents(of: index, in: list))]
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
                guard frame.height < depth else { throw Self.tooDeep(frame.index, depth: depth, in: list) }
                heights[frame.index] = frame.height.above
                continue
            }
            stack.append(frame)
            guard stack.count < Int(depth.value) else { throw Self.tooDeep(index, depth: depth, in: list) }
            stack.append(Frame(index: next, contents: try self.contents(of: next, in: list)))
            heights[next] = Height.open
        }
    }

    private static func tooDeep(_ index: Int, depth: Height, in list: PropertyList) -> ArchiveError {
        ArchiveError(
            .tooDeep,
            at: list.byteOffset(of: index),
            "the containers in object \(index) are nested more than \(depth.value) deep, which is the limit"
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
