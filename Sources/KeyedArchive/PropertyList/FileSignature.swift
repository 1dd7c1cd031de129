/// What kind of file the first bytes show, of one that does not begin with the magic of a binary property list.
enum FileSignature {
    /// XML, in UTF-8 or UTF-16, that may be a property list.
    case xml
    /// Anything that is not read here, as the error to throw.
    case other(ArchiveError)
}

extension FileSignature {
    /// Recognises a file by its bytes.
    init(_ bytes: ByteView) {
        if bytes.matches("bplist") || Self.isCutMagic(bytes) {
            self = Self.binary(bytes)
        } else if bytes.matches("\u{4}\u{b}streamtyped") || bytes.matches("\u{4}\u{b}typedstream") {
            self = .other(
                ArchiveError(
                    .oldArchiver,
                    at: 0,
                    "the file is an archive of NSArchiver (streamtyped), the unkeyed archiver; only archives of"
                        + " NSKeyedArchiver are read"
                )
            )
        } else if let known = Self.knownFormat(bytes) {
            self = .other(ArchiveError(.notAPropertyList, at: 0, known))
        } else {
            self = Self.text(bytes)
        }
    }

    /// Whether the file is a beginning of the magic and nothing else.
    private static func isCutMagic(_ bytes: ByteView) -> Bool {
        bytes.count < 6 && "bplist".utf8.starts(with: bytes.bytes(0..<bytes.count))
    }

    private static func binary(_ bytes: ByteView) -> FileSignature {
        if bytes.count < BinaryTrailer.magicSize {
            return .other(
                ArchiveError(
                    .truncated,
                    at: bytes.count,
                    "the file ends within the header of a binary property list: take it from the source again"
                )
            )
        }
        let version = String(decoding: bytes.bytes(6..<8), as: UTF8.self)
        let shown = version.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return .other(
            ArchiveError(
                .unsupportedVersion,
                at: 6,
                "the file is a binary property list of version"
                    + " \(shown ? version : "0x\(hex(bytes[6])) 0x\(hex(bytes[7]))"); version 00 (bplist00) is read"
            )
        )
    }

    /// The description of a format that fixed bytes at its start give away.
    private static func knownFormat(_ bytes: ByteView) -> String? {
        let formats: [(magic: StaticString, description: String)] = [
            ("SQLite format 3\u{0}", "the file is an SQLite database; use it with --database"),
            ("-----BEGIN ", "the file is PEM text, a key or a certificate"),
            ("YnBsaXN0", "the file is a binary property list in base64 text; decode it first (base64 -d)"),
            ("PD94bWwg", "the file is XML in base64 text; decode it first (base64 -d)"),
            ("PK\u{3}\u{4}", "the file is a zip archive; unpack it first"),
            ("%PDF", "the file is a PDF document"),
            ("BZh", "the file is compressed with bzip2; unpack it first"),
        ]
        if let format = formats.first(where: { bytes.matches($0.magic) }) { return format.description }
        switch (bytes[0], bytes.count > 1 ? bytes[1] : 0) {
        case (0x1F, 0x8B): return "the file is compressed with gzip; unpack it first (gunzip)"
        case (0x89, 0x50): return "the file is a PNG image"
        case (0xFF, 0xD8): return "the file is a JPEG image"
        default: break
        }
        if bytes[0] == 0, !(0..<bytes.count).contains(where: { bytes[$0] != 0 }) {
            let zeros = bytes.count == 1 ? "1 zero byte" : "\(bytes.count) zero bytes"
            return "the file holds \(zeros) and nothing else; its content was lost when it was written"
        }
        return nil
    }
}
