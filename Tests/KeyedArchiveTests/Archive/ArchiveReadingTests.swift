import KeyValueCoding
import Testing

@testable import KeyedArchive

@Suite("Reading archives")
struct ArchiveReadingTests {
    private static let account = [ClassPattern("Account")]

    @Test(
        "each app's archive gives the keys and values that it was made of",
        arguments: try Fixtures.archives(in: "variants")
    )
    func variants(file: String) throws {
        let object = try Archive(reading: try Fixtures.bytes(file)).rootObject()
        let values = Dictionary(try object.values().map { ($0.key, $0.value) }) { first, _ in first }
        #expect(values["access_token"] == .text("2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12"))
        #expect(values["expires_in"] == .integer(157_679_999) || file.contains("/13"))
        switch values["uid"] {
        case .integer(let uid): #expect(uid == 1_404_376_560 || uid == 5_719_317_084)
        case .text(let uid): #expect(uid == "1404376560")
        default: Issue.record("uid is \(String(describing: values["uid"]))")
        }
    }

    @Test(
        "an archive that is damaged above the property list is refused with the right code",
        arguments: [
            ("top_is_string", ArchiveError.Code.notAnArchive), ("archiver_missing", .notAnArchive),
            ("plain_dict", .notAnArchive), ("version_wrong", .unsupportedVersion),
            ("version_string", .unsupportedVersion),
            ("objects_dict", .badObjects), ("objects_missing", .badObjects), ("objects_empty", .uidOutOfRange),
            ("uid_4bytes_max", .uidOutOfRange), ("class_self", .badClass), ("class_is_null", .badClass),
            ("class_inline_dict", .badClass), ("classname_int", .badClass), ("classname_other", .wrongClass),
            ("classname_swift_module", .wrongClass), ("root_is_string", .wrongClass),
            ("root_nsdata_nested_archive", .wrongClass), ("root_dict_len_mismatch", .badObjects),
        ]
    )
    func damaged(name: String, code: ArchiveError.Code) throws {
        let bytes = try Fixtures.bytes("bad/\(name).data")
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(reading: bytes).rootObjects(of: Self.account)
        }
        #expect(error?.code == code)
    }

    @Test(
        "a root of accounts gives each account once",
        arguments: [
            ("root_array_of_accounts", 2), ("root_array_same_account_twice", 1), ("root_dict_of_accounts", 2),
            ("root_many", 1), ("root_other_name", 1), ("root_default_dollar0", 1), ("classname_subclass", 1),
            ("classes_missing", 1), ("classes_hints", 1),
        ]
    )
    func roots(name: String, atMost count: Int) throws {
        let objects = try Archive(reading: try Fixtures.bytes("bad/\(name).data")).rootObjects(of: Self.account)
        #expect((1...count).contains(objects.count))
        #expect(try objects[0].value(forKey: "uid") != nil)
    }

    @Test("a collection of accounts is one even where any class is wanted")
    func collectionOfAnyClass() throws {
        let bytes = try Fixtures.bytes("bad/root_array_of_accounts.data")
        let objects = try Archive(reading: bytes).rootObjects(of: [ClassPattern("*")])
        #expect(objects.allSatisfy { $0.archivedClass.name == "Account" })
    }

    @Test("a class that was not asked for is named, with its chain and the way to accept it")
    func wrongClass() throws {
        let bytes = try Fixtures.bytes("variants/13_Swift_WDK.data")
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(reading: bytes).rootObjects(of: Self.account)
        }
        #expect(error?.reason.contains("WDKWeiBo.UserAccount") == true)
        #expect(error?.reason.contains("NSObject") == true)
    }

    @Test("arrays within one another 2^60 times over are met once each")
    func bomb() throws {
        let object = try Archive(reading: try Fixtures.bytes("bad/bomb_nsarray_token.data")).rootObject()
        guard case .array = try object.value(forKey: "access_token") else {
            Issue.record("expected an array")
            return
        }
    }

    @Test("a value that leads back to its own object is a reference")
    func cycle() throws {
        let bytes = try Archive.data(
            archiving: ArchivedClass(name: "Account"),
            fields: [ArchiveField("access_token", .text("t"))]
        )
        var builder = ArchiveBuilder(try Archive(reading: bytes))
        let itself = builder.append(.uid(1))
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return }
        let fields = builder.list.entries(of: run).map { ($0.key, $0.key == "access_token" ? itself : $0.node) }
        let dictionary = builder.dictionary(fields)
        builder.elements[1] = builder.append(dictionary)
        // The token that was there before is in the file still, and nothing refers to it.
        let bytesWithCycle = try builder.propertyList().encoded()
        let object = try Archive(reading: bytesWithCycle, limits: ArchiveLimits(allowsGaps: true)).rootObject()
        #expect(try object.value(forKey: "access_token") == .reference(1))
    }
}

@Suite("Limits of archives")
struct ArchiveLimitsTests {
    @Test("a depth that no stack is sure to hold cannot be asked for")
    func depth() {
        var limits = ArchiveLimits(depth: 100_000)
        #expect(limits.depth == 1_024)
        limits.depth = 5_000
        #expect(limits.depth == 1_024)
        limits.depth = 10
        #expect(limits.depth == 10)
    }
}
