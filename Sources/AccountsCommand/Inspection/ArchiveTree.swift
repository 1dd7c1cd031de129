internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

/// Draws the graph of an archive as an indented tree, a line each: what is where, what it is, and how it was encoded.
///
/// Each object is drawn where it is met first, and is a reference to its number everywhere else, so that a tree has an end whatever
/// refers to what, and no more lines than the archive has references.
struct ArchiveTree {
    private let archive: Archive
    private let style: TreeStyle
    private let reveals: Bool
    private let referenceCounts: [Int]
    /// The objects that were met.
    private var met: Set<Int> = []
    /// Those of them that the next value is part of.
    private var open: Set<Int> = []
    /// The texts that were cut.
    private var occurrences = SecretOccurrences()
    /// What is still to be done, the next step last. A stack of its own, since graphs can be deep.
    private var pending: [Step] = []

    private struct Item {
        var label: String
        var value: ArchivedValue
        /// The key that the value is under; nil for an element.
        var key: String?
        /// Whether a key above says that the value is secret.
        var isSecret = false
        var depth = 0
    }

    private enum Step {
        case draw(Item)
        case leave(Int)
    }

    /// Prepares to draw.
    ///
    /// - Parameters:
    ///   - archive: the archive.
    ///   - usesColour: whether the lines have the colours of a terminal.
    ///   - reveals: whether secrets stay whole.
    init(_ archive: Archive, usesColour: Bool, reveals: Bool) {
        self.archive = archive
        self.reveals = reveals
        style = TreeStyle(usesColour: usesColour)
        referenceCounts = archive.referenceCounts
        begin()
    }

    /// Draws all once and throws it away, to find what is damaged before a line is shown, and what is secret before it is met.
    ///
    /// - Throws: what ``nextLine()`` throws.
    mutating func rehearse() throws(ArchiveError) {
        while try nextLine() != nil {}
        begin()
    }

    private mutating func begin() {
        met = []
        push(archive.top.map { Item(label: name($0.key), value: $0.value, key: $0.key) })
    }

    /// What is above the tree.
    var title: String {
        let format = archive.format == .xml ? "XML" : "binary"
        return "\(format) archive of \(shown(archive.archiver)), version \(archive.version), "
            + TreeStyle.count(archive.objectCount, "object")
    }

    /// The next line; nil after the last one.
    ///
    /// - Throws: `ArchiveError` for a damaged object, and for objects within one another deeper than the archive's limit.
    mutating func nextLine() throws(ArchiveError) -> String? {
        while let step = pending.popLast() {
            switch step {
            case .draw(let item): return try draw(item)
            case .leave(let index): open.remove(index)
            }
        }
        return nil
    }

    private mutating func draw(_ item: Item) throws(ArchiveError) -> String {
        guard item.depth <= archive.limits.depth else {
            throw ArchiveError(
                .tooDeep,
                object: item.value.index,
                keyPath: item.value.path.description,
                "objects within one another more than \(archive.limits.depth) deep"
            )
        }
        let content = try item.value.content()
        let start = style.start(depth: item.depth, label: item.label)
        if case .object(let object) = content, let text = Self.identifier(object, of: item.value) {
            return start + " = " + scalar(.text(text), shown(object.archivedClass.name), "text", item)
        }
        guard let index = item.value.index, content.isCompound else {
            push(children(of: content, in: item))
            return start + " = " + (try text(of: content, in: item))
        }
        guard met.insert(index).inserted else {
            let name = try className(of: item.value) ?? content.kindName
            return start + " "
                + style.reference(to: index, note: open.contains(index) ? name + ", which this is part of" : name)
        }
        open.insert(index)
        pending.append(.leave(index))
        push(children(of: content, in: item))
        return start + " = " + (try text(of: content, in: item))
            + style.number(index, references: referenceCounts[index])
    }

    private mutating func push(_ items: [Item]) {
        for item in items.reversed() { pending.append(.draw(item)) }
    }

