internal import KeyValueCoding

/// Which data is secret by what it is, whatever its key.
enum SecretData {
    /// Marks of property lists, and parts of keys that name secrets.
    private static let marks: BytePatterns = {
        var marks = BytePatterns()
        marks.insert("bplist".utf8)
        marks.insert("<plist".utf8)
        for part in SecretKeys.parts { marks.insert(part) }
        return marks
    }()

    /// Whether there may be secrets in data: a property list, a token, or a key that names a secret, in any encoding of
    /// Unicode.
    static func holdsSecrets(_ bytes: [UInt8]) -> Bool {
        // Without its zeros UTF-16 is the same as UTF-8, as far as keys and tokens go.
        let text = bytes.filter { $0 != 0 }
        return marks.match(in: text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
            || SecretTexts.holdsToken(text)
            || NamedSecrets.ranges(in: text).contains { $0.count >= 4 }
    }
}

extension Value {
    /// What is shown for data that is left out: data as well, the bytes of `…`.
    static let omittedData = Value.data(Array("…".utf8))
}
