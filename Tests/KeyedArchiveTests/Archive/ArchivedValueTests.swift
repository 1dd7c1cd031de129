import KeyValueCoding
import Testing

@testable import KeyedArchive

@Suite("Values of an archive, as they are looked at")
struct ArchivedValueTests {
    @Test("a way of keys and positions leads through objects, dictionaries and arrays to a value")
    func navigation() throws {
        let archive = try Archive(reading: try Samples.session())
        #expect(try archive.root["user"]?["name"]?.decode(String.self) == "Ada")
        #expect(try archive.root["devices"]?[1]?["name"]?.decode(String.self) == "pad")
        #expect(try archive.value(at: "settings.theme").decode(String.self) == "dark")
        #expect(try archive.value(at: "devices[0].id").decode(Int.self) == 1)
        #expect(try archive.value(at: ["devices", "NS.objects", 1, "id"]).decode(Int.self) == 2)
        #expect(try archive.root["nothing"]?["name"] == nil)
        #expect(try archive.root["devices"]?[2] == nil)
        #expect(try archive.value(at: "devices[1]").path.description == "devices[1]")
    }

    @Test(
        "the text of a path is read as it is written",
        arguments: ["", "a", "a.b", "a[0]", "a[0][12].b", "[3].x", "a[x]"]
    )
    func paths(text: String) {
        #expect(ArchivePath(text).description == text)
    }

    @Test("the steps of a path are keys and positions")
    func steps() {
        #expect(ArchivePath("a.b[1][2].c").steps == ["a", "b", 1, 2, "c"])
        #expect(ArchivePath("[1].c").steps == [1, "c"])
        #expect(ArchivePath("a[x]").steps == ["a[x]"])
        #expect(ArchivePath(["NS.objects", 0]).steps == [.key("NS.objects"), .index(0)])
    }

    @Test("a way that does not lead on is an error with the place, the object, and what is there")
    func noWay() throws {
        let archive = try Archive(reading: try Samples.session())
        let missing = #expect(throws: ArchiveMappingError.self) { try archive.value(at: "user.nmae") }
        #expect(missing?.code == .missingKey)
        #expect(missing?.keyPath == "user.nmae")
        #expect(missing?.className == "User")
        #expect(missing?.mapping.found.contains("\"name\"") == true)
        let position = #expect(throws: ArchiveMappingError.self) { try archive.value(at: "devices[2].id") }
        #expect(position?.keyPath == "devices[2]")
        #expect(position?.mapping.found == "2 elements")
        let scalar = #expect(throws: ArchiveMappingError.self) { try archive.value(at: "user.name.first") }
        #expect(scalar?.code == .typeMismatch)
        #expect(scalar?.keyPath == "user.name.first")
    }

    @Test("each kind of value shows as what it is, with its class where it has one")
    func contents() throws {
        let root = try Archive(reading: try Samples.session()).root
        guard case .object(let session) = try root.content() else { throw Unexpected(what: "root") }
        #expect(session.keys.sorted() == ["devices", "id", "settings", "user"])
        #expect(session["id"]?.index == nil)
        guard case .integer(7) = try #require(session["id"]).content() else { throw Unexpected(what: "id") }
        let devices = try #require(session["devices"])
        guard case .array(let elements) = try devices.content() else { throw Unexpected(what: "devices") }
        #expect(elements.count == 2)
        #expect(try devices.archivedClass()?.name == "NSArray")
        #expect(try devices.object()?.keys == ["NS.objects"])
        guard case .dictionary(let entries) = try #require(session["settings"]).content() else {
            throw Unexpected(what: "settings")
        }
        #expect(try entries.map { try $0.key.decode(String.self) } == ["theme"])
    }

    @Test("objects are followed by index, and shared ones are counted")
    func indices() throws {
        let archive = try Archive(reading: try Fixtures.bytes("bad/root_array_same_account_twice.data"))
        guard case .array(let elements) = try archive.root.content() else { throw Unexpected(what: "root") }
        let index = try #require(elements[0].index)
        #expect(elements[1].index == index)
        #expect(archive.referenceCounts[index] == 2)
        #expect(archive.referenceCounts.count == archive.objectCount)
        #expect(try archive.element(at: index)?.archivedClass()?.name == "Account")
        #expect(archive.element(at: archive.objectCount) == nil)
        #expect(archive.element(at: -1) == nil)
    }

    @Test("a field is decoded as a type, or the error says where, what was found and what was expected")
    func typed() throws {
        let archive = try Archive(reading: try Samples.session())
        let session = try archive.rootObject()
        #expect(try session.decode(Int64.self, forKey: "id") == 7)
        #expect(try session.decodeIfPresent(Int64.self, forKey: "age") == nil)
        let error = #expect(throws: ArchiveMappingError.self) { try session.decode(Int64.self, forKey: "devices") }
        #expect(error?.code == .typeMismatch)
        #expect(error?.keyPath == "devices")
        #expect(error?.objectIndex == session["devices"]?.index)
        #expect(error?.byteOffset != nil)
        #expect(error.map { "\($0)" }?.contains("expected an integer") == true)
        #expect(throws: ArchiveMappingError.self) { try session.decode(Int64.self, forKey: "age") }
    }

    @Test("a shared value is whole in each place, and a cycle is an error where a value is needed")
    func sharedAndCyclic() throws {
        let archive = try Archive(reading: try Samples.cycle())
        let root = try archive.rootObject()
        #expect(try root["friends"]?.value() == [.reference(1)] || root["friends"]?.index != nil)
        let error = #expect(throws: ArchiveError.self) { try root.decode([String].self, forKey: "friends") }
        #expect(error?.code == .cycle)
    }
}

/// What was not expected in a test.
struct Unexpected: Error { var what: String }
