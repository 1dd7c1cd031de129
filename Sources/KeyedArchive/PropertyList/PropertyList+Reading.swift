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
        if bytes.count >= BinaryTrailer.magicSize, bytes.unsigned(at: 0, width: 8) == BinaryTrailer.magic {
            self = try BinaryPropertyListReader.read(bytes, limits: limits)
            return
        }
        switch FileSignature(bytes) {
        case .xml: self = try XMLPropertyListReader.read(bytes, limits: limits)
        case .other(let error): throw error
        }
    }
}

extension Archive {
    /// Whether a file that begins so may be an archive, or is one that is damaged or of another version: anything that is known to be
    /// something else is not.
    package static func mayBegin(with bytes: [UInt8]) -> Bool {
        unsafe bytes.span.bytes.withUnsafeBytes { buffer in
            guard let bytes = unsafe ByteView(buffer) else { return false }
            if case .other(let error) = FileSignature(bytes) {
                return error.code != .notAPropertyList || bytes.matches("bplist00")
            }
            return true
        }
    }
}

extension PropertyList.Node {
    /// Reads an object that is no container from the bytes that it takes in a file.
    ///
    /// - Throws: ``ArchiveError`` if they are not just one such object.
    init(encoding bytes: [UInt8], format: PropertyList.Format) throws(ArchiveError) {
        let file: [UInt8]
        switch format {
        case .binary:
            let tableStart = 8 + bytes.count
            let tail: [UInt64] = [1, 0, UInt64(tableStart)]
            file =
                Array("bplist00".utf8) + bytes + [8, 0, 0, 0, 0, 0, 0, 1, 1]
                + tail.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) } }
        case .xml:
            file = Array("<plist>".utf8) + bytes + Array("</plist>".utf8)
        }
        let list = try PropertyList(reading: file)
        self = list.nodes[list.top]
    }
}
