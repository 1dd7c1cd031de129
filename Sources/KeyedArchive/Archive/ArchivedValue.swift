public import FoundationEssentials
internal import KeyValueCoding

/// A value in an archive: what a field holds, an element of a collection, or an entry of `$top`.
///
/// It is a view. What the value is, is looked up when ``content()`` is called, one level at a time, so that walking through a
/// large archive costs what is visited, and shared and cyclic objects show by their ``index``.
public struct ArchivedValue: Sendable {
    /// The archive that the value is in.
    public let archive: Archive
    /// The index in `$objects` of what is referred to, 0 for nil; nil for a value that stands in its object's own dictionary.
    public let index: Int?
    /// The keys that led here.
    public let path: ArchivePath
    /// The node with the value.
    let node: Int

    /// Takes a node for a value, and follows it if it is a reference.
    init(_ node: Int, in archive: Archive, path: ArchivePath) {
        self.archive = archive
        self.path = path
        if case .uid(let uid) = archive.list.nodes[node] {
            index = Int(uid)
            self.node = archive.element(Int(uid))
        } else {
            index = nil
            self.node = node
        }
    }

    /// What a value is.
    public enum Content: Sendable {
        /// nil, or `NSNull`.
        case null
        /// A bool that stands for itself.
        case bool(Bool)
        /// An integer, encoded as itself or as an `NSNumber`.
        case integer(Int128)
        /// A real, encoded as itself or as an `NSNumber`.
        case real(Double)
        /// A date, or an `NSDate`.
        case date(Date)
        /// Data, `NSData` or `NSMutableData`.
        case data([UInt8])
        /// Text, `NSString` or `NSMutableString`.
        case text(String)
        /// The elements of an `NSArray` or an `NSMutableArray`, or of an array in an object's own dictionary.
        case array([ArchivedValue])
        /// The elements of an `NSSet` or an `NSMutableSet`.
        case set([ArchivedValue])
        /// The entries of an `NSDictionary` or an `NSMutableDictionary`, or of a dictionary in an object's own.
        case dictionary([(key: ArchivedValue, value: ArchivedValue)])
        /// An object of any other class.
        case object(ArchivedObject)
    }

    /// What the value is, one level deep.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object.
    public func content() throws(ArchiveError) -> Content {
        guard let index else { return try plainContent() }
        switch try resolved(index) {
        case .null: return .null
        case .plain: return try plainContent()
        case .object(let object): return try content(of: object)
        }
    }

    /// The class of the object that is referred to; nil for a value that has none, as nil, text and numbers have none.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object.
    public func archivedClass() throws(ArchiveError) -> ArchivedClass? {
        guard let index, case .object(let object) = try resolved(index) else { return nil }
        return object.archivedClass
    }

    /// The object that is referred to, whatever its class, with its fields as they were encoded; nil for a value that has
    /// no class.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object.
    public func object() throws(ArchiveError) -> ArchivedObject? {
        guard let index, case .object(let object) = try resolved(index) else { return nil }
        return object
    }

    private func resolved(_ index: Int) throws(ArchiveError) -> Archive.Element {
        do {
            let element = try archive.resolve(index)
            guard case .object(var object) = element else { return element }
            object.path = path
            return .object(object)
        } catch {
            throw located(error)
        }
    }

    private func content(of object: ArchivedObject) throws(ArchiveError) -> Content {
        do {
            if let scalar = archive.simpleScalar(of: object) { return Content(scalar.value) ?? .object(object) }
            if object.archivedClass.name == "NSNull", object.keys.isEmpty { return .null }
            switch object.plainCollectionKind {
            case .array: return .array(views(of: try archive.sequenceElements(of: object)))
            case .set: return .set(views(of: try archive.sequenceElements(of: object)))
            case .dictionary: return .dictionary(entries(try archive.dictionaryEntries(of: object)))
            case nil: return .object(object)
            }
        } catch {
            throw located(error)
        }
    }

    /// The content of a node that has no class.
    private func plainContent() throws(ArchiveError) -> Content {
        switch archive.list.nodes[node] {
        case .array(let run): return .array(views(of: archive.list.elements(of: run)))
        case .set(let run): return .set(views(of: archive.list.elements(of: run)))
        case .dictionary(let run):
            let keys = archive.list.references[run.start..<(run.start + run.count)]
            return .dictionary(entries(zip(keys, archive.list.entries(of: run)).map { ($0, $1.node) }))
        case .uid:
            throw located(archive.list.error(.badObjects, at: node, "an element of $objects is a reference itself"))
        default:
            return Content(archive.list.scalar(at: node)) ?? .null
        }
    }

    private func views(of nodes: some Sequence<Int>) -> [ArchivedValue] {
        nodes.enumerated().map { ArchivedValue($1, in: archive, path: path.appending(.index($0))) }
    }

    private func entries(_ nodes: [(key: Int, value: Int)]) -> [(key: ArchivedValue, value: ArchivedValue)] {
        nodes.enumerated().map { position, entry in
            let key = ArchivedValue(entry.key, in: archive, path: path.appending(.index(position)))
            let step = key.text.map(PathStep.key) ?? .index(position)
            return (key, ArchivedValue(entry.value, in: archive, path: path.appending(step)))
        }
    }

    /// The error with this place, if it does not say one.
    private func located(_ error: ArchiveError) -> ArchiveError {
        var error = error
        if error.objectIndex == nil { error.objectIndex = index }
        if error.keyPath.isEmpty { error.keyPath = path.description }
        return error
    }
}

extension ArchivedValue.Content {
    /// The content that a value without parts is.
    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(Int128(integer))
        case .wideInteger(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .text(let text): self = .text(text)
        default: return nil
        }
    }
}
