extension PropertyList {
    /// Reads a binary or XML property list.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: How much of it is read before it is refused.
    /// - Throws: An error that says what the file is, if it is no property list, or where it is damaged.
    init(reading bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        self = try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(ArchiveError) in
            try unsafe PropertyList(reading: buffer, limits: limits)
        }
    }

    /// Reads a binary or XML property list from bytes that are not copied, such as those of a mapped file.
    ///
    /// Nothing of the result refers to `bytes`.
    init(reading bytes: RawSpan, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        self = try unsafe bytes.withUnsafeBytes { (buffer) throws(ArchiveError) in
            try unsafe PropertyList(reading: buffer, limits: limits)
        }
    }

    /// Reads a binary or XML property list from a buffer, which nothing of the result refers to.
    @unsafe init(
        reading buffer: UnsafeRawBufferPointer,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        guard let bytes = unsafe ByteView(buffer) else {
            throw ArchiveError(.empty, at: 0, "the file is empty; it was never written, or its content was lost")
        }
        guard bytes.count <= limits.bytes else {
            throw ArchiveError(.tooLarge, "the file has \(bytes.count) bytes; the limit is \(limits.bytes)")
        }
        switch FileSignature(bytes) {
        case .binaryPropertyList: self = try BinaryPropertyListReader.read(bytes, limits: limits)
        case .xml: self = try XMLPropertyListReader.read(bytes, limits: limits)
        case .other(let error): throw error
        }
    }
}
