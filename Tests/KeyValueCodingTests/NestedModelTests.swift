import Foundation
import Testing

@testable import KeyValueCoding

private struct Tag: KeyValueCodable, Equatable {
    var name = ""
    var weight = 1
    static let properties = PropertyTable<Tag>(Property("name", \.name), Property("weight", \.weight, .optional))
}

private struct Note: KeyValueCodable, Equatable {
    var title = ""
    var tag: Tag?
    var tags: [Tag] = []
    var counts: [String: Int] = [:]
    var lines: [String] = []
    var secret: [String] = []
    static let properties = PropertyTable<Note>(
        Property("title", \.title, .optional),
        Property("tag", \.tag, .optional),
        Property("tags", \.tags, .optional),
        Property("counts", \.counts, .optional),
        Property("lines", \.lines, .optional),
        Property("secret", \.secret, .optional, secret: true)
    )
}

@Suite("Models and collections inside models")
struct NestedModelTests {
    @Test("a dictionary fills the models in a model, and gives itself again")
    func roundTrip() throws {
        let dictionary: [String: Value] = [
            "title": "t", "tag": ["name": "a", "weight": 3], "tags": [["name": "b", "weight": 1]], "counts": ["x": 1],
            "lines": ["1", "2"], "secret": [],
        ]
        let note = try Note(dictionary: dictionary)
        #expect(note.tag == Tag(name: "a", weight: 3))
        #expect(note.tags == [Tag(name: "b")])
        #expect(note.counts == ["x": 1])
        #expect(note.lines == ["1", "2"])
        #expect(note.dictionaryRepresentation == dictionary)
    }

    @Test("null is nil for an optional model, and an error for any other")
    func null() throws {
        #expect(try Note(dictionary: ["tag": nil]).tag == nil)
        let error = #expect(throws: MappingError.self) { try Note(dictionary: ["tags": nil]) }
        #expect(error?.code == .nullValue)
    }

    @Test(
        "an error has the whole way to the value",
        arguments: [
            (["tag": ["weight": 1]], MappingError.Code.missingKey, "tag.name"),
            (["tag": ["name": "a", "weight": "x"]], .typeMismatch, "tag.weight"),
            (["tags": [["name": "a"], ["name": 1]]], .typeMismatch, "tags[1].name"),
            (["tags": [["name": "a", "other": 1]]], .unknownKey, "tags[0].other"),
            (["counts": ["a": 1, "b": "x"]], .typeMismatch, "counts.b"),
            (["lines": ["a", 1]], .typeMismatch, "lines[1]"),
            (["tag": "text"], .typeMismatch, "tag"),
        ] as [([String: Value], MappingError.Code, String)]
    )
    func errors(dictionary: [String: Value], code: MappingError.Code, path: String) {
        let error = #expect(throws: MappingError.self) { try Note(dictionary: dictionary) }
        #expect(error?.code == code)
        #expect(error?.keyPath == path)
        #expect(error?.description.hasPrefix(path + ": ") == true)
    }

    @Test("what is in a secret collection is not shown")
    func secrets() {
        let error = #expect(throws: MappingError.self) { try Note(dictionary: ["secret": ["hush", 12_345]]) }
        #expect(error?.found == "an array")
    }

    @Test("aliases and defaults reach into models by the way to their keys, policies everywhere")
    func options() throws {
        let options = MappingOptions(
            unknownKeys: .drop,
            aliases: ["tags.label": "name"],
            defaults: ["tag.name": "none"]
        )
        let note = try Note(dictionary: ["tag": ["other": 1], "tags": [["label": "x"]]], options: options)
        #expect(note.tag == Tag(name: "none"))
        #expect(note.tags == [Tag(name: "x")])
    }

    @Test("bytes are data, and data nothing but bytes")
    func bytes() throws {
        #expect(try [UInt8](coercing: .data([1, 2]), policy: .strict) == [1, 2])
        #expect(throws: CoercionError.self) { try [UInt8](coercing: [1, 2], policy: .strict) }
        #expect(throws: CoercionError.self) { try [Int](coercing: .data([1, 2]), policy: .strict) }
        #expect([UInt8]().propertyValue == .data([]))
        #expect([Int]().propertyValue == .array([]))
    }

    @Test("UUIDs and URLs are the archived objects, or their text")
    func identifiers() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try UUID(coercing: uuid.propertyValue, policy: .strict) == uuid)
        #expect(try UUID(coercing: .text(uuid.uuidString), policy: .strict) == uuid)
        #expect(throws: CoercionError.self) { try UUID(coercing: .data([1]), policy: .strict) }
        #expect(throws: CoercionError.self) { try UUID(coercing: "none", policy: .strict) }
        let base = try #require(URL(string: "http://example.org/a/"))
        let url = try #require(URL(string: "b?c", relativeTo: base))
        let again = try URL(coercing: url.propertyValue, policy: .strict)
        #expect(again.absoluteString == "http://example.org/a/b?c")
        #expect(again.baseURL == base)
        #expect(throws: CoercionError.self) { try URL(coercing: 1, policy: .strict) }
        #expect(throws: CoercionError.self) { try URL(coercing: nil, policy: .strict) }
    }
}
