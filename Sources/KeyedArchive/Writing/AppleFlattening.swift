/// Puts the objects of an archive's property list into the order, and shares them, as Apple's Foundation does.
///
/// The object table is filled depth first from the top: a dictionary, then all its keys, then its values, each with
/// all that is below it; an array, then its elements. Which of several equal objects are one in the file depends on what
/// they are in memory there:
///
/// - keys, and the names of some of Foundation's own classes, are constants, so that equal ones are one object;
/// - short texts are tagged pointers, equal when their text is;
/// - equal integers within 56 bits are one object, and so are equal reals;
/// - a bool or a UID that is met again is written again, but everything refers to the first, so that the repeats are
///   objects that nothing refers to;
/// - all else is one object where the list given has one.
///
/// What was read from a file is one object where it was one there, whatever the rules say: they differ a little from one
/// system to the next.
struct AppleFlattening {
    private let source: PropertyList
    private var result: PropertyList
    /// For each node of the source its index in the result, -1 while it has none.
    private var placed: [Int]
    private var keys: [ExactText: Int] = [:]
    /// The keys that were read, which stand for equal ones that are new.
    private let keysRead: [ExactText: Int]
    private var tagged: [ExactText: Int] = [:]
    private var classNames: [ExactText: Int] = [:]
    private var integers: [Int128: Int] = [:]
    private var reals: [RealKey: Int] = [:]
    private var bools: [Bool: Int] = [:]
    private var uids: [UInt64: Int] = [:]
    private let limits: ArchiveLimits
    /// How many of the nodes were read from a file.
    private let readCount: Int

    private struct RealKey: Hashable {
        var bits: UInt64
        var single: Bool
    }

