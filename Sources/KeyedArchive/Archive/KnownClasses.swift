internal import KeyValueCoding

/// What the objects of a class are to a reader of values.
enum ClassRole {
    case null
    case text
    case data
    case date
    case array
    case set
    case dictionary
    case other

    /// The role of Foundation's class of that name.
    init(className: String) {
        // Most classes are the app's own.
        guard className.utf8.first == UInt8(ascii: "N") else {
            self = .other
            return
        }
        switch className {
        case "NSNull": self = .null
        case "NSString", "NSMutableString": self = .text
        case "NSData", "NSMutableData": self = .data
        case "NSDate": self = .date
        case "NSArray", "NSMutableArray": self = .array
        case "NSSet", "NSMutableSet": self = .set
        case "NSDictionary", "NSMutableDictionary": self = .dictionary
        default: self = .other
        }
    }
}

/// A class of an archive, and how its objects were encoded so far.
struct KnownClass {
    /// Where the keys of an object are.
    struct Layout {
        var run: PropertyList.Run
        /// The place of `$class` among the keys.
        var classPlace: Int

        /// Whether the keys are the same as those of another object.
        func hasSameKeys(as other: Layout, in list: PropertyList) -> Bool {
            guard run.count == other.run.count, classPlace == other.classPlace else { return false }
            for place in 0..<run.count
            where list.references[run.start + place] != list.references[other.run.start + place] { return false }
            return true
        }
    }

    /// The index of its description in `$objects`.
    let element: Int
    let name: ArchivedClass
    let role: ClassRole
    /// The keys of the first object.
    fileprivate var layout: Layout?
    /// By those keys, the place of each field among the others; made for the second object.
    fileprivate var places: [String: Int]?
}

/// The classes of an archive that were met, each looked up once.
struct KnownClasses {
    private var known: [KnownClass] = []
    /// Where those are in ``known`` that come after the first few, by element.
    private var later: [Int: Int] = [:]
    /// The node of the key `$class` that the last object had.
    private var classKey = -1
    /// So many are searched one by one.
    private static let few = 8

    subscript(number: Int) -> KnownClass { known[number] }

    /// The number of the class of an object with the fields `run`, and the place of `$class` among them.
    mutating func find(
        _ run: PropertyList.Run,
        node: Int,
        object: Int,
        in archive: Archive
    ) throws(ArchiveError) -> (number: Int, classPlace: Int) {
        let place = try classPlace(in: run, node: node, object: object, of: archive)
        guard case .uid(let uid) = archive.list.nodes[archive.list.references[run.start + run.count + place]] else {
            return (try add(try archive.classElement(of: run, node: node, object: object), object, archive), place)
        }
        let element = Int(uid)
        for number in 0..<min(known.count, Self.few) where known[number].element == element { return (number, place) }
        if let number = later[element] { return (number, place) }
        return (try add(element, object, archive), place)
    }

    private mutating func classPlace(
        in run: PropertyList.Run,
        node: Int,
        object: Int,
        of archive: Archive
    ) throws(ArchiveError) -> Int {
        for place in 0..<run.count where archive.list.references[run.start + place] == classKey { return place }
        for place in 0..<run.count
        where archive.list.isASCIIText("$class", at: archive.list.references[run.start + place]) {
            classKey = archive.list.references[run.start + place]
            return place
        }
        throw archive.missingClass(node: node, object: object)
    }

    private mutating func add(_ element: Int, _ object: Int, _ archive: Archive) throws(ArchiveError) -> Int {
        let name = try archive.archivedClass(at: element, of: object)
        if known.count >= Self.few { later[element] = known.count }
        known.append(KnownClass(element: element, name: name, role: ClassRole(className: name.name)))
        return known.count - 1
    }
}

extension KnownClasses {
    /// The fields of an object by key, from their values in the order of the keys; nil if two keys look alike.
    ///
    /// As objects of a class have the same keys as a rule, the second one makes a table of them, which for all that follow is
    /// copied with their values in it, so that nothing is hashed.
    mutating func fields(
        _ layout: KnownClass.Layout,
        of number: Int,
        values: ArraySlice<Value>,
        in list: PropertyList
    ) -> [String: Value]? {
        guard let first = known[number].layout else {
            known[number].layout = layout
            return Self.table(layout, values, in: list)
        }
        guard first.hasSameKeys(as: layout, in: list) else { return Self.table(layout, values, in: list) }
        if known[number].places == nil {
            known[number].places = Self.table(layout, values.indices.map { $0 - values.startIndex }[...], in: list)
        }
        return known[number].places?.mapValues { values[values.startIndex + $0] }
    }

    private static func table<Element>(
        _ layout: KnownClass.Layout,
        _ elements: ArraySlice<Element>,
        in list: PropertyList
    ) -> [String: Element]? {
        let first = elements.startIndex
        let pairs = (0..<elements.count).lazy.map { number in
            let place = number < layout.classPlace ? number : number + 1
            return (list.userKey(at: list.references[layout.run.start + place]), elements[first + number])
        }
        // Made of a sequence, a table has its size from the start without a look at its type at run time.
        let table = Dictionary(pairs) { earlier, _ in earlier }
        return table.count == elements.count ? table : nil
    }
}
