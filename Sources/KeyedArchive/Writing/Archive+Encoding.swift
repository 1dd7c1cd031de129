extension Archive {
    /// Archives one object as `NSKeyedArchiver` does, byte for byte.
    ///
    /// - Parameters:
    ///   - archivedClass: the class of the object.
    ///   - fields: its fields in the order in which the class encodes them.
    ///   - topKey: the name in `$top`; `root`, as `archiveRootObject:toFile:` has it, by default.
    ///   - format: binary or XML.
    ///   - layout: the order of the top dictionary's keys.
    ///   - limits: how large the archive may become.
    /// - Returns: the bytes of the file.
    /// - Throws: ``ArchiveError`` for a value that no archive can hold, and where a limit is exceeded.
    public static func data(
        archiving archivedClass: ArchivedClass,
        fields: [ArchiveField],
        topKey: String = "root",
        format: ArchiveFormat = .binary,
        layout: ArchiveLayout = .ios13,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        var builder = ArchiveBuilder(layout: layout, limits: limits)
        builder.list.format = format == .binary ? .binary : .xml
        let root = try builder.encode(archivedClass, fields: fields)
        builder.top = [(topKey, builder.reference(to: root))]
        return try builder.propertyList().archived()
    }

    /// The bytes of this archive in one format or the other, with the same objects. In its own format they are those that it was
    /// read from, where Apple's archiver wrote these.
    ///
    /// - Throws: ``ArchiveError`` for text that XML cannot hold.
    public func data(format: ArchiveFormat) throws(ArchiveError) -> [UInt8] {
        var builder = ArchiveBuilder(self)
        builder.list.format = format == .binary ? .binary : .xml
        return try builder.propertyList().archived(widths: .asRead)
    }
}
