/// Checks that the objects of a binary property list are numbered in an order that a writer gives them.
///
/// A writer numbers an object when it first comes to it, so that the first references to the objects count up from the
/// top object on: a dictionary's keys before its values, and each value with all that is in it before the next (Apple and most
/// others), keys and values by turns (libplist), or what is in containers only after them (GNUstep). A reference that
/// was damaged leaves the sequence, and so does an object that nothing refers to any more.
///
/// Apple's writer appends a UID or a bool that it has met before once more, and refers to the first one. Such a repeat, to
/// which nothing refers, has to follow right on its reference. It does not share dictionaries, as GNUstep does.
struct ObjectOrder {
    private let list: PropertyList

    /// Checks a list without cycles whose references are in range.
    ///
    /// - Throws: `badOffsetTable`, with the object that nothing refers to or the reference that is out of order.
    static func check(_ list: PropertyList) throws(ArchiveError) {
        let order = ObjectOrder(list: list)
        guard let place = order.firstFault(list.references.span) else { return }
        if order.isBreadthFirst || order.firstFault(order.alternatingReferences.span) == nil { return }
        throw order.error(at: place)
    }

    /// Where the references leave the depth-first order: an index into ``PropertyList/references``, or their number
    /// where objects are left over; nil if all is in order.
    private func firstFault(_ references: Span<Int>) -> Int? {
        let nodes = list.nodes.span
        guard list.top == 0 else { return 0 }
        var next = 1
        var stack: [Range<Int>] = []
        stack.reserveCapacity(8)
        var rest = children(of: nodes[0])
        var repeats = Repeats(count: nodes.count)
        while true {
            guard let position = rest.first else {
                guard let outer = stack.popLast() else { break }
                rest = outer
                continue
            }
            rest = (position + 1)..<rest.upperBound
            let target = references[position]
            if target == next {
                next += 1
                repeats.last = nil
                let inner = children(of: nodes[target])
                guard !inner.isEmpty else { continue }
                if !rest.isEmpty { stack.append(rest) }
                rest = inner
            } else if target > next || !repeats.allowReference(to: target) || isEntries(nodes[target]) {
                return position
            } else if next < nodes.count, isRepeat(nodes[next], of: nodes[target]) {
                repeats.insert(next)
                next += 1
            }
        }
        return next == nodes.count ? nil : references.count
    }

    /// The objects that were passed over since they repeat one before them.
    private struct Repeats {
        let count: Int
        private var isRepeat: [Bool] = []
        /// The one that followed on the reference before, if one did.
        var last: Int?

        init(count: Int) { self.count = count }

        mutating func insert(_ index: Int) {
            if isRepeat.isEmpty { isRepeat = [Bool](repeating: false, count: count) }
            isRepeat[index] = true
            last = index
        }

        /// Nothing refers to a repeat. What comes right after a reference to its like may be no repeat, but the next object of
        /// a writer that does not repeat.
        @inline(__always)
        mutating func allowReference(to index: Int) -> Bool {
            guard !isRepeat.isEmpty else { return true }
            defer { last = nil }
            guard isRepeat[index] else { return true }
            guard index == last else { return false }
            isRepeat[index] = false
            return true
        }
    }

    /// The references of a container, as indices into ``PropertyList/references``.
    @inline(__always)
    private func children(of node: PropertyList.Node) -> Range<Int> {
        switch node {
        case .array(let run), .set(let run): run.start..<(run.start + run.count)
        case .dictionary(let run): run.start..<(run.start + 2 * run.count)
        default: 0..<0
        }
    }

    /// Whether a node is a dictionary with something in it, such as an object of an archive; these are not shared.
    @inline(__always)
    private func isEntries(_ node: PropertyList.Node) -> Bool {
        if case .dictionary(let run) = node { run.count > 0 } else { false }
    }

    @inline(__always)
    private func isRepeat(_ node: PropertyList.Node, of first: PropertyList.Node) -> Bool {
        switch first {
        case .uid(let first): if case .uid(let uid) = node { uid == first } else { false }
        case .bool(let first): if case .bool(let bool) = node { bool == first } else { false }
        default: false
        }
    }

    /// Whether each container's objects follow on those of the containers before it.
    private var isBreadthFirst: Bool {
        guard list.top == 0 else { return false }
        var next = 1
        for target in list.references {
            guard target <= next else { return false }
            if target == next { next += 1 }
        }
        return next == list.nodes.count
    }

    /// The references, with each dictionary's values between its keys.
    private var alternatingReferences: [Int] {
        var references = list.references
        for case .dictionary(let run) in list.nodes {
            for entry in 0..<run.count {
                references[run.start + 2 * entry] = list.references[run.start + entry]
                references[run.start + 2 * entry + 1] = list.references[run.start + run.count + entry]
            }
        }
        return references
    }

    // MARK: What to say

    private func error(at position: Int) -> ArchiveError {
        if let orphan = firstOrphan {
            return ArchiveError(
                .badOffsetTable,
                at: list.byteOffset(of: orphan),
                "nothing refers to object \(orphan), \(list.kind(of: orphan)); a reference to it, or the top object, is"
                    + " damaged"
            )
        }
        guard list.top == 0, position < list.references.count else {
            return ArchiveError(
                .badOffsetTable,
                at: list.byteOffset(of: list.top),
                "object \(list.top) is the top object, where every writer puts object 0"
            )
        }
        let container = list.nodes.indices.first { children(of: list.nodes[$0]).contains(position) } ?? list.top
        let target = list.references[position]
        if isEntries(list.nodes[target]),
            list.references.firstIndex(of: target) != list.references.lastIndex(of: target)
        {
            return ArchiveError(
                .badOffsetTable,
                at: list.byteOffset(of: container),
                "object \(container) refers to object \(target), a dictionary that is referred to twice; a reference is"
                    + " damaged"
            )
        }
        return ArchiveError(
            .badOffsetTable,
            at: list.byteOffset(of: container),
            "object \(container) refers to object \(list.references[position]) before others that have lower numbers,"
                + " while a writer numbers objects as it comes to them; a reference is damaged"
        )
    }

    /// The first object to which nothing refers, and which does not repeat one before it.
    private var firstOrphan: Int? {
        var isReferredTo = [Bool](repeating: false, count: list.nodes.count)
        isReferredTo[list.top] = true
        for target in list.references { isReferredTo[target] = true }
        return list.nodes.indices.first { index in
            guard !isReferredTo[index] else { return false }
            return !list.nodes[..<index].indices.contains {
                isReferredTo[$0] && isRepeat(list.nodes[index], of: list.nodes[$0])
            }
        }
    }
}
