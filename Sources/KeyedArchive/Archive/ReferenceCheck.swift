/// Checks that the references of an archive and its objects agree, as they do in all that an archiver writes: each
/// object is referred to, a class by `$class` only, and `$class` refers to nothing else. A reference that was damaged
/// shows itself so, though there is an object where it leads.
///
/// One pass over the nodes and one over the references, without recursion, whatever the archive nests.
struct ReferenceCheck {
    /// What is known of a node.
    private struct Traits: OptionSet {
        let rawValue: UInt8
        /// The text `$class`, as a key.
        static let classKey = Traits(rawValue: 1)
        /// The text `$classname`, as a key.
        static let nameKey = Traits(rawValue: 2)
        /// A dictionary with the key `$class`.
        static let hasClass = Traits(rawValue: 4)
        /// A dictionary with the key `$classname`: the description of a class.
        static let describesClass = Traits(rawValue: 8)
    }

    /// How an element of `$objects` is referred to.
    private struct Use: OptionSet {
        let rawValue: UInt8
        static let asValue = Use(rawValue: 1)
        static let asClass = Use(rawValue: 2)
    }

    private let archive: Archive
    private let list: PropertyList
    private var traits: [Traits]
    private var uses: [Use]

    /// Checks an archive whose UIDs are in range.
    ///
    /// - Throws: `badObjects`, `badClass` or `missingClass`, with the object that does not agree with its references.
    static func run(_ archive: Archive) throws(ArchiveError) {
        var check = ReferenceCheck(archive)
        try check.collectUses()
        for index in check.uses.indices { try check.checkClass(index) }
        for index in check.uses.indices.dropFirst() where check.uses[index].isEmpty { throw check.unused(index) }
    }

    private init(_ archive: Archive) {
        self.archive = archive
        list = archive.list
        uses = [Use](repeating: [], count: archive.objects.count)
        traits = archive.list.nodes.map { node in
            guard case .text(let text) = node else { return [] }
            switch text.utf8.count {
            case 6 where text.isIdentical(to: "$class"): return .classKey
            case 10 where text.isIdentical(to: "$classname"): return .nameKey
            default: return []
            }
        }
    }

    /// Notes for each element how it is referred to, and for each dictionary whether it has a class or describes one.
    private mutating func collectUses() throws(ArchiveError) {
        for index in list.nodes.indices {
            switch list.nodes[index] {
            case .array(let run), .set(let run):
                let isTable = run == archive.objects
                for target in list.elements(of: run) {
                    guard case .uid(let uid) = list.nodes[target] else { continue }
                    if isTable { throw referenceAmongObjects(target) }
                    uses[Int(uid)].insert(.asValue)
                }
            case .dictionary(let run):
                for entry in run.start..<(run.start + run.count) {
                    let key = traits[list.references[entry]]
                    if key.contains(.classKey) { traits[index].insert(.hasClass) }
                    if key.contains(.nameKey) { traits[index].insert(.describesClass) }
                    let value = list.references[entry + run.count]
                    if case .uid(let uid) = list.nodes[value] {
                        uses[Int(uid)].insert(key.contains(.classKey) ? .asClass : .asValue)
                    } else if key.contains(.classKey) {
                        throw list.error(
                            .badClass,
                            at: value,
                            "$class is \(list.kind(of: value)); expected a reference"
                        )
                    }
                }
            default: continue
            }
        }
    }

    /// Checks that an element is the description of a class if it is referred to as one, and an object with a class if not.
    private func checkClass(_ index: Int) throws(ArchiveError) {
        let node = archive.element(index)
        let (use, traits) = (uses[index], traits[node])
        let fault: String
        switch (traits.contains(.describesClass), use.contains(.asClass)) {
        case (false, true):
            fault = "a $class leads to object \(index), which is no description of a class (it has no $classname)"
        case (true, _) where use.contains(.asValue):
            fault = "object \(index) describes a class, and is referred to in place of an object"
        case (true, _) where traits.contains(.hasClass):
            fault = "object \(index) describes a class, and has one itself"
        case (true, _):
            return try checkDescription(index, at: node)
        case (false, false):
            guard list.nodes[node].isDictionary, !traits.contains(.hasClass) else { return }
            throw list.error(.missingClass, at: node, object: index, "the object has no $class")
        }
        throw list.error(.badClass, at: node, object: index, fault)
    }

    private func unused(_ index: Int) -> ArchiveError {
        let node = archive.element(index)
        return list.error(
            .badObjects,
            at: node,
            object: index,
            "no reference leads to object \(index), \(list.kind(of: node)); a reference is damaged, or $objects"
        )
    }

    /// A description names its class twice, and has no other keys than these.
    private func checkDescription(_ index: Int, at node: Int) throws(ArchiveError) {
        let description = try archive.archivedClass(at: index, of: index)
        if let first = description.chain.first, !first.isIdentical(to: description.name) {
            throw list.error(
                .badClass,
                at: node,
                object: index,
                "the class is called \(excerpt(description.name)), and \(excerpt(first)) among its superclasses"
            )
        }
        guard case .dictionary(let run) = list.nodes[node] else { return }
        let names = ["$classname", "$classes", "$classhints"]
        for key in list.references[run.start..<run.start + run.count]
        where !names.contains(where: { list.isText($0, at: key) }) {
            throw list.error(
                .badClass,
                at: list.format == .xml ? key : node,
                object: index,
                "the description of the class \(excerpt(description.name)) has a key that is none of:"
                    + " \(names.joined(separator: ", "))"
            )
        }
    }

    private func referenceAmongObjects(_ target: Int) -> ArchiveError {
        list.error(.badObjects, at: target, "$objects has a reference in it, where each element has to be an object")
    }
}