    private func children(of content: ArchivedValue.Content, in item: Item) -> [Item] {
        let isSecret = item.isSecret || item.key.map { SecretKeys.isSecret($0) } == true
        func child(_ label: String, _ value: ArchivedValue, key: String? = nil) -> Item {
            Item(label: label, value: value, key: key, isSecret: isSecret, depth: item.depth + 1)
        }
        switch content {
        case .array(let elements), .set(let elements):
            return elements.enumerated().map { child("[\($0.offset)]", $0.element) }
        case .object(let object):
            return object.fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { child(name($0.key), $0.value, key: $0.key) }
        case .dictionary(let entries):
            let keys = entries.map { try? $0.key.decode(String.self) }
            return entries.indices.sorted { (keys[$0] ?? "").utf8.lexicographicallyPrecedes((keys[$1] ?? "").utf8) }
                .flatMap { index in
                    if let key = keys[index] { return [child(name(key), entries[index].value, key: key)] }
                    return [
                        child("key [\(index)]", entries[index].key), child("value [\(index)]", entries[index].value),
                    ]
                }
        default:
            return []
        }
    }

    // MARK: Names

    /// A name as it may be shown.
    private func shown(_ name: String) -> String { reveals ? name : occurrences.cut(name) }

    /// A key as it may be shown, on one line.
    private func name(_ key: String) -> String { DisplayText.line(shown(key)) }

    private func className(of value: ArchivedValue) throws(ArchiveError) -> String? {
        try value.archivedClass().map { shown($0.name) }
    }

    // MARK: The text of a value

    /// What a UUID or a URL is, as people write it.
    private static func identifier(_ object: ArchivedObject, of value: ArchivedValue) -> String? {
        switch object.archivedClass.name {
        case "NSUUID": (try? value.decode(UUID.self))?.uuidString
        case "NSURL": (try? value.decode(URL.self))?.absoluteString
        default: nil
        }
    }

    private mutating func text(of content: ArchivedValue.Content, in item: Item) throws(ArchiveError) -> String {
        let name = try className(of: item.value)
        switch content {
        case .null: return style.nothing(name: name)
        case .array(let elements), .set(let elements):
            return style.type("\(name ?? "array") of \(TreeStyle.count(elements.count, "element"))")
        case .dictionary(let entries):
            return style.type("\(name ?? "dictionary") of \(TreeStyle.count(entries.count, "entry", "entries"))")
        case .object(let object):
            let archived = object.archivedClass
            return style.type(ArchivedClass(name: shown(archived.name), chain: archived.chain.map(shown)))
        case .bool(let bool): return scalar(.bool(bool), name ?? "NSNumber", "bool", item)
        case .integer(let integer): return scalar(Value(integer), name ?? "NSNumber", "integer", item)
        case .real(let real): return scalar(.real(real), name ?? "NSNumber", "real", item)
        case .date(let date): return scalar(.date(date), name ?? "NSDate", "date", item)
        case .text(let text): return scalar(.text(text), name ?? "NSString", "text", item)
        case .data(let data): return scalar(.data(data), name ?? "NSData", "data", item)
        }
    }

    private mutating func scalar(_ value: Value, _ className: String, _ kind: String, _ item: Item) -> String {
        var shown = value
        if !reveals {
            shown =
                item.key.map { value.redactingSecrets(under: $0, isSecret: item.isSecret) }
                ?? value.redactingSecrets(isSecret: item.isSecret)
            occurrences.insert(value, redacted: shown)
            shown = occurrences.cut(in: shown)
        }
        return style.scalar(shown, of: value, kind: item.value.index == nil ? kind : className)
    }
}

extension ArchivedValue.Content {
    /// Whether other values are in the value.
    fileprivate var isCompound: Bool {
        switch self {
        case .array, .set, .dictionary, .object: true
        default: false
        }
    }

    /// What a container without a class is called.
    fileprivate var kindName: String {
        switch self {
        case .array: "array"
        case .set: "set"
        default: "dictionary"
        }
    }
}
