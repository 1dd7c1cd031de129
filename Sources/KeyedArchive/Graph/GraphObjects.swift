internal import KeyValueCoding

/// The objects that were added to a graph, by the numbers that they are known by outside.
struct GraphObjects: Sendable {
    /// What an object is made of that has no place in the archive yet.
    enum Draft: Sendable {
        case fields(ArchivedClass, [ArchiveField])
        case value(Value)
    }

    /// The objects that have no place yet.
    var drafts: [Int: Draft] = [:]
    /// The elements of the others.
    var places: [Int: Int] = [:]

    /// Follows the elements to their new places; those that are gone are no objects any more.
    mutating func move(to positions: [Int?]) {
        places = places.compactMapValues { $0 < positions.count ? positions[$0] : nil }
    }
}

extension ArchiveBuilder {
    /// The element of the object that a `Value.reference` means, which gets its place now if it has none.
    mutating func place(ofReference id: Int) throws(ArchiveError) -> Int {
        guard graph != nil else {
            throw ArchiveError(
                .badObjects,
                "a value refers to object \(id) of the archive that it came from and cannot be written into another"
            )
        }
        if let place = graph?.places[id] { return place }
        // Taken out in one step, so that the others are not copied.
        guard let draft = graph?.drafts.removeValue(forKey: id) else {
            if let place = origins.firstIndex(of: id) { return place }
            throw ArchiveError(.badObjects, object: id, "a value refers to object \(id), which the graph does not have")
        }
        switch draft {
        case .value(let value):
            let place = try encodeMember(value)
            graph?.places[id] = place
            return place
        case .fields(let archivedClass, let fields):
            // The place is known before the fields, since they may refer to it.
            let place = try reserveElement()
            graph?.places[id] = place
            origins[place] = id
            return finish(place, archivedClass, try encodeFields(fields))
        }
    }
}
