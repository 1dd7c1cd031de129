public import KeyValueCoding

/// A graph of objects that can be built and changed, and written as an archive.
///
/// Begin with an empty graph to write an archive, or with an ``Archive`` to change one:
///
/// ```swift
/// var graph = ArchiveGraph()
/// let user = graph.add(ArchivedClass(name: "User"), fields: [ArchiveField("name", "Ada")])
/// let session = graph.add(
///     ArchivedClass(name: "Session"),
///     fields: [ArchiveField("id", 7, encoding: .inline), ArchiveField("user", .reference(user))]
/// )
/// try graph.setTop(.reference(session))
/// let bytes = try graph.data()
/// ```
///
/// Objects are known by numbers, which `Value.reference` takes wherever a value is. An object that is referred to twice is one
/// object in the archive, and two objects that are equal are two. The objects of an archive that was read have the numbers that
/// they had in its `$objects`.
///
/// An object gets its place in `$objects` when something that has one refers to it first, and what nothing refers to is not
/// written. So a graph that is built before its top is set has the order that `NSKeyedArchiver` gives it, byte for byte. A graph
/// that was read keeps its order, its format and its widths of numbers; what is not changed stays as it was, and if nothing was
/// changed its bytes are the same.
public struct ArchiveGraph: Sendable {
    /// The format in which the graph is written: that of the archive that was read, or binary.
    public var format: ArchiveFormat {
        get { builder.list.format == .binary ? .binary : .xml }
        set {
            guard newValue != format else { return }
            builder.list.format = newValue == .binary ? .binary : .xml
        }
    }

    /// The order of the top dictionary's keys; nil for an archive that was read with another than Apple's.
    public var layout: ArchiveLayout? {
        get { ArchiveLayout.allCases.first { $0.keys == builder.topKeys } }
        set { if let newValue { builder.topKeys = newValue.keys } }
    }

    var builder: ArchiveBuilder {
        didSet { isChanged = true }
    }
    /// The archive that was read.
    let original: Archive?
    private var isChanged = false

    /// Makes a graph with nothing in it.
    public init(layout: ArchiveLayout = .ios13, limits: ArchiveLimits = ArchiveLimits()) {
        builder = ArchiveBuilder(layout: layout, limits: limits)
        builder.graph = GraphObjects()
        original = nil
    }

    /// Takes the graph of an archive, to change it.
    public init(_ archive: Archive) {
        builder = ArchiveBuilder(archive)
        builder.graph = GraphObjects()
        original = archive
    }

    // MARK: Objects

    /// Adds an object of any class and gives its number.
    ///
    /// - Parameters:
    ///   - archivedClass: the class of the object.
    ///   - fields: its fields in the order in which the class encodes them. Others can follow by
    ///     ``setFields(_:of:)``, such as those that refer back to the object.
    public mutating func add(_ archivedClass: ArchivedClass, fields: [ArchiveField] = []) -> Int {
        add(.fields(archivedClass, fields))
    }

    /// Adds an object that several others are to have in common, such as a text, and gives its number.
    ///
    /// A text, a number, data, a date or null becomes `NSString`, `NSNumber`, `NSData`, `NSDate` or `NSNull`; an array or a
    /// dictionary becomes an `NSArray` or an `NSDictionary`.
    public mutating func add(_ value: Value) -> Int { add(.value(value)) }

    /// Adds a collection of a class of Foundation and gives its number: `NSArray`, `NSSet`, their mutable kinds,
    /// `NSOrderedSet` and its mutable kind.
    public mutating func add(_ archivedClass: ArchivedClass, elements: [Value]) -> Int {
        guard archivedClass.name.hasSuffix("OrderedSet") else {
            return add(archivedClass, fields: [ArchiveField("NS.objects", .array(elements), encoding: .references)])
        }
        return add(
            archivedClass,
            fields: elements.enumerated().map { ArchiveField("NS.object.\($0.offset)", $0.element) }
        )
    }

    /// Adds a dictionary, an `NSDictionary` or its mutable kind, with its entries in this order, and gives its number.
    public mutating func add(_ archivedClass: ArchivedClass, entries: [Value.Pair]) -> Int {
        let fields = [
            ArchiveField("NS.keys", .array(entries.map(\.key)), encoding: .references),
            ArchiveField("NS.objects", .array(entries.map(\.value)), encoding: .references),
        ]
        return add(archivedClass, fields: fields)
    }

    private mutating func add(_ draft: GraphObjects.Draft) -> Int {
        let id = builder.nextID
        builder.nextID += 1
        builder.graph?.drafts[id] = draft
        return id
    }

    /// Gives an object that was added all its fields, as long as nothing that is written refers to it.
    ///
    /// - Throws: ``ArchiveError`` for an object that is not there, or has its place already; see ``setValue(_:at:encoding:)``.
    public mutating func setFields(_ fields: [ArchiveField], of object: Int) throws(ArchiveError) {
        guard case .fields(let archivedClass, _) = builder.graph?.drafts[object] else {
            throw ArchiveError(.badObjects, object: object, "the object is none that waits for its place in the graph")
        }
        builder.graph?.drafts[object] = .fields(archivedClass, fields)
    }

    /// Sets an entry of `$top`.
    ///
    /// - Parameters:
    ///   - value: a reference to an object, or a value that becomes one; null for nil.
    ///   - key: the name; `root`, as `archiveRootObject:toFile:` has it, by default.
    /// - Throws: ``ArchiveError`` for a value that no archive can hold, and where a limit is exceeded.
    public mutating func setTop(_ value: Value, forKey key: String = "root") throws(ArchiveError) {
        var builder = builder
        let node = try builder.encodeReference(to: value)
        if let position = builder.top.firstIndex(where: { $0.key.isIdentical(to: key) }) {
            builder.top[position].node = node
        } else {
            builder.top.append((key, node))
        }
        self.builder = builder
    }

    // MARK: The archive

    /// The bytes of the archive.
    ///
    /// - Throws: ``ArchiveError`` for what the format cannot hold, and where a limit is exceeded.
    public func data() throws(ArchiveError) -> [UInt8] {
        // As it was read, in whatever order its writer put the objects.
        if let original, !isChanged { return try original.list.archived(widths: .asRead) }
        var builder = builder
        builder.removeUnreachable(since: nil)
        return try builder.propertyList().archived(widths: original == nil ? .minimal : .asRead)
    }
}
