import Foundation
import KeyValueCoding
import KeyedArchive
import Testing

/// The article "From an unknown archive to a model", run.
@Suite("The article of the documentation")
struct ArticleTests {
    /// The archive that the article is about.
    private func sample() throws -> [UInt8] {
        var graph = ArchiveGraph(layout: .ios12)
        let owner = graph.add(ArchivedClass(name: "WBUser"), fields: [ArchiveField("name", "Ada")])
        let fields = [
            ArchiveField("id", 7, encoding: .inline), ArchiveField("owner", .reference(owner)),
            ArchiveField("devices", ["phone", "pad"]),
            ArchiveField("started", .date(Date(timeIntervalSinceReferenceDate: 462_000_000.25))),
        ]
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "WBSession"), fields: fields)))
        return try graph.data()
    }

    @Test("its code does what it says")
    func run() throws {
        let bytes = try sample()
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        // article: see
        let archive = try Archive(reading: bytes)
        let root = try archive.rootObject()
        print(root.archivedClass.name, root.archivedClass.chain)
        for (key, field) in root.fields {
            print(key, try field.value().kind)
        }
        // end
        #expect(printed == Self.blocks(of: "text")[0].split(separator: "\n").map(String.init))
        printed = []

        // article: values
        let name = try archive.value(at: "owner.name").decode(String.self)
        let firstDevice = try archive.value(at: "devices[0]").object()
        print(name, firstDevice?.keys ?? [])
        // end
        #expect(printed == ["Ada []"])
        printed = []

        // article: properties
        struct Owner: KeyValueCodable {
            var name = ""
            var isAdmin = false
            static let properties = PropertyTable<Owner>(
                Property("name", \.name),
                Property("admin", \.isAdmin, .defaulted(false))
            )
        }

        struct Session: KeyValueCodable, CustomStringConvertible {
            var id: Int64 = 0
            var token: String?
            var owner = Owner()
            var devices: [String] = []
            var startedAt: Date?
            var extras: [String: Value] = [:]
            static let properties = PropertyTable<Session>(
                Property("id", \.id),
                Property("token", \.token, .optional, secret: true),
                Property("owner", \.owner),
                Property("devices", \.devices, .optional),
                Property("started_at", \.startedAt, .optional),
                extras: \.extras
            )
            var description: String { "session \(id) of the token \(Redaction.redact(token ?? ""))" }
        }
        // end

        // article: decode
        let decoder = ArchiveDecoder(
            ArchiveDecodingOptions(
                classes: ["*Session"],
                mapping: MappingOptions(unknownKeys: .reject, aliases: ["started": "started_at"])
            )
        )
        var session = try decoder.decode(Session.self, from: bytes)
        print(session.id, session.owner.name, session.devices)
        // end
        #expect(printed == [#"7 Ada ["phone", "pad"]"#])
        #expect(session.startedAt == Date(timeIntervalSinceReferenceDate: 462_000_000.25))
        printed = []

        // article: options
        let lenient = MappingOptions(
            unknownKeys: .drop,
            aliases: ["started": "started_at"],
            defaults: ["owner.admin": true]
        )
        let other = try archive.rootObject().decode(Session.self, options: lenient)
        print(other.owner.isAdmin, other.extras.isEmpty)
        // end
        #expect(printed == ["true true"])
        #expect(other.startedAt == session.startedAt)
        session.token = "2.00ABCDEFGHIJKL"
        #expect("\(session)" == "session 7 of the token \"2.00…\"")
        session.token = nil
        printed = []

        // article: errors
        do {
            _ = try ArchiveDecoder(ArchiveDecodingOptions(classes: ["WBSession"])).decode([Owner].self, from: bytes)
        } catch let error as ArchiveMappingError {
            print(error.code, error.objectIndex ?? 0, error.keyPath)
        }
        // end
        #expect(printed == ["missingKey 1 name"])

        // article: encode
        let encoder = ArchiveEncoder(
            ArchiveEncodingOptions(
                archivedClass: ArchivedClass(name: "WBSession"),
                classes: ["owner": ArchivedClass(name: "WBUser")],
                keys: ["started_at": "started"],
                layout: .ios12
            )
        )
        session.devices.append("watch")
        let written = try encoder.encode(session)
        // end
        let again = try decoder.decode(Session.self, from: written)
        #expect(again.devices == ["phone", "pad", "watch"])
        #expect(try Archive(reading: written).value(at: "owner").archivedClass()?.name == "WBUser")

        // article: change
        var graph = ArchiveGraph(archive)
        try graph.setValue("Grace", at: "owner.name")
        try graph.setValue(.date(Date(timeIntervalSince1970: 1_440_307_200)), at: "started")
        try graph.setValue(true, at: "owner.admin", encoding: .inline)
        try graph.append("watch", to: "devices")
        try graph.removeValue(at: "devices[0]")
        try graph.setClass(ArchivedClass(name: "Session"), at: "")
        let changed = try graph.data()
        // end
        let afterwards = try decoder.decode(Session.self, from: changed)
        #expect(afterwards.owner.name == "Grace")
        #expect(afterwards.owner.isAdmin)
        #expect(afterwards.devices == ["pad", "watch"])
        #expect(afterwards.startedAt == Date(timeIntervalSince1970: 1_440_307_200))

        // article: build
        var pair = ArchiveGraph()
        let person = ArchivedClass(name: "Person")
        let (ada, grace) = (pair.add(person), pair.add(person))
        try pair.setFields([ArchiveField("friend", .reference(grace))], of: ada)
        try pair.setFields([ArchiveField("friend", .reference(ada))], of: grace)
        try pair.setTop(.reference(ada))
        let friends = try pair.data()
        // end
        #expect(try Archive(reading: friends).value(at: "friend.friend").index == 1)
    }

    @Test("its code is what is run here, to the letter")
    func isTheSame() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        #expect(Self.blocks(of: "swift") == Self.snippets(in: source))
    }

    /// The blocks of code of the article that are in a language.
    private static func blocks(of language: String) -> [String] {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/KeyedArchive/KeyedArchive.docc/FromAnArchiveToAModel.md")
            .standardizedFileURL
        let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n```\(language)\n").dropFirst().map { block in
            block.components(separatedBy: "\n```\n")[0]
        }
    }

    /// What stands between the marks in this file, moved to the left.
    private static func snippets(in source: String) -> [String] {
        let indentation = "        "
        return source.components(separatedBy: "\n\(indentation)// article: ").dropFirst().map { part in
            let lines = part.components(separatedBy: "\n\(indentation)// end\n")[0].components(separatedBy: "\n")
                .dropFirst()
            return lines.map { $0.hasPrefix(indentation) ? String($0.dropFirst(indentation.count)) : $0 }
                .joined(separator: "\n")
        }
    }
}
