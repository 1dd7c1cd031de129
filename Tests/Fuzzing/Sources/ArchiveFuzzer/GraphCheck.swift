import KeyValueCoding
import KeyedArchive

/// An archive of any classes: its values, the views on it, and what is written of it.
enum GraphCheck {
    typealias Values = [(key: String, value: Value)]

    static func run(_ bytes: [UInt8]) {
        let strict = try? Archive(reading: bytes, limits: limits())
        guard let archive = try? Archive(reading: bytes, limits: limits(allowingGaps: true)) else {
            require(strict == nil, "an archive is refused by the option that accepts more")
            return
        }
        look(at: archive)
        guard let values = try? archive.topValues() else {
            require((try? strict?.topValues()) == nil, "values are refused by the option that accepts more")
            return
        }
        if let strict {
            guard let same = try? strict.topValues(), areSame(values, same) else {
                return require(false, "an option has changed the values")
            }
            look(at: strict)
            checkWriting(strict, values, limits())
        }
        checkWriting(archive, values, limits(allowingGaps: true))
    }

    private static func checkWriting(_ archive: Archive, _ values: Values, _ limits: ArchiveLimits) {
        // XML lacks a form for some values, which is an error and no fault.
        for format in ArchiveFormat.allCases {
            guard let written = try? archive.data(format: format) else {
                require(format == .xml, "an archive that was read cannot be written")
                continue
            }
            guard let again = try? Archive(reading: written, limits: limits).topValues() else {
                require(written.count > limits.bytes, "an archive that was written cannot be read")
                continue
            }
            // A date in XML has whole seconds, and -0 no sign.
            if format == archive.format, format == .binary { require(areSame(values, again), "other values") }
        }
    }

    /// Looks at each object in every way that the interface has.
    private static func look(at archive: Archive) {
        require(archive.referenceCounts.count == archive.objectCount, "not every object has its number of references")
        _ = try? archive.root.content()
        for index in 0..<min(archive.objectCount, 200) {
            guard let element = archive.element(at: index) else {
                return require(false, "an object is missing")
            }
            _ = try? element.archivedClass()
            _ = archive.className(at: index)
            guard let object = try? element.object() else { continue }
            for key in object.keys.prefix(50) { _ = try? object.value(forKey: key) }
        }
    }

    private static func areSame(_ left: Values, _ right: Values) -> Bool {
        left.elementsEqual(right) { $0.key == $1.key && $0.value.isIdentical(to: $1.value) }
    }
}
