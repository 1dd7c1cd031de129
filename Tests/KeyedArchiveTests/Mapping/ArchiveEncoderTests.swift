import Foundation
import KeyValueCoding
import Testing

@testable import KeyedArchive

private struct SeedAccount: KeyValueCodable {
    var token: String?
    var expiresIn: Int64 = 0
    var remindIn: Int64 = 0
    var uid: Int64 = 0
    static let properties = PropertyTable<SeedAccount>(
        Property("access_token", \.token, secret: true),
        Property("expires_in", \.expiresIn),
        Property("remind_in", \.remindIn),
        Property("uid", \.uid)
    )
}

private struct WeiboAccount: KeyValueCodable {
    var token = ""
    var expires = Date(timeIntervalSinceReferenceDate: 0)
    var remindIn = 0
    var expiresIn = 0
    var uid = 0
    var isLoggedIn = false
    static let properties = PropertyTable<WeiboAccount>(
        Property("access_token", \.token),
        Property("expires_time", \.expires),
        Property("remind_in", \.remindIn),
        Property("expires_in", \.expiresIn),
        Property("uid", \.uid),
        Property("logState", \.isLoggedIn)
    )
}

private struct NamedAccount: KeyValueCodable {
    var token = ""
    var uid = ""
    var expiresIn: Int?
    var created: Date?
    var name: String?
    static let properties = PropertyTable<NamedAccount>(
        Property("access_token", \.token),
        Property("uid", \.uid),
        Property("expires_in", \.expiresIn),
        Property("created_time", \.created),
        Property("name", \.name)
    )
}

private struct MinimalAccount: KeyValueCodable {
    var token = ""
    var expiresIn = 0
    var uid = ""
    static let properties = PropertyTable<MinimalAccount>(
        Property("token", \.token),
        Property("expires_in", \.expiresIn),
        Property("uid", \.uid)
    )
}

private struct Device: KeyValueCodable, Equatable {
    var id = 0
    var link: URL?
    static let properties = PropertyTable<Device>(Property("id", \.id), Property("link", \.link))
}

private struct Session: KeyValueCodable, Equatable {
    var id = UUID()
    var main = Device()
    var other: Device?
    var devices: [Device] = []
    var tags: [String] = []
    var extras: [String: Value] = [:]
    static let properties = PropertyTable<Session>(
        Property("id", \.id),
        Property("main", \.main),
        Property("other", \.other),
        Property("devices", \.devices),
        Property("tags", \.tags),
        extras: \.extras
    )
}

@Suite("Models as archives")
struct ArchiveEncoderTests {
    @Test(
        "a model gives the bytes that the legacy app wrote",
        arguments: [("normal", "2.00ABCDEFG", 157_679_999, 1_404_376_560)] as [(String, String?, Int64, Int64)],
        [(ArchiveLayout.ios12, "old"), (.ios13, "new")]
    )
    func seed(example: (name: String, token: String?, time: Int64, uid: Int64), layout: (ArchiveLayout, String)) throws
    {
        let account = SeedAccount(
            token: example.token,
            expiresIn: example.time,
            remindIn: example.time,
            uid: example.uid
        )
        let options = ArchiveEncodingOptions(archivedClass: ArchivedClass(name: "Account"), layout: layout.0)
        let bytes = try ArchiveEncoder(options).encode(account)
        #expect(bytes == (try Fixtures.bytes("expected/\(example.name).apple64-\(layout.1).data")))
        let decoding = ArchiveDecodingOptions(classes: ["Account"])
        #expect(try ArchiveDecoder(decoding).decode(SeedAccount.self, from: bytes).token == example.token)
    }

