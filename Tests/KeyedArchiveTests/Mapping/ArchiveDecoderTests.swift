import FoundationEssentials
import KeyValueCoding
import Testing

@testable import KeyedArchive

private struct User: KeyValueCodable, Equatable {
    var name = ""
    var nick: String?
    static let properties = PropertyTable<User>(
        Property("name", \.name),
        Property("nick", \.nick, .optional)
    )
}

private struct Device: KeyValueCodable, Equatable {
    var id = 0
    var name = ""
    static let properties = PropertyTable<Device>(Property("id", \.id), Property("name", \.name))
}

private struct Session: KeyValueCodable, Equatable {
    var id: Int64 = 0
    var user: User?
    var devices: [Device] = []
    var settings: [String: String] = [:]
    var extras: [String: Value] = [:]
    static let properties = PropertyTable<Session>(
        Property("id", \.id),
        Property("user", \.user, .optional),
        Property("devices", \.devices, .optional),
        Property("settings", \.settings, .optional),
        extras: \.extras
    )
}

/// The account of the apps whose archives are among the fixtures.
private struct AppAccount: KeyValueCodable {
    var token: String?
    var uid: Int64 = 0
    var expiresIn: Int64 = 0
    var expires: Date?
    static let properties = PropertyTable<AppAccount>(
        Property("access_token", \.token, secret: true),
        Property("uid", \.uid),
        Property("expires_in", \.expiresIn, .optional),
        Property("expires", \.expires, .optional)
    )
}

@Suite("Archives as models of an app")
struct ArchiveDecoderTests {
    /// `nick` is `screen_name` in the archive.
    private static let mapping = MappingOptions(aliases: ["user.screen_name": "nick"])

