import Foundation
import KeyValueCoding
import KeyedArchive
import Testing

private struct Game: KeyValueCodable {
    var id = 0
    var title = ""
    var scores: [String: Int] = [:]
    static let properties = PropertyTable<Game>(
        Property("id", \.id),
        Property("title", \.title),
        Property("scores", \.scores)
    )
}

@Suite("What is said about mistakes of a program")
struct MistakeTests {
    private static func archive() throws -> Archive {
        let game = Game(id: 7, title: "Go\u{0}", scores: ["a": 1, "b": 2])
        return try Archive(reading: ArchiveEncoder().encode(game))
    }

    @Test("an alias to a property that does not exist is named, and the properties with it")
    func alias() throws {
        let options = MappingOptions(aliases: ["id": "identifier"])
        let error = #expect(throws: ArchiveMappingError.self) {
            try Self.archive().rootObject().decode(Game.self, options: options)
        }
        #expect(error?.code == .unknownKey)
        #expect(error?.mapping.key == "identifier")
        #expect(error?.mapping.hint == #"the alias of "id" has to lead to a property"#)
        #expect(error?.mapping.expected == #"one of "id", "title", "scores""#)
    }

    @Test("the way to a value in a dictionary has one dot between its keys")
    func dots() throws {
        let fields = [ArchiveField("scores", ["b": "x"])]
        let bytes = try Archive.data(archiving: ArchivedClass(name: "Game"), fields: fields)
        let scores = try Archive(reading: bytes).value(at: "scores")
        let error = #expect(throws: ArchiveMappingError.self) { try scores.decode([String: Int].self) }
        #expect(error?.keyPath == "scores.b")
        #expect(error?.mapping.keyPath == "b")
        let root = try #require(try Archive(reading: ArchiveEncoder().encode([Game()])).root[0]?.archive.root)
        let other = #expect(throws: ArchiveMappingError.self) { try root.decode([[String: Int]].self) }
        #expect(other?.keyPath.hasPrefix("[0]") == true)
    }

    @Test("a text that XML cannot hold is named by its way from the root and the number of its object")
    func xml() throws {
        let error = #expect(throws: ArchiveError.self) { try Self.archive().data(format: .xml) }
        #expect(error?.code == .badString)
        #expect(error?.keyPath == "title")
        #expect(error?.objectIndex == 2)
        let fields = [
            ArchiveField("id", "\u{0}", encoding: .inline), ArchiveField("list", ["a", ["k": "\u{1}"]]),
        ]
        for (field, path) in zip(fields, ["id", "list[1].k"]) {
            let error = #expect(throws: ArchiveError.self) {
                try Archive.data(archiving: ArchivedClass(name: "Game"), fields: [field], format: .xml)
            }
            #expect(error?.keyPath == path)
        }
        var graph = ArchiveGraph()
        graph.format = .xml
        try graph.setTop("\u{0}")
        let top = #expect(throws: ArchiveError.self) { try graph.data() }
        #expect(top?.objectIndex == 1)
    }

    @Test(
        "a text that is no path is refused as such, and nothing is added under it",
        arguments: [
            "scores[", "scores]", "scores[0", "[", "scores[99999999999999999999]", "scores..b", "scores.", ".scores",
        ]
    )
    func paths(text: String) throws {
        let archive = try Self.archive()
        var graph = ArchiveGraph(archive)
        let before = try graph.data()
        let path = ArchivePath(text)
        for work: () throws -> Void in [
            { _ = try archive.value(at: path) }, { try graph.setValue(1, at: path) },
            { try graph.removeValue(at: path) },
            { try graph.append(1, to: path) }, { try graph.insert(1, at: path) }, { _ = try graph.object(at: path) },
            { try graph.setClass(ArchivedClass(name: "A"), at: path) },
        ] {
            let error = #expect(throws: ArchiveMappingError.self) { try work() }
            #expect(error?.mapping.found.hasSuffix(" in the path") == true)
        }
        #expect(try graph.data() == before)
    }

    @Test(
        "a key with a dot or a bracket in it is a step of its own, and what is in brackets and no number part of a key"
    )
    func keys() throws {
        var graph = ArchiveGraph(try Self.archive())
        try graph.setValue(1, at: ["scores", .key("x[.")])
        try graph.setValue(2, at: "scores.x[y]")
        let archive = try Archive(reading: graph.data())
        #expect(try archive.value(at: ["scores", .key("x[.")]).decode(Int.self) == 1)
        #expect(try archive.value(at: ["scores", .key("x[y]")]).decode(Int.self) == 2)
    }

    @Test("an error says as its localized description what it says as its description")
    func localized() throws {
        let errors: [any Error] = [
            ArchiveError(.badKey, at: 3, "no key"), MappingError.missingKey("a", found: ["b"]),
        ]
        for error in errors { #expect(error.localizedDescription == "\(error)") }
        let error = #expect(throws: ArchiveMappingError.self) { try Self.archive().value(at: "none") }
        #expect(error?.localizedDescription == error?.description)
    }
}