    @Test("dates, bools, optionals, numbers as objects and keys of other names are written as the apps wrote them")
    func apps() throws {
        let token = "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12"
        let date = Date(timeIntervalSinceReferenceDate: 462_000_000.25)
        let weibo = WeiboAccount(
            token: token,
            expires: date,
            remindIn: 157_679_999,
            expiresIn: 157_679_999,
            uid: 1_404_376_560,
            isLoggedIn: true
        )
        #expect(
            try ArchiveEncoder(options("WeiBoOAuth")).encode(weibo)
                == Fixtures.bytes("variants/05_WeiBoOAuth_logState.data")
        )
        let named = NamedAccount(token: token, uid: "1404376560", expiresIn: 157_679_999, created: date)
        #expect(
            try ArchiveEncoder(options("WBAccount")).encode(named)
                == Fixtures.bytes("variants/09_WBAccount_name_nil.data")
        )
        let minimal = MinimalAccount(token: token, expiresIn: 157_679_999, uid: "1404376560")
        var changed = options("HWAccount")
        changed.keys = ["token": "access_token"]
        changed.encodings = ["expires_in": .object]
        #expect(try ArchiveEncoder(changed).encode(minimal) == Fixtures.bytes("variants/07_HWAccount_min.data"))
    }

    private func options(_ name: String) -> ArchiveEncodingOptions {
        ArchiveEncodingOptions(archivedClass: ArchivedClass(name: name), layout: .ios12)
    }

    private static let session = Session(
        main: Device(id: 1, link: URL(string: "https://example.org/")),
        other: Device(id: 2),
        devices: [Device(id: 3), Device(id: 4)],
        tags: ["a", "b"],
        extras: ["note": ["x": 1]]
    )

    @Test("models in a model are objects with classes of their own, and come back", arguments: ArchiveFormat.allCases)
    func nested(format: ArchiveFormat) throws {
        let options = ArchiveEncodingOptions(
            classes: ["main": ArchivedClass(name: "MainDevice", chain: ["MainDevice", "Device", "NSObject"])],
            keys: ["devices.id": "number"],
            encodings: ["other.id": .object],
            format: format
        )
        let bytes = try ArchiveEncoder(options).encode(Self.session)
        let archive = try Archive(reading: bytes)
        #expect(archive.format == format)
        #expect(try archive.root.archivedClass()?.name == "Session")
        #expect(try archive.value(at: "main").archivedClass()?.chain == ["MainDevice", "Device", "NSObject"])
        #expect(try archive.value(at: "other").archivedClass()?.name == "Device")
        #expect(try archive.value(at: "main.id").index == nil)
        #expect(try archive.value(at: "other.id").index != nil)
        #expect(try archive.value(at: "devices[1].number").decode(Int.self) == 4)
        let decoding = ArchiveDecodingOptions(mapping: MappingOptions(aliases: ["devices.number": "id"]))
        #expect(try ArchiveDecoder(decoding).decode(Session.self, from: bytes) == Self.session)
    }

    @Test("a collection is of the class that is wanted, and holds the same")
    func collections() throws {
        struct Lists: KeyValueCodable, Equatable {
            var tags = ["b", "a"]
            var devices = [Device(id: 1)]
            var counts = ["x": 1, "y": 2]
            static let properties = PropertyTable<Lists>(
                Property("tags", \.tags),
                Property("devices", \.devices),
                Property("counts", \.counts)
            )
        }
        let names = ["tags": "NSSet", "devices": "NSMutableArray", "counts": "NSMutableDictionary"]
        let options = ArchiveEncodingOptions(collections: names.mapValues { ArchivedClass(name: $0) })
        let bytes = try ArchiveEncoder(options).encode(Lists())
        let archive = try Archive(reading: bytes)
        for (key, name) in names { #expect(try archive.root[key]?.archivedClass()?.name == name) }
        #expect(try archive.value(at: "devices[0]").archivedClass()?.name == "Device")
        #expect(try ArchiveDecoder().decode(Lists.self, from: bytes) == Lists())
        let plain = try Archive(reading: try ArchiveEncoder().encode(Lists()))
        #expect(try plain.value(at: "counts").archivedClass()?.name == "NSDictionary")
        #expect(try plain.root.value() == archive.root.value())
    }

    @Test("an array of models is an NSArray of objects, an empty one too")
    func arrays() throws {
        let devices = [Device(id: 1), Device(id: 2)]
        let bytes = try ArchiveEncoder().encode(devices)
        #expect(try Archive(reading: bytes).root.archivedClass()?.name == "NSArray")
        #expect(try ArchiveDecoder().decode([Device].self, from: bytes) == devices)
        #expect(try ArchiveDecoder().decode([Device].self, from: try ArchiveEncoder().encode([Device]())) == [])
    }

    @Test("a value that refers to an object of another archive is refused with its key")
    func foreignReference() {
        let session = Session(extras: ["note": [.reference(1)]])
        let error = #expect(throws: ArchiveError.self) { try ArchiveEncoder().encode(session) }
        #expect(error?.code == .badObjects)
        #expect(error?.keyPath == "note")
    }

    @Test("two values that would have one key in the archive are refused with the key")
    func twiceTheKey() {
        let session = Session(extras: ["number": 1])
        let options = ArchiveEncodingOptions(keys: ["id": "number"])
        let error = #expect(throws: ArchiveError.self) { try ArchiveEncoder(options).encode(session) }
        #expect(error?.code == .duplicateKey)
        #expect(error?.keyPath == "number")
    }
}
