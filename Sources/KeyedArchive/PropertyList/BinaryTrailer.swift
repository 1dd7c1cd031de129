/// The 32 bytes that end a binary property list.
struct BinaryTrailer: Sendable, Equatable {
    /// The length of a trailer in bytes.
    static let size = 32
    /// `bplist00`, which opens the file, as a big-endian integer.
    static let magic: UInt64 = 0x6270_6C69_7374_3030
    /// The length of the magic in bytes.
    static let magicSize = 8

    /// The first six bytes: five that are unused, and the sort version. Apple writes zeros and reads past them.
    var unused: UInt64 = 0
    /// The bytes of an entry of the offset table.
    var offsetSize: Int
    /// The bytes of a reference to an object.
    var referenceSize: Int
    var objectCount: UInt64
    var topObject: UInt64
    /// Where the offset table starts, in bytes from the start of the file.
    var tableStart: UInt64

    /// Takes the fields at `offset`, whatever they say.
    init(_ bytes: ByteView, at offset: Int) {
        unused = bytes.unsigned(at: offset, width: 6)
        offsetSize = Int(bytes[offset + 6])
        referenceSize = Int(bytes[offset + 7])
        objectCount = bytes.unsigned(at: offset + 8, width: 8)
        topObject = bytes.unsigned(at: offset + 16, width: 8)
        tableStart = bytes.unsigned(at: offset + 24, width: 8)
    }

    /// Reads the trailer of a file that starts with the magic.
    ///
    /// - Throws: `truncated` if the last 32 bytes are no trailer, `badTrailer` if they are one that contradicts
    ///   the file, or stand elsewhere than at its end.
    static func read(_ bytes: ByteView) throws(ArchiveError) -> BinaryTrailer {
        let start = bytes.count - size
        guard start >= magicSize else {
            throw ArchiveError(
                .truncated,
                at: bytes.count,
                "the file ends after \(bytes.count) bytes; a binary property list has an 8-byte header and ends with"
                    + " a 32-byte trailer. It was cut off: take it from the source again"
            )
        }
        let trailer = BinaryTrailer(bytes, at: start)
        guard trailer.isConsistent(endingAt: start) else { throw trailer.error(bytes, at: start) }
        return trailer
    }

    /// Whether the fields are possible in a trailer that begins at `end`, and the offset table fits before it.
    func isConsistent(endingAt end: Int) -> Bool {
        let end = UInt64(end)
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else { return false }
        guard tableStart > Self.magicSize, tableStart < end else { return false }
        guard objectCount >= 1, topObject < objectCount else { return false }
        return objectCount <= (end - tableStart) / UInt64(offsetSize)
    }

    /// The bytes of the offset table, of a trailer that is consistent.
    var tableSize: Int { Int(objectCount) * offsetSize }
}

extension BinaryTrailer {
    /// A field that cannot be right.
    private struct Defect {
        var offset: Int
        var text: String
    }

    /// What is wrong with the trailer at `start`.
    private func error(_ bytes: ByteView, at start: Int) -> ArchiveError {
        if let early = Self.lastConsistent(bytes, before: start) {
            let rest = bytes.count - early - Self.size
            return ArchiveError(
                .badTrailer,
                at: early + Self.size,
                "\(rest) \(rest == 1 ? "byte follows" : "bytes follow") the trailer of the binary property list, which"
                    + " has to be the end of the file; cut them off"
            )
        }
        let defects = defects(at: start)
        if unused == 0 && defects.count <= 1 || defects.isEmpty {
            let defect = defects.first ?? misfit(at: start)
            return ArchiveError(.badTrailer, at: defect.offset, "the trailer gives \(defect.text)")
        }
        return ArchiveError(
            .truncated,
            at: bytes.count,
            "the file ends without the 32-byte trailer of a binary property list: it was cut off or damaged; take it from"
                + " its source again"
        )
    }

    private func defects(at start: Int) -> [Defect] {
        var defects: [Defect] = []
        if !(1...8 ~= offsetSize) {
            defects.append(Defect(offset: start + 6, text: "offsets of \(offsetSize) bytes (1 to 8 are possible)"))
        }
        if !(1...8 ~= referenceSize) {
            defects.append(
                Defect(offset: start + 7, text: "references of \(referenceSize) bytes (1 to 8 are possible)")
            )
        }
        if objectCount < 1 || objectCount > UInt64(start) {
            defects.append(
                Defect(offset: start + 8, text: "\(objectCount) objects in a file of \(start + Self.size) bytes")
            )
        } else if topObject >= objectCount {
            defects.append(Defect(offset: start + 16, text: "top object \(topObject) of \(objectCount) objects"))
        }
        if tableStart <= Self.magicSize || tableStart >= UInt64(start) {
            defects.append(
                Defect(offset: start + 24, text: "an offset table at byte \(tableStart), outside 9 to \(start - 1)")
            )
        }
        return defects
    }

    /// The one fault that a trailer with possible fields can have.
    private func misfit(at start: Int) -> Defect {
        Defect(
            offset: start + 8,
            text: "\(objectCount) offsets of \(offsetSize) bytes, which do not fit between the offset table at byte"
                + " \(tableStart) and the trailer at byte \(start)"
        )
    }

    /// Where the last trailer before `end` starts whose offset table ends where it begins.
    ///
    /// Only to say what is wrong: nothing is ever read by a trailer that is not at the end of the file.
    private static func lastConsistent(_ bytes: ByteView, before end: Int) -> Int? {
        var start = end - 1
        while start > magicSize {
            if 1...8 ~= bytes[start + 6], 1...8 ~= bytes[start + 7] {
                let trailer = BinaryTrailer(bytes, at: start)
                if trailer.isConsistent(endingAt: start), Int(trailer.tableStart) + trailer.tableSize == start {
                    return start
                }
            }
            start -= 1
        }
        return nil
    }
}
