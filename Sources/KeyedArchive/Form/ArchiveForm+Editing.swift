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
        for key in original.keys where properties[key] == nil && !wanted.contains(key) {
            builder.removeField(key, of: object)
        }
        let known = Set(original.keys)
        for field in original.keys.filter({ properties[$0] != nil || wanted.contains($0) })
            + others.filter({ !known.contains($0) })
        {
            let target = Target(field: field, property: properties[field], path: [])
            if let current = try original.value(forKey: field), source.accepts(current, for: target) { continue }
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
        guard try isFaithful(data, object: place, others: others, source: source, limits: limits) else {
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
        try isFaithful(bytes, object: object, others: others, source: source, limits: limits)
    }

    private func isFaithful(
        _ bytes: [UInt8],
        object: Int,
        others: [String],
        source: some ArchiveFormSource,
        limits: ArchiveLimits
    ) throws(ArchiveError) -> Bool {
        let values = try archivedObject(object, in: Archive(reading: bytes, limits: limits)).values()
        let fields = Set(values.map(\.key))
        guard others.allSatisfy(fields.contains), fields.count == Set(others).union(properties.keys).count else {
            return false
        }
        return values.allSatisfy { key, value in
            source.accepts(value, for: Target(field: key, property: properties[key], path: []))
        }
    }

    private func archivedObject(_ object: Int, in archive: Archive) throws(ArchiveError) -> ArchivedObject {
        guard object < archive.objectCount, case .object(let found) = try archive.resolve(object) else {
            throw ArchiveError(.badObjects, object: object, "the form that is kept for the account has no such object")
        }
        return found
    }
}

extension Archive {
    /// An archive with one object of this one for its root, and nothing that cannot be reached from it.
    ///
    /// The elements of `$objects` are in the order in which archiving the object alone would have put them.
    public func extracting(_ object: ArchivedObject) throws(ArchiveError) -> [UInt8] {
        var builder = ArchiveBuilder(self)
        let root = entries.first { $0.key == "root" } ?? entries.first
        builder.top = [(root?.key ?? "root", builder.reference(to: object.index))]
        builder.reorderAsEncoded(from: object.index)
        return try builder.propertyList().encoded()
    }
}

extension Archive {
    /// The archive without some of the fields of an object.
    public func removing(_ keys: some Sequence<String>, from object: ArchivedObject) throws(ArchiveError) -> [UInt8] {
        var builder = ArchiveBuilder(self)
        for key in keys { builder.removeField(key, of: object.index) }
        _ = builder.removeUnreachable(since: self, following: object.index)
        return try builder.propertyList().encoded()
    }
}