    @Test("an object becomes a model, with models, arrays of models and dictionaries in it")
    func nested() throws {
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(mapping: Self.mapping))
        let session = try decoder.decode(Session.self, from: try Samples.session())
        #expect(
            session
                == Session(
                    id: 7,
                    user: User(name: "Ada", nick: "ada"),
                    devices: [Device(id: 1, name: "phone"), Device(id: 2, name: "pad")],
                    settings: ["theme": "dark"]
                )
        )
    }

    @Test(
        "the class is that of the model's name, or one that is listed",
        arguments: [
            ("Session", [], true), ("App.Session", [], true), ("_TtC3App7Session", [], true), ("WBSession", [], false),
            ("WBSession", ["*Session"], true), ("Session", ["Account"], false),
        ] as [(String, [ClassPattern], Bool)]
    )
    func classes(name: String, classes: [ClassPattern], isAccepted: Bool) throws {
        let bytes = try Samples.session(className: name)
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(classes: classes, mapping: Self.mapping))
        if isAccepted {
            #expect(try decoder.decode(Session.self, from: bytes).id == 7)
        } else {
            let error = #expect(throws: ArchiveError.self) { try decoder.decode(Session.self, from: bytes) }
            #expect(error?.code == .wrongClass)
            #expect(error?.reason.contains("'\(name)'") == true)
        }
    }

    @Test("every app's account is a model of one table, with its keys as aliases")
    func apps() throws {
        let options = ArchiveDecodingOptions(
            classes: ["*"],
            mapping: MappingOptions(
                unknownKeys: .drop,
                aliases: [
                    "expires_time": "expires", "expiresTime": "expires", "expires_date": "expires",
                    "expiresDate": "expires",
                ]
            )
        )
        for file in try Fixtures.archives(in: "variants") {
            let account = try ArchiveDecoder(options).decode(AppAccount.self, from: try Fixtures.bytes(file))
            #expect(account.token == "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12", "\(file)")
            #expect(account.uid == 1_404_376_560 || account.uid == 5_719_317_084, "\(file)")
        }
    }

    @Test(
        "a root that is a collection gives each of its objects",
        arguments: [("root_array_of_accounts", 2), ("root_dict_of_accounts", 1), ("root_array_same_account_twice", 1)]
    )
    func collections(name: String, count: Int) throws {
        let bytes = try Fixtures.bytes("bad/\(name).data")
        let options = ArchiveDecodingOptions(classes: ["Account"], mapping: MappingOptions(unknownKeys: .drop))
        #expect(try ArchiveDecoder(options).decode([AppAccount].self, from: bytes).count == count)
        if count > 1 {
            let error = #expect(throws: ArchiveError.self) {
                try ArchiveDecoder(options).decode(AppAccount.self, from: bytes)
            }
            #expect(error?.code == .badRoot)
        }
    }

    @Test("an error in a model inside another has the whole way to it")
    func nestedError() throws {
        let unknown = #expect(throws: ArchiveMappingError.self) {
            try ArchiveDecoder().decode(Session.self, from: try Samples.session())
        }
        #expect(unknown?.code == .unknownKey)
        #expect(unknown?.keyPath == "user.screen_name")

        struct Numbered: KeyValueCodable {
            var devices: [Wrong] = []
            static let properties = PropertyTable<Numbered>(Property("devices", \.devices))
        }
        struct Wrong: KeyValueCodable {
            var name: Int64 = 0
            static let properties = PropertyTable<Wrong>(Property("name", \.name))
        }
        let options = ArchiveDecodingOptions(classes: ["Session"], mapping: MappingOptions(unknownKeys: .drop))
        let mismatch = #expect(throws: ArchiveMappingError.self) {
            try ArchiveDecoder(options).decode(Numbered.self, from: try Samples.session())
        }
        #expect(mismatch?.code == .typeMismatch)
        #expect(mismatch?.keyPath == "devices[0].name")
        #expect(mismatch?.objectIndex == 1)
        #expect(mismatch?.className == "Session")
        #expect(mismatch?.mapping.found == "the text \"…\"")
    }

    @Test("a missing key, a wrong type and a secret are told by object, key and kind")
    func errors() throws {
        struct Strict: KeyValueCodable {
            var token: Int64 = 0
            static let properties = PropertyTable<Strict>(Property("access_token", \.token, secret: true))
        }
        let bytes = try Fixtures.bytes("variants/01_Account_seed.data")
        let options = ArchiveDecodingOptions(classes: ["Account"])
        let error = #expect(throws: ArchiveMappingError.self) {
            try ArchiveDecoder(options).decode(Strict.self, from: bytes)
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("object 1 (Account), access_token: wrong type: expected"))
        #expect(!text.contains("2.00"))
        #expect(error?.byteOffset.map { bytes[$0] & 0xF0 } == 0x50)
        let missing = #expect(throws: ArchiveMappingError.self) {
            try ArchiveDecoder(options).decode(Session.self, from: bytes)
        }
        #expect(missing?.code == .missingKey)
        #expect(missing?.mapping.found.contains("\"uid\"") == true)
    }

    @Test("one object under several properties is whole under each")
    func shared() throws {
        struct Pair: KeyValueCodable {
            var first = User()
            var second = User()
            static let properties = PropertyTable<Pair>(Property("first", \.first), Property("second", \.second))
        }
        let user = Value.object(Value.ObjectValue(className: "User", classes: [], fields: ["name": "Ada"]))
        var bytes = try Archive.data(
            archiving: ArchivedClass(name: "Pair"),
            fields: [ArchiveField("first", user), ArchiveField("second", user)]
        )
        var builder = ArchiveBuilder(try Archive(reading: bytes))
        let archive = try Archive(reading: bytes)
        let (first, second) = (try archive.value(at: "first").index ?? 0, try archive.value(at: "second").index ?? 0)
        for node in builder.list.nodes.indices where builder.list.nodes[node] == .uid(UInt64(second)) {
            builder.list.nodes[node] = .uid(UInt64(first))
        }
        _ = builder.removeUnreachable(since: archive, following: 1)
        bytes = try builder.propertyList().encoded()
        let pair = try ArchiveDecoder().decode(Pair.self, from: bytes)
        #expect(pair.first == User(name: "Ada"))
        #expect(pair.second == pair.first)
    }

    @Test("a model that is part of itself is an error, and what is no property may be")
    func cycle() throws {
        struct Person: KeyValueCodable {
            var friends: [Person] = []
            static let properties = PropertyTable<Person>(Property("friends", \.friends))
        }
        struct Other: KeyValueCodable {
            var extras: [String: Value] = [:]
            static let properties = PropertyTable<Other>([], extras: .init(\.extras))
        }
        let bytes = try Samples.cycle()
        let error = #expect(throws: ArchiveError.self) { try ArchiveDecoder().decode(Person.self, from: bytes) }
        #expect(error?.code == .cycle)
        #expect(error?.keyPath == "friends")
        let other = try ArchiveDecoder(ArchiveDecodingOptions(classes: ["*"])).decode(Other.self, from: bytes)
        #expect(other.extras == ["friends": [.reference(1)]])
    }

    @Test("objects that have one another in them many times over are refused by the limit, in time")
    func bomb() throws {
        struct Bomb: KeyValueCodable {
            var extras: [String: Value] = [:]
            static let properties = PropertyTable<Bomb>([], extras: .init(\.extras))
        }
        let bytes = try Fixtures.bytes("bad/bomb_nsarray_token.data")
        let options = ArchiveDecodingOptions(classes: ["*"], limits: ArchiveLimits(references: 100_000))
        let error = #expect(throws: ArchiveError.self) { try ArchiveDecoder(options).decode(Bomb.self, from: bytes) }
        #expect(error?.code == .tooLarge)
    }
}
