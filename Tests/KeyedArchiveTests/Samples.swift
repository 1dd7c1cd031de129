import KeyValueCoding

@testable import KeyedArchive

/// Archives that several tests read.
enum Samples {
    /// A session with a user, two devices and a dictionary of settings.
    static func session(className: String = "Session") throws -> [UInt8] {
        func object(_ name: String, _ fields: [String: Value]) -> Value {
            .object(Value.ObjectValue(className: name, classes: [name, "NSObject"], fields: fields))
        }
        return try Archive.data(
            archiving: ArchivedClass(name: className),
            fields: [
                ArchiveField("id", 7, encoding: .inline),
                ArchiveField("user", object("User", ["name": "Ada", "screen_name": "ada"])),
                ArchiveField(
                    "devices",
                    [
                        object("Device", ["id": 1, "name": "phone"]),
                        object("Device", ["id": 2, "name": "pad"]),
                    ]
                ),
                ArchiveField("settings", ["theme": "dark"]),
            ]
        )
    }

    /// An object whose only field is an array with the object in it.
    static func cycle() throws -> [UInt8] {
        let bytes = try Archive.data(
            archiving: ArchivedClass(name: "Person"),
            fields: [ArchiveField("friends", [[]])]
        )
        var builder = ArchiveBuilder(try Archive(reading: bytes))
        // The array in the array is replaced by the object.
        let inner = try Archive(reading: bytes).value(at: "friends[0]").index ?? 0
        for node in builder.list.nodes.indices where builder.list.nodes[node] == .uid(UInt64(inner)) {
            builder.list.nodes[node] = .uid(1)
        }
        _ = builder.removeUnreachable(since: try Archive(reading: bytes), following: 1)
        return try builder.propertyList().encoded()
    }
}
