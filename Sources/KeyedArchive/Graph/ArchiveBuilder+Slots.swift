internal import KeyValueCoding

/// A value of a graph that is being changed, with the place of the container that it is.
struct GraphSlot {
    var value: ArchivedValue
    /// The element that has the value in it, or that it is.
    var element: Int
    /// The way from the element's node: at each container, which of its references leads on.
    var chain: [Int]
}

extension ArchiveBuilder {
    /// The graph as it is now, to look things up in; its indices are those of the elements.
    func snapshot() -> Archive {
        var list = list
        let run = PropertyList.Run(start: list.references.count, count: elements.count)
        list.references.append(contentsOf: elements)
        return Archive(list: list, objects: run, entries: top, limits: limits)
    }

    /// The value at the end of a path from the root.
    func slot(at path: ArchivePath) throws -> GraphSlot {
        let root = try snapshot().root
        guard let index = root.index else {
            throw root.mismatch(expected: "a root that is an object", found: try root.content().kind)
        }
        try root.checkText(of: path)
        var slot = GraphSlot(value: root, element: index, chain: [])
        for step in path.steps {
            let next = try slot.value.value(at: ArchivePath([step]))
            if let index = next.index {
                slot = GraphSlot(value: next, element: index, chain: [])
            } else {
                slot.chain += try chain(of: step, in: slot.value)
                slot.value = next
            }
        }
        return slot
    }

    /// From a value's node to the place of what a step leads to.
    private func chain(of step: PathStep, in value: ArchivedValue) throws(ArchiveError) -> [Int] {
        guard let run = list.nodes[value.node].run else { return [] }
        let isDictionary = list.nodes[value.node].isDictionary
        guard let object = try value.object() else {
            switch step {
            case .index(let position): return [isDictionary ? run.count + position : position]
            case .key(let key): return position(of: key, in: run).map { [run.count + $0] } ?? []
            }
        }
        switch (try value.content(), step) {
        case (.array, .index(let position)), (.set, .index(let position)), (.dictionary, .index(let position)):
            return member(position, of: object)
        case (.dictionary(let entries), .key(let key)):
            guard let position = entries.firstIndex(where: { $0.key.text?.isIdentical(to: key) == true }) else {
                fallthrough
            }
            return member(position, of: object)
        case (_, .key(let key)):
            let archived = position(of: Archive.archivedKey(key), in: run) ?? position(of: key, in: run)
            return archived.map { [run.count + $0] } ?? []
        case (_, .index): return []
        }
    }

    private func position(of key: String, in run: PropertyList.Run) -> Int? {
        (0..<run.count).first { list.isText(key, at: list.references[run.start + $0]) }
    }

    /// The place of an element in a collection of Foundation, from the collection's node.
    private func member(_ position: Int, of object: ArchivedObject) -> [Int] {
        if let field = self.position(of: "NS.objects", in: object.run) { return [object.run.count + field, position] }
        return self.position(of: "NS.object.\(position)", in: object.run).map { [object.run.count + $0] } ?? []
    }

    // MARK: Changing

    /// Gives what a step leads to a new value.
    mutating func setValue(
        _ value: Value,
        at step: PathStep,
        of parent: GraphSlot,
        encoding: ArchiveField.Encoding
    ) throws {
        let content = try parent.value.content()
        if case .key(let key) = step, let object = try parent.value.object() {
            if case .dictionary(let entries) = content, self.position(of: key, in: object.run) == nil {
                guard entries.contains(where: { $0.key.text?.isIdentical(to: key) == true }) else {
                    return try addEntry(key, value, to: object, of: entries)
                }
            } else {
                return try setField(key, of: object.index, to: value, encoding: encoding)
            }
        }
        _ = try parent.value.value(at: ArchivePath([step]))
        let chain = parent.chain + (try chain(of: step, in: parent.value))
        let old = reference(at: chain, in: parent.element)
        let isMember = if case .null = value { try parent.value.object() != nil } else { false }
        let new =
            if isMember {
                try inserting(in: parent.element) { (builder) throws(ArchiveError) in
                    builder.reference(to: try builder.encodeMember(.null))
                }
            } else {
                try replacement(for: old, with: value, in: parent.element)
            }
        rewrite(parent.element, at: chain.dropLast()) { references, _ in references[chain[chain.count - 1]] = new }
    }

    /// Adds an entry to a dictionary of Foundation.
    private mutating func addEntry(
        _ key: String,
        _ value: Value,
        to object: ArchivedObject,
        of entries: [(key: ArchivedValue, value: ArchivedValue)]
    ) throws {
        guard let keys = position(of: "NS.keys", in: object.run),
            let values = position(of: "NS.objects", in: object.run)
        else { throw oldCollection(object) }
        var nodes: [Int] = []
        _ = try inserting(in: object.index) { (builder) throws(ArchiveError) in
            nodes.append(builder.reference(to: try builder.encodeMember(.text(key))))
            nodes.append(builder.reference(to: try builder.encodeMember(value)))
            return nodes[0]
        }
        let names = entries.map(\.key.text)
        let place =
            names.contains(nil) ? entries.count : CoreFoundationOrder.place(of: key, in: names.compactMap(\.self))
        for (field, node) in [(keys, nodes[0]), (values, nodes[1])] {
            rewrite(object.index, at: [object.run.count + field]) { references, run in
                references.insert(node, at: place)
                run.count += 1
            }
        }
    }

