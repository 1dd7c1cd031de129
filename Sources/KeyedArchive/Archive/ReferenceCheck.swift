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

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// What a node is by itself.
        @inline(__always)
        init(_ node: PropertyList.Node) {
            guard case .text(let text) = node else {
                self = []
                return
            }
            self =
                text.isIdentical(toASCII: "$class")
                ? .classKey : text.isIdentical(toASCII: "$classname") ? .nameKey : []
        }
    }

    /// How an element of `$objects` is referred to.
    private struct Use: OptionSet {
        let rawValue: UInt8
        static let asValue = Use(rawValue: 1)
        static let asClass = Use(rawValue: 2)
    }

    private var traits: [Traits]
    private var uses: [Use]

    /// Checks an archive whose UIDs are in range.
    ///
    /// - Throws: `badObjects`, `badClass` or `missingClass`, with the object that does not agree with its references.
    static func run(_ archive: Archive) throws(ArchiveError) {
        var check = ReferenceCheck(archive.list.nodes.span, elementCount: archive.objectCount)
        try Self.collect(&check.traits, &check.uses, from: archive.list, table: archive.objects)
        for index in check.uses.indices { try check.checkClass(index, in: archive) }
        for index in check.uses.indices.dropFirst() where check.uses[index].isEmpty { throw unused(index, in: archive) }
    }

    private init(_ nodes: Span<PropertyList.Node>, elementCount: Int) {
        uses = [Use](repeating: [], count: elementCount)
        traits = [Traits](filling: nodes.count) { traits in
            for index in nodes.indices { traits.append(Traits(nodes[index])) }
        }
    }

    /// Notes for each element how it is referred to, and for each dictionary whether it has a class or describes one.
    private static func collect(
        _ knownTraits: inout [Traits],
        _ knownUses: inout [Use],
        from list: PropertyList,
        table: PropertyList.Run
    ) throws(ArchiveError) {
        let (nodes, references) = (list.nodes.span, list.references.span)
        var traits = knownTraits.mutableSpan
        var uses = knownUses.mutableSpan
        for index in nodes.indices {
            switch nodes[index] {
            case .array(let run), .set(let run):
                for position in run.start..<(run.start + run.count) {
                    let target = references[position]
                    guard case .uid(let uid) = nodes[target] else { continue }
                    if run == table { throw referenceAmongObjects(target, in: list) }
                    uses[Int(uid)].insert(.asValue)
                }
            case .dictionary(let run):
                var found: Traits = []
                for entry in run.start..<(run.start + run.count) {
                    let key = traits[references[entry]]
                    let value = references[entry + run.count]
                    if case .uid(let uid) = nodes[value] {
                        uses[Int(uid)].insert(key == .classKey ? .asClass : .asValue)
                    } else if key == .classKey {
                        throw list.error(
                            .badClass,
                            at: value,
                            "$class is \(list.kind(of: value)); expected a reference"
                        )
                    }
                    if key == .classKey { found.insert(.hasClass) }
                    if key == .nameKey { found.insert(.describesClass) }
                }
                traits[index] = found
            default: continue
            }
        }
    }

    /// Checks that an element is the description of a class if it is referred to as one, and an object with a class if not.
    private func checkClass(_ index: Int, in archive: Archive) throws(ArchiveError) {
        let list = archive.list
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
            return try Self.checkDescription(index, at: node, in: archive)
        case (false, false):
            guard list.nodes[node].isDictionary, !traits.contains(.hasClass) else { return }
            throw list.error(.missingClass, at: node, object: index, "the object has no $class")
        }
        throw list.error(.badClass, at: node, object: index, fault)
    }

    private static func unused(_ index: Int, in archive: Archive) -> ArchiveError {
        let (node, list) = (archive.element(index), archive.list)
        return list.error(
            .badObjects,
            at: node,
            object: index,
            "no reference leads to object \(index), \(list.kind(of: node)); a reference is damaged, or $objects"
        )
    }

    /// A description names its class twice, and has no other keys than these.
    private static func checkDescription(_ index: Int, at node: Int, in archive: Archive) throws(ArchiveError) {
        let list = archive.list
        if isSoundDescription(at: node, in: list) { return }
        let description = try archive.archivedClass(at: index, of: index)
        let chain = description.chain
        let isWhole = chain.count < 2 || ["NSObject", "NSProxy"].contains { chain.last?.isIdentical(to: $0) == true }
        guard chain.isEmpty || isWhole && chain[0].isIdentical(to: description.name) else {
            throw list.error(
                .badClass,
                at: node,
                object: index,
                "the superclasses of \(excerpt(description.name)) are"
                    + " \(chain.prefix(8).map(excerpt).joined(separator: ", ")); expected itself first, and NSObject last"
            )
        }
        guard case .dictionary(let run) = list.nodes[node] else { return }
        for position in run.start..<(run.start + run.count) {
            let key = list.references[position]
            if list.isASCIIText("$classname", at: key) || list.isASCIIText("$classes", at: key)
                || list.isASCIIText("$classhints", at: key)
            {
                continue
            }
            throw list.error(
                .badClass,
                at: list.format == .xml ? key : node,
                object: index,
                "the description of the class \(excerpt(description.name)) has a key that is none of:"
                    + " $classname, $classes, $classhints"
            )
        }
    }

    /// Whether a description is as Apple's archiver writes it for a class without hints: a name, and a chain of names from it
    /// to NSObject.
    private static func isSoundDescription(at node: Int, in list: PropertyList) -> Bool {
        guard case .dictionary(let run) = list.nodes[node], run.count == 2,
            let name = list.value(forASCII: "$classname", in: run), case .text(let className) = list.nodes[name],
            let chain = list.value(forASCII: "$classes", in: run), case .array(let names) = list.nodes[chain],
            names.count > 0, case .text(let first) = list.nodes[list.references[names.start]],
            list.references[names.start] == name || first.isIdentical(to: className),
            list.isASCIIText("NSObject", at: list.references[names.start + names.count - 1])
        else { return false }
        for position in names.start..<(names.start + names.count) {
            guard case .text = list.nodes[list.references[position]] else { return false }
        }
        return true
    }

    private static func referenceAmongObjects(_ target: Int, in list: PropertyList) -> ArchiveError {
        list.error(.badObjects, at: target, "$objects has a reference in it, where each element has to be an object")
    }
}
