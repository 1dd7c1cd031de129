import Foundation
import KeyValueCoding
import Testing

@testable import KeyedArchive

private struct Login: KeyValueCodable {
    var token = ""
    static let properties = PropertyTable<Login>(Property("token", \.token, secret: true))
}

@Suite("What is printed of archives")
struct ContentFreeTests {
    private static let secret = "hunter2-4f9c81d07b3e6a5512aa90ffed"

    /// An archive in which the secret is a text, a key of a dictionary, data, and the name of a class.
    private static func graph() throws -> ArchiveGraph {
        var graph = ArchiveGraph()
        let inner = graph.add(ArchivedClass(name: secret), fields: [ArchiveField("a", 1)])
        let fields = [
            ArchiveField("token", .text(secret)), ArchiveField("by", [:]), ArchiveField("inner", .reference(inner)),
            ArchiveField("raw", .data(Array(secret.utf8)), encoding: .inline),
            ArchiveField("plain", .text(secret), encoding: .inline), ArchiveField("list", [.text(secret)]),
            ArchiveField("map", .dictionary([secret: 1])),
        ]
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "Login"), fields: fields)))
        return graph
    }

    /// One or more of each public type, by the name of the type.
    private static func samples() throws -> [(type: String, value: Any)] {
        var graph = try graph()
        let bytes = try graph.data()
        let archive = try Archive(reading: bytes)
        let object = try archive.rootObject()
        var samples: [(String, Any)] = [
            ("Archive", archive), ("ArchivedObject", object), ("ArchiveGraph", graph),
            ("ArchiveFormat", archive.format),
            ("ArchiveField", ArchiveField(secret, .text(secret))), ("PathStep", PathStep.key(secret)),
            ("ArchivePath", ArchivePath([.key("map"), .key(secret)])), ("ArchiveLimits", archive.limits),
            ("ArchivedClass", ArchivedClass(name: secret, hints: [secret])), ("ArchiveLayout", ArchiveLayout.ios12),
            ("Encoding", ArchiveField.Encoding.inline), ("Code", ArchiveError.Code.badKey),
            ("ClassPattern", ClassPattern("Login")), ("ArchiveEncoder", ArchiveEncoder()),
            ("ArchiveEncodingOptions", ArchiveEncodingOptions()), ("ArchiveDecodingOptions", ArchiveDecodingOptions()),
        ]
        _ = graph.add(.text(secret))
        samples.append(("ArchiveGraph", graph))
        for path: ArchivePath in ["", "token", "by", "inner", "raw", "plain", "list", "map", ["map", .key(secret)]] {
            let value = try archive.value(at: path)
            samples += [("ArchivedValue", value), ("Content", try value.content())]
        }
        let form = try ArchiveForm(of: bytes, object: object) { $0 }
        samples += [("ArchiveForm", form), ("ArchiveForm", form.wholeFile)]
        samples += form.holes.flatMap(\.targets).map { ("Target", $0) }
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(mapping: MappingOptions(unknownKeys: .drop)))
        for _ in 0..<2 { #expect(try decoder.decode(Login.self, from: bytes).token == secret) }
        samples.append(("ArchiveDecoder", decoder))
        for path: ArchivePath in [
            ["token", .key(secret)], ["inner", .key(secret)], ["map", .key(secret), "x"], ["list", 7],
        ] {
            do {
                _ = try archive.value(at: path)
            } catch {
                samples.append(("ArchiveMappingError", error))
            }
        }
        let error = ArchiveError(.wrongClass, keyPath: ArchivePath([.key(secret)]).description, "wrong")
        return samples + [("ArchiveError", error)]
    }

    @Test("no value of a public type shows what is in an archive, however it is printed")
    func silent() throws {
        for (type, value) in try Self.samples() {
            var dumped = ""
            dump(value, to: &dumped)
            dump([value], to: &dumped)
            #expect("\(value)".utf8.count < 1000, "\(type)")
            for text in ["\(value)", String(reflecting: value), "\([value])", "\(value as Any?)", dumped] {
                #expect(!text.contains(Self.secret.prefix(13)), "\(type)")
                #expect(!text.contains("104, 117, 110, 116"), "\(type) shows bytes")
            }
        }
    }

    @Test("what is printed says which class, where and how much")
    func useful() throws {
        let graph = try Self.graph()
        let archive = try Archive(reading: graph.data())
        #expect("\(archive)" == "binary archive of 14 objects")
        #expect("\(graph)" == "binary graph of 14 objects")
        #expect("\(try archive.rootObject())" == #"object 1, "Login", 7 fields"#)
        #expect("\(try archive.value(at: "list"))" == "an array of 1, object 8, at list")
        #expect("\(try archive.value(at: "plain"))" == "text, at plain")
        #expect("\(ArchiveField("id", 7, encoding: .inline))" == #""id", an integer, inline"#)
        #expect("\(PathStep.key("user"))\(PathStep.index(3))" == "user[3]")
    }

    @Test("every public type that can hold content is among those that are tried")
    func isComplete() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/KeyedArchive").standardizedFileURL
        let declaration = #/^\s*public (?:final |indirect )*(?:struct|enum|class|actor) (\w+)/#
            .anchorsMatchLineEndings()
        var found: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)!
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            found.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        #expect(found.count > 15)
        #expect(found == Set(try Self.samples().map(\.type)))
    }
}
