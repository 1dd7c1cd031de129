extension Value {
    /// Reads JSON from bytes in UTF-8.
    ///
    /// As RFC 8259 has it, and strictly: duplicate keys, halves of surrogate pairs, invalid UTF-8 and anything behind
    /// the value are errors; a byte order mark is passed over. Integers are exact, up to 128 bits as integers and beyond
    /// as ``decimal(_:)``; so is a number with a point or an exponent, which is a ``real(_:)`` only if the shortest
    /// text of the `Double` is that same number. `-0` is the real -0.0. Keys that differ only in how Unicode
    /// composes their characters are one key, as everywhere in Swift.
    ///
    /// - Parameters:
    ///   - utf8: the bytes.
    ///   - dialect: whether `{"$date":…}` is a dictionary or a date.
    ///   - limits: how much is read. By default 64 MiB and 512 containers within one another, 2048 if they are tagged.
    /// - Throws: a ``JSONError`` with the place.
    public init(json utf8: Span<UInt8>, dialect: JSONDialect, limits: JSONLimits? = nil) throws(JSONError) {
        var parser = JSONParser(dialect: dialect, limits: limits ?? dialect.defaultLimits)
        self = try parser.parse(utf8)
    }

    /// Reads JSON from bytes in UTF-8, as ``init(json:dialect:limits:)-(Span<UInt8>,_,_)`` does.
    public init(json utf8: [UInt8], dialect: JSONDialect, limits: JSONLimits? = nil) throws(JSONError) {
        try self.init(json: utf8.span, dialect: dialect, limits: limits)
    }

    /// Reads JSON from a text, as ``init(json:dialect:limits:)-(Span<UInt8>,_,_)`` does.
    public init(json text: String, dialect: JSONDialect, limits: JSONLimits? = nil) throws(JSONError) {
        try self.init(json: text.utf8.span, dialect: dialect, limits: limits)
    }

    /// Reads JSON from memory, during the call alone, as ``init(json:dialect:limits:)-(Span<UInt8>,_,_)`` does.
    public init(
        json utf8: UnsafeRawBufferPointer,
        dialect: JSONDialect,
        limits: JSONLimits? = nil
    ) throws(JSONError) {
        self = try unsafe utf8.withMemoryRebound(to: UInt8.self) { (bytes) throws(JSONError) in
            try unsafe Value(json: bytes.span, dialect: dialect, limits: limits)
        }
    }

    /// The value as JSON, with keys in the order of their bytes, so that equal values give equal texts.
    ///
    /// Texts are written whole, also those that are secret. A real is always written so that it is read back as one
    /// (`1.0`, `1e+22`).
    ///
    /// - Parameters:
    ///   - dialect: how keys that begin with `$` are written.
    ///   - pretty: whether elements stand on lines of their own.
    public func json(dialect: JSONDialect, pretty: Bool = false) -> String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes, dialect: dialect, pretty: pretty)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the value as ``json(dialect:pretty:)`` does, at the end of an array of bytes.
    public func appendJSON(to bytes: inout [UInt8], dialect: JSONDialect, pretty: Bool = false) {
        var writer = JSONWriter(dialect: dialect, isPretty: pretty)
        writer.write(self, to: &bytes)
    }
}
