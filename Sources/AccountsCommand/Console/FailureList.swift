internal import KeyValueCoding
internal import Synchronization

/// The failures of a command for `--json`, however many there are.
final class FailureList: Sendable {
    /// With commas between them.
    private let bytes = SpooledBytes()
    private let isEmpty = Mutex(true)

    func append(_ failure: Value) {
        isEmpty.withLock { isEmpty in
            var element: [UInt8] = isEmpty ? [] : [UInt8(ascii: ",")]
            failure.appendJSON(to: &element, dialect: .tagged)
            bytes.append(element)
            isEmpty = false
        }
    }

    /// Prints an object that has them under `failures`, after other fields.
    func print(after fields: JSONFields, to sink: any ByteSink) throws {
        var writer = OutputWriter(sink)
        try writer.append { bytes in
            var object = JSONObjectWriter(&bytes)
            for (key, value) in fields { object.field(key, value, &bytes) }
            object.key("failures", &bytes)
            bytes.append(UInt8(ascii: "["))
        }
        try bytes.forEachPiece { piece in try writer.append { $0 += piece } }
        try writer.line("]}")
        try writer.flush()
    }
}
