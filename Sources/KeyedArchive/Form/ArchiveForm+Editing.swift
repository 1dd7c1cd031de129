internal import KeyValueCoding

extension ArchiveForm {
    /// A file of this form as far as possible, for values that do not fit its places: a field more or less, a value
    /// where there was nil, two different values where one object served both.
    ///
    /// The class, the fields' order and encodings, the names in `$top` and the order of the top dictionary's keys stay;
    /// the objects are put into the order that Apple's writer gives them.
    ///
    /// - Parameters:
    ///   - others: the fields that the object is to have besides those in ``properties``.
    ///   - inline: those of them whose value, if it is a number, is to stand in the object's own dictionary.
    ///   - source: the values. A field for which it has none is nil in the archive.
    ///   - details: the spellings that are kept beside the account.
    ///   - className: another name for the class of the object, or nil for the one that it has.
    ///   - limits: how large the archive may become.
    /// - Throws: ``ArchiveError`` for a value that no archive can hold, and where a limit is exceeded.
    public func editedData(
        others: [String],
        inline: Set<String> = [],
        source: some ArchiveFormSource,
        details: ArchiveFormDetails,
        className: String? = nil,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        let archive = try Archive(reading: base(source: source, details: details), limits: limits)
        let original = try archivedObject(object, in: archive)
        var builder = ArchiveBuilder(archive)
        let wanted = Set(others)
        let keys = original.keys
        builder.removeFields(keys.filter { properties[$0] == nil && !wanted.contains($0) }, of: object)
        let current = Dictionary(try original.values().map { ($0.key, $0.value) }) { first, _ in first }
        for field in keys.filter({ properties[$0] != nil || wanted.contains($0) })
            + others.filter({ current[$0] == nil })
        {
            let target = Target(field: field, property: properties[field], path: [])
            if let value = current[field], source.accepts(value, for: target) { continue }
            try builder.setField(
                field,
                of: object,
                to: source.value(for: target) ?? .null,
                encoding: inline.contains(field) ? .inline : .object
            )
        }
        if let className, className != original.archivedClass.name {
            builder.setClass(ArchivedClass(name: className), of: object)
        }
        let place = builder.removeUnreachable(since: archive, following: object)
        let data = try builder.propertyList().encoded()
        let origins = builder.origins
        let isFaithful = try isFaithful(data, object: place, others: others, source: source, limits: limits) { index in
            origins.indices.contains(index) ? origins[index] : index
        }
        guard isFaithful else {
            throw ArchiveError(
                .badObjects,
                object: object,
                "the account has values that an archive of class \(self.className) cannot hold"
            )
        }
        return data
    }

    /// Whether a file of this form has just the values of a source: each property's field, each of the other fields, and
    /// no more.
    public func isFaithful(
        _ bytes: [UInt8],
        others: [String],
        source: some ArchiveFormSource,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Bool {
        try isFaithful(bytes, object: object, others: others, source: source, limits: limits) { $0 }
    }

    private func isFaithful(
        _ bytes: [UInt8],
        object: Int,
        others: [String],
        source: some ArchiveFormSource,
        limits: ArchiveLimits,
        origin: (Int) -> Int
    ) throws(ArchiveError) -> Bool {
        let values = try archivedObject(object, in: Archive(reading: bytes, limits: limits)).values()
        let fields = Set(values.map(\.key))
        guard others.allSatisfy(fields.contains), fields.count == Set(others).union(properties.keys).count else {
            return false
        }
        return values.allSatisfy { key, value in
            source.accepts(
                value.mappingReferences(origin),
                for: Target(field: key, property: properties[key], path: [])
            )
        }
    }

    /// A file in the form of another class, for an account whose values refer to objects of the file that they came from.
    ///
    /// - Parameters:
    ///   - archivedClass: the class of the object.
    ///   - fields: the fields that are written anew, in the order in which the class encodes them.
    ///   - others: the fields that are taken over from the file, where it has them with the source's values.
    ///   - source: the values of the others.
    ///   - details: the spellings that are kept beside the account.
    ///   - format: binary or XML.
    ///   - layout: the order of the top dictionary's keys.
    ///   - limits: how large the archive may become.
    /// - Throws: ``ArchiveError`` for a value that no archive can hold, and where a limit is exceeded.
    public func recastData(
        as archivedClass: ArchivedClass,
        fields: [ArchiveField],
        others: [String],
        source: some ArchiveFormSource,
        details: ArchiveFormDetails,
        format: ArchiveFormat,
        layout: ArchiveLayout,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        let archive = try Archive(reading: base(source: source, details: details), limits: limits)
        let original = try archivedObject(object, in: archive)
        let current = Dictionary(try original.values().map { ($0.key, $0.value) }) { first, _ in first }
        var builder = ArchiveBuilder(archive)
        let root = try builder.reserveElement()
        var nodes = try builder.encodeFields(fields)
        for field in others {
            let target = Target(field: field, property: nil, path: [])
            if let value = current[field], source.accepts(value, for: target), let node = original.node(forKey: field) {
                nodes.append((Archive.archivedKey(field), node))
            } else {
                let reference = try builder.encodeReference(to: source.value(for: target) ?? .null)
                nodes.append((Archive.archivedKey(field), reference))
            }
        }
        builder.makeRoot(root, inPlaceOf: object, archivedClass, nodes, layout: layout)
        builder.list.format = format == .binary ? .binary : .xml
        let recast = try Archive(reading: builder.propertyList().encoded(), limits: limits)
        return try recast.extracting([recast.rootObject()])[0]
    }

    private func archivedObject(_ object: Int, in archive: Archive) throws(ArchiveError) -> ArchivedObject {
        guard object < archive.objectCount, case .object(let found) = try archive.resolve(object) else {
            throw ArchiveError(.badObjects, object: object, "the form that is kept for the account has no such object")
        }
        return found
    }
}