    /// Puts an element into an array or a set.
    mutating func insert(_ value: Value, at step: PathStep?, of parent: GraphSlot) throws {
        let content = try parent.value.content()
        let elements: [ArchivedValue]
        switch content {
        case .array(let all), .set(let all): elements = all
        default: throw parent.value.mismatch(expected: "an array or a set to insert into", found: content.kind)
        }
        guard case .index(let position) = step, (0...elements.count).contains(position) else {
            throw try parent.value.noStep(step ?? .index(-1))
        }
        let new = try inserting(in: parent.element) { (builder) throws(ArchiveError) in
            builder.reference(to: try builder.encodeMember(value))
        }
        var chain = parent.chain
        if let object = try parent.value.object() {
            guard let field = self.position(of: "NS.objects", in: object.run) else { throw oldCollection(object) }
            chain.append(object.run.count + field)
        }
        rewrite(parent.element, at: chain) { references, run in
            references.insert(new, at: position)
            run.count += 1
        }
    }

    /// Takes out what a step leads to.
    mutating func removeValue(at step: PathStep?, of parent: GraphSlot) throws {
        guard let step else { throw parent.value.mismatch(expected: "a way to a part of the root", found: "the root") }
        _ = try parent.value.value(at: ArchivePath([step]))
        let content = try parent.value.content()
        guard let object = try parent.value.object() else {
            let chain = try chain(of: step, in: parent.value)
            return remove(chain[chain.count - 1], from: parent.element, at: parent.chain)
        }
        let member: Int? =
            switch (content, step) {
            case (.array, .index(let position)), (.set, .index(let position)), (.dictionary, .index(let position)):
                position
            case (.dictionary(let entries), .key(let key)):
                entries.firstIndex { $0.key.text?.isIdentical(to: key) == true }
            default: nil
            }
        if let member {
            guard let values = position(of: "NS.objects", in: object.run) else { throw oldCollection(object) }
            for field in [position(of: "NS.keys", in: object.run), values].compactMap(\.self) {
                remove(member, from: object.index, at: [object.run.count + field])
            }
        } else if case .key(let key) = step {
            removeFields([key], of: object.index)
        }
    }

    /// The error for a collection as very old archivers wrote them, whose elements are fields.
    private func oldCollection(_ object: ArchivedObject) -> ArchiveError {
        ArchiveError(
            .badObjects,
            object: object.index,
            keyPath: object.path.description,
            "the \(object.archivedClass.name) has no NS.objects, as archivers of before Mac OS X 10.2 wrote it, and cannot grow or shrink"
        )
    }

    // MARK: Containers

    /// The node at the end of a chain.
    private func reference(at chain: [Int], in element: Int) -> Int {
        chain.reduce(elements[element]) { node, position in
            list.references[(list.nodes[node].run?.start ?? 0) + position]
        }
    }

    /// Takes an element out of an array, or an entry, by the position of its value, out of a dictionary.
    private mutating func remove(_ position: Int, from element: Int, at chain: [Int]) {
        rewrite(element, at: chain) { references, run in
            references.remove(at: position)
            if references.count >= run.count { references.remove(at: position - run.count) }
            run.count -= 1
        }
    }

    /// Changes the references of a container below an element, and nothing else that may share it.
    private mutating func rewrite(
        _ element: Int,
        at chain: some Collection<Int>,
        _ change: (inout [Int], inout PropertyList.Run) -> Void
    ) {
        elements[element] = rewritten(elements[element], at: chain[...], change)
    }

    private mutating func rewritten<Chain: Collection>(
        _ node: Int,
        at chain: Chain,
        _ change: (inout [Int], inout PropertyList.Run) -> Void
    ) -> Int where Chain.Element == Int, Chain.SubSequence == Chain {
        let content = list.nodes[node]
        guard var run = content.run else { return node }
        let count = content.isDictionary ? run.count * 2 : run.count
        var references = Array(list.references[run.start..<(run.start + count)])
        if let position = chain.first {
            references[position] = rewritten(references[position], at: chain.dropFirst(), change)
        } else {
            change(&references, &run)
        }
        run.start = list.references.count
        list.references.append(contentsOf: references)
        switch content {
        case .set: return append(.set(run))
        case .dictionary: return append(.dictionary(run))
        default: return append(.array(run))
        }
    }
}

extension CoreFoundationOrder {
    /// Where a new key goes among others: to its place in a `CFDictionary` if they are in the order of one, and else to the end.
    static func place(of key: String, in keys: [String]) -> Int {
        let all = keys + [key]
        let order = positions(of: all)
        guard order.filter({ $0 != keys.count }).elementsEqual(keys.indices) else { return keys.count }
        return order.firstIndex(of: keys.count) ?? keys.count
    }
}
