/// Reads XML property lists.
struct XMLPropertyListReader {
    static func read(_ bytes: ByteView, limits: ArchiveLimits) throws(ArchiveError) -> PropertyList {
        throw ArchiveError(.badXML, at: 0, "the file is XML, which this version does not read")
    }
}