    /// The objects of a list in Apple's order.
    ///
    /// - Parameters:
    ///   - source: the list.
    ///   - readCount: how many of its nodes, the first ones, were read from a file.
    ///   - limits: how large the result may become.
    /// - Throws: ``ArchiveError`` with the code `tooDeep` or `tooLarge` when the limits do not allow the result.
    static func flatten(
        _ source: PropertyList,
        readCount: Int = 0,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> PropertyList {
        var flattening = AppleFlattening(source: source, readCount: readCount, limits: limits)
        flattening.result.top = try flattening.place(source.top, role: .other, depth: 0)
        return flattening.result
    }

    private init(source: PropertyList, readCount: Int, limits: ArchiveLimits) {
        self.source = source
        self.readCount = readCount
        self.limits = limits
        keysRead = source.keys(before: readCount)
        placed = Array(repeating: -1, count: source.nodes.count)
        result = PropertyList(format: source.format)
        result.trailer = source.trailer
        result.encoding = source.encoding
    }

    /// What a node is used as, which decides with what it is shared.
    private enum Role {
        case key
        case className
        case other
    }

    private mutating func place(_ node: Int, role: Role, depth: Int) throws(ArchiveError) -> Int {
        guard depth <= limits.depth else {
            throw ArchiveError(.tooDeep, "containers within one another more than \(limits.depth) deep")
        }
        if let shared = sharedIndex(of: node, role: role) { return shared }
        guard result.nodes.count < limits.objects else {
            throw ArchiveError(.tooLarge, "the archive would have more than \(limits.objects) objects")
        }
        let index = result.nodes.count
        result.nodes.append(source.nodes[node])
        remember(node, role: role, at: index)
        switch source.nodes[node] {
        case .array(let run):
            result.nodes[index] = .array(try placeElements(of: run, below: node, depth: depth))
        case .set(let run):
            result.nodes[index] = .set(try placeElements(of: run, below: node, depth: depth))
        case .dictionary(let run):
            result.nodes[index] = .dictionary(try placeEntries(of: run, depth: depth))
        default: break
        }
        return index
    }

    private mutating func placeElements(
        of run: PropertyList.Run,
        below parent: Int,
        depth: Int
    ) throws(ArchiveError) -> PropertyList.Run {
        let start = reserveReferences(run.count)
        for element in 0..<run.count {
            result.references[start + element] = try place(
                source.references[run.start + element],
                role: classChains.contains(parent) ? .className : .other,
                depth: depth + 1
            )
        }
        return PropertyList.Run(start: start, count: run.count)
    }

    private mutating func placeEntries(of run: PropertyList.Run, depth: Int) throws(ArchiveError) -> PropertyList.Run {
        let start = reserveReferences(run.count * 2)
        for entry in 0..<run.count {
            let key = source.references[run.start + entry]
            result.references[start + entry] = try place(readKey(for: key), role: .key, depth: depth + 1)
        }
        for entry in run.count..<(run.count * 2) {
            let node = source.references[run.start + entry]
            var role = Role.other
            if case .text(let key) = source.nodes[source.references[run.start + entry - run.count]] {
                if key == "$classname" { role = .className }
                if key == "$classes" || key == "$classhints" { classChains.insert(node) }
            }
            result.references[start + entry] = try place(node, role: role, depth: depth + 1)
        }
        return PropertyList.Run(start: start, count: run.count)
    }

    /// The arrays whose elements are names of classes.
    private var classChains: Set<Int> = []

    private mutating func reserveReferences(_ count: Int) -> Int {
        let start = result.references.count
        result.references.append(contentsOf: repeatElement(0, count: count))
        return start
    }
}

extension PropertyList {
    /// The nodes of the keys among the first nodes, one for each text; none if there are no other nodes.
    fileprivate func keys(before count: Int) -> [ExactText: Int] {
        var keys: [ExactText: Int] = [:]
        guard count < nodes.count else { return keys }
        for case .dictionary(let run) in nodes.prefix(count) {
            for key in references[run.start..<(run.start + run.count)] where key < count {
                if case .text(let text) = nodes[key], keys[ExactText(text)] == nil { keys[ExactText(text)] = key }
            }
        }
        return keys
    }
}

// MARK: - Sharing

extension AppleFlattening {
    /// The index of the object that a node shares, if it was written already.
    private mutating func sharedIndex(of node: Int, role: Role) -> Int? {
        let known = placed[node] >= 0 ? placed[node] : nil
        let isRead = node < readCount
        switch source.nodes[node] {
        case .bool(let bool):
            return repeated(node, first: isRead ? known : bools[bool])
        case .uid(let uid):
            return repeated(node, first: isRead ? known : uids[uid])
        case _ where isRead: break
        case .text(let text):
            if role == .key { return keys[ExactText(text)] }
            if TaggedPointer.holds(text) { return tagged[ExactText(text)] }
            if role == .className, AppleFlattening.constantNames.contains(text) { return classNames[ExactText(text)] }
        case .integer(let integer):
            if TaggedPointer.holds(integer.value) { return integers[integer.value] }
        case .real(let real, let single):
            return reals[RealKey(bits: real.bitPattern, single: single)]
        default: break
        }
        return known
    }

    /// The key that was read in the place of a new one of the same text.
    private func readKey(for key: Int) -> Int {
        guard key >= readCount, case .text(let text) = source.nodes[key] else { return key }
        return keysRead[ExactText(text)] ?? key
    }

    /// Writes an object that nothing will refer to, if there is a first one that everything refers to.
    private mutating func repeated(_ node: Int, first: Int?) -> Int? {
        if first != nil { result.nodes.append(source.nodes[node]) }
        return first
    }

    private mutating func remember(_ node: Int, role: Role, at index: Int) {
        placed[node] = index
        switch source.nodes[node] {
        case .text(let text):
            let text = ExactText(text)
            if role == .key {
                keys[text] = keys[text] ?? index
            } else if TaggedPointer.holds(text.text) {
                tagged[text] = tagged[text] ?? index
            } else if role == .className {
                classNames[text] = classNames[text] ?? index
            }
        case .integer(let integer): integers[integer.value] = integers[integer.value] ?? index
        case .real(let real, let single):
            let key = RealKey(bits: real.bitPattern, single: single)
            reals[key] = reals[key] ?? index
        case .bool(let bool): bools[bool] = index
        case .uid(let uid): uids[uid] = index
        default: break
        }
    }

    /// The classes whose names are constants in Foundation.
    private static let constantNames: Set<String> = [
        "NSDictionary", "NSMutableDictionary", "NSMutableArray", "NSMutableData", "NSMutableSet", "NSMutableString",
    ]
}
