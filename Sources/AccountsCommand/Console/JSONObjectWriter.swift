internal import KeyValueCoding

/// Writes a JSON object field by field, in the order of the calls.
struct JSONObjectWriter {
    private var isFirst = true

    init(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
    }

    /// Writes a key, and lets the caller append the value.
    mutating func key(_ key: String, _ bytes: inout [UInt8]) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        Value.text(key).appendJSON(to: &bytes, dialect: .tagged)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func field(_ key: String, _ value: Value, _ bytes: inout [UInt8]) {
        self.key(key, &bytes)
        value.appendJSON(to: &bytes, dialect: .tagged)
    }

    func end(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "}"))
    }
}

/// The fields of a JSON object in the order in which they are written.
typealias JSONFields = [(key: String, value: Value)]

extension Context {
    /// Prints an object on standard output, if that is to be JSON.
    func printJSON(_ fields: JSONFields) throws(OutputError) {
        guard isJSON else { return }
        var bytes: [UInt8] = []
        var object = JSONObjectWriter(&bytes)
        for (key, value) in fields { object.field(key, value, &bytes) }
        object.end(&bytes)
        bytes.append(UInt8(ascii: "\n"))
        try output.write(bytes)
    }
}
