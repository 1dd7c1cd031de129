/// An object of an archive: its class and its fields, by key.
///
/// It is a view; a field is resolved when it is asked for.
public struct ArchivedObject: Sendable {
    /// The archive that the object is in.
    public let archive: Archive
    /// The index of the object in `$objects`.
    public let index: Int
    /// The class of the object.
    public let archivedClass: ArchivedClass
    /// The fields, `$class` included, as a run of the property list's references.
    let run: PropertyList.Run
    /// The keys that led to the object.
    var path = ArchivePath()

    /// The keys of the fields in the order of the file, as the encoding class named them.
    public var keys: [String] { userFields.map(\.key) }

    /// The fields that the class encoded, in the order of the file, each with its node.
    ///
    /// Keys of a class that begin with `$` are written with another `$` before them. What begins with one `$` is the
    /// archiver's own: `$class`, and `$0`, `$1`, … for values that a class encoded without a key.
    var userFields: [(key: String, node: Int)] {
        archive.list.entries(of: run).filter { $0.key != "$class" }.map { (Archive.userKey($0.key), $0.node) }
    }

    /// The node of a field, by the key under which its class encoded it.
    func node(forKey key: String) -> Int? {
        guard key.utf8.first == UInt8(ascii: "$") else { return archive.list.value(forKey: key, in: run) }
        return archive.list.value(forKey: "$" + key, in: run) ?? archive.list.value(forKey: key, in: run)
    }
}

extension Archive {
    /// What an element of `$objects` is.
    enum Element {
        /// The null object.
        case null
        /// Text, a number, a bool, a date or data by itself, or a container without a class.
        case plain(Int)
        /// An object with a class.
        case object(ArchivedObject)
    }

    /// Looks an element up. An index comes from a UID of the archive, all of which are in range.
    func resolve(_ index: Int) throws(ArchiveError) -> Element {
        if index == 0 { return .null }
        let node = element(index)
        guard case .dictionary(let run) = list.nodes[node] else { return .plain(node) }
        let classIndex = try classElement(of: run, node: node, object: index)
        let archivedClass = try archivedClass(at: classIndex, of: index)
        return .object(ArchivedObject(archive: self, index: index, archivedClass: archivedClass, run: run))
    }

    /// The key that the encoding class used, from the one in the archive.
    static func userKey(_ archived: String) -> String {
        archived.utf8.starts(with: "$$".utf8) ? String(archived.dropFirst()) : archived
    }

    /// The key in the archive for one that an encoding class uses.
    static func archivedKey(_ user: String) -> String {
        user.utf8.first == UInt8(ascii: "$") ? "$" + user : user
    }
}
