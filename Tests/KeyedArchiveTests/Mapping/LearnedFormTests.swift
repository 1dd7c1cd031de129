import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import KeyedArchive

private struct Everything: KeyValueCodable {
    var id: Int64 = 0
    var count = 0
    var name = ""
    var nick: String?
    var ratio = 0.0
    var isOn = false
    var date: Date?
    var data: [UInt8] = []
    var key: UUID?
    var page: URL?
    var tags: [String] = []
    var extras: [String: Value] = [:]

    static let properties = PropertyTable<Everything>(
        Property("id", \.id),
        Property("count", \.count),
        Property("name", \.name),
        Property("nick", \.nick, .optional),
        Property("ratio", \.ratio),
        Property("isOn", \.isOn),
        Property("date", \.date, .optional),
        Property("data", \.data),
        Property("key", \.key, .optional),
        Property("page", \.page, .optional),
        Property("tags", \.tags, .optional),
        extras: \.extras
    )

    /// A model with values of any size, and now and then the same ones in two places.
    static func random(_ generator: inout SeededGenerator) -> Everything {
        func text() -> String {
            let characters = Array(Bool.random(using: &generator) ? "abcdefgh0123456789" : "äé令牌😀x")
            let count = Int.random(in: 0...20, using: &generator)
            return String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "x" })
        }
        func integer() -> Int {
            let shift = Int.random(in: 0..<64, using: &generator)
            return Int.random(in: .min ... .max, using: &generator) >> shift
        }
        var model = Everything()
        model.id = Int64(integer())
        model.count = Bool.random(using: &generator) ? integer() : Int(model.id)
        model.name = text()
        model.nick = Bool.random(using: &generator) ? text() : nil
        model.ratio = Double(integer()) / 8
        model.isOn = Bool.random(using: &generator)
        model.date = Date(timeIntervalSinceReferenceDate: Double(integer() >> 20) / 4)
        model.data = (0..<Int.random(in: 0...20, using: &generator)).map { UInt8($0) }
        model.extras = ["note": .text(text()), "list": [.integer(Int64(integer())), .text(text())]]
        return model
    }
}

/// What a decoder does with a file: a model, or an error as text.
private func outcome<Model: KeyValueCodable>(
    _ decoder: ArchiveDecoder,
    _ type: Model.Type,
    _ bytes: [UInt8]
) -> (model: Model?, error: String) {
    do {
        return (try decoder.decode(type, from: bytes), "")
    } catch {
        return (nil, "\(error)")
    }
}

@Suite("A decoder that has learned forms")
struct LearnedFormTests {
    private func expectSame<Model: KeyValueCodable>(
        _ learned: ArchiveDecoder,
        _ type: Model.Type,
        _ bytes: [UInt8],
        _ what: String
    ) {
        let expected = outcome(ArchiveDecoder(learned.options), type, bytes)
        let found = outcome(learned, type, bytes)
        // A damaged date may be no number, which is not equal to itself.
        let values = [found.model, expected.model].map { Value.dictionary($0?.dictionaryRepresentation ?? [:]) }
        #expect(values[0].isIdentical(to: values[1]) && found.error == expected.error, "\(what)")
    }

    @Test("reads what one that has not reads", arguments: [false, true])
    func models(hasMore: Bool) throws {
        let decoder = ArchiveDecoder()
        var generator = SeededGenerator(seed: 5)
        var recognised = 0
        for round in 0..<400 {
            var model = Everything.random(&generator)
            if hasMore {
                model.key = UUID()
                model.page = URL(string: "https://example.com/\(round)")
                model.tags = ["a", "b\(round)"]
            }
            let numbers = Bool.random(using: &generator)
            let encoding: [String: ArchiveField.Encoding] = numbers ? ["id": .object, "isOn": .object] : [:]
            let bytes = try ArchiveEncoder(ArchiveEncodingOptions(encodings: encoding)).encode(model)
            if decoder.memory.model(Everything.self, in: bytes) != nil { recognised += 1 }
            expectSame(decoder, Everything.self, bytes, "model \(round)")
        }
        #expect(recognised > 100)
    }

    @Test("reads models in models, with the aliases for them, and gives an object in two places to both")
    func nested() throws {
        struct User: KeyValueCodable {
            var name = ""
            var age: Int64 = 0
            static let properties = PropertyTable<User>(Property("name", \.name), Property("age", \.age))
        }
        struct Team: KeyValueCodable {
            var lead = User()
            var deputy: User?
            var members: [User] = []
            static let properties = PropertyTable<Team>(
                Property("lead", \.lead),
                Property("deputy", \.deputy, .optional),
                Property("members", \.members)
            )
        }
        let mapping = MappingOptions(aliases: [
            "lead.called": "name", "deputy.called": "name", "members.called": "name",
        ])
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(mapping: mapping))
        var generator = SeededGenerator(seed: 10)
        var recognised = 0
        for round in 0..<200 {
            var graph = ArchiveGraph(layout: .ios13)
            func add(_ name: String) -> Value {
                let age = Int64.random(in: 0..<200, using: &generator)
                let fields = [
                    ArchiveField("called", .text(name)), ArchiveField("age", .integer(age), encoding: .inline),
                ]
                return .reference(graph.add(ArchivedClass(name: "User"), fields: fields))
            }
            let lead = add("the lead of \(round)")
            let deputy = round % 3 == 0 ? lead : add("the deputy of \(round)")
            let fields = [
                ArchiveField("lead", lead), ArchiveField("deputy", deputy),
                ArchiveField("members", [add("the first of \(round)"), add("the second of \(round)")]),
            ]
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "Team"), fields: fields)), forKey: "root")
            let bytes = try graph.data()
            if decoder.memory.model(Team.self, in: bytes) != nil { recognised += 1 }
            expectSame(decoder, Team.self, bytes, "team \(round)")
        }
        #expect(recognised > 100)
    }

    @Test("sets properties in the order of the table where one may change another")
    func order() throws {
        struct Named: KeyValueCodable {
            final class Box: @unchecked Sendable { var token: String? }
            var name: String?
            var seconds: Int64 = 0
            var box = Box()
            var nick: String? {
                get { name }
                set { if name == nil { name = newValue } }
            }
            var text: String {
                get { String(seconds) }
                set { seconds = Int64(newValue) ?? 0 }
            }
            static let properties = PropertyTable<Named>(
                Property("text", \.text),
                Property("seconds", \.seconds),
                Property("again", \.seconds),
                Property("nick", \.nick),
                Property("token", \.box.token)
            )
        }
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(classes: ["Named"]))
        var models: [Named] = []
        for number in 1...6 as ClosedRange<Int64> {
            let fields = [
                ArchiveField("again", .integer(number + 100), encoding: .inline),
                ArchiveField("token", .text("token \(number)")),
                ArchiveField("nick", .text("the nick \(number)")), ArchiveField("text", .text("\(number + 20)")),
                ArchiveField("seconds", .integer(number), encoding: .inline),
            ]
            let bytes = try Archive.data(archiving: ArchivedClass(name: "Named"), fields: fields)
            expectSame(decoder, Named.self, bytes, "model \(number)")
            models.append(try decoder.decode(Named.self, from: bytes))
        }
        #expect(models.map(\.seconds) == Array(101...106))
        #expect(models.map(\.name) == (1...6).map { "the nick \($0)" })
        #expect(models.map(\.box.token) == (1...6).map { "token \($0)" })
    }

    @Test("an object under a key that is dropped and under one that is not is the one of each file")
    func shared() throws {
        struct Tagged: KeyValueCodable {
            var tags: [String] = []
            static let properties = PropertyTable<Tagged>(Property("tags", \.tags))
        }
        let mapping = MappingOptions(unknownKeys: .drop)
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(classes: ["Tagged"], mapping: mapping))
        for number in 1...5 {
            var graph = ArchiveGraph(layout: .ios13)
            let tags = Value.reference(
                graph.add(ArchivedClass(name: "NSArray"), elements: [.text("the first tag of \(number)")])
            )
            let fields = [ArchiveField("aaa", tags), ArchiveField("tags", tags)]
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "Tagged"), fields: fields)), forKey: "root")
            let model = try decoder.decode(Tagged.self, from: try graph.data())
            #expect(model.tags == ["the first tag of \(number)"])
        }
    }

    @Test("gives each type its own from one and the same file")
    func types() throws {
        struct Small: KeyValueCodable {
            var id: Int64 = 0
            static let properties = PropertyTable<Small>(Property("id", \.id))
        }
        let decoder = ArchiveDecoder(
            ArchiveDecodingOptions(classes: ["Everything"], mapping: MappingOptions(unknownKeys: .drop))
        )
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<50 {
            let bytes = try ArchiveEncoder().encode(Everything.random(&generator))
            expectSame(decoder, Small.self, bytes, "small")
            expectSame(decoder, Everything.self, bytes, "everything")
        }
    }

    @Test("makes each model anew, with what is not in the table or not in the archive")
    func fresh() throws {
        struct Tracked: KeyValueCodable {
            var id: Int64 = 0
            var number: Int64 = 0
            var serial = UUID()
            var seen = Date()
            var kind = ""
            var extras: [String: Value] = [:]
            static let properties = PropertyTable<Tracked>(
                Property("id", \.id),
                Property("number", \.number, .defaulted(5)),
                Property("serial", \.serial, .optional),
                Property("kind", \.kind),
                extras: \.extras
            )
        }
        let options = MappingOptions(defaults: ["kind": "app"])
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(classes: ["T"], mapping: options))
        var serials: Set<UUID> = []
        for id in 1...5 as ClosedRange<Int64> {
            let bytes = try Archive.data(
                archiving: ArchivedClass(name: "T"),
                fields: [
                    ArchiveField("id", .integer(id), encoding: .inline), ArchiveField("none", .null),
                    ArchiveField("text", .text("long enough \(id)")),
                ]
            )
            #expect((decoder.memory.model(Tracked.self, in: bytes) != nil) == (id > 1))
            let model = try decoder.decode(Tracked.self, from: bytes)
            #expect(model.id == id && model.number == 5 && model.kind == "app")
            #expect(model.extras == ["none": .null, "text": .text("long enough \(id)")])
            serials.insert(model.serial)
        }
        #expect(serials.count == 5)
    }

    @Test("takes no damaged file for one of a known form")
    func damaged() throws {
        var generator = SeededGenerator(seed: 8)
        let decoder = ArchiveDecoder()
        let bytes = try ArchiveEncoder().encode(Everything.random(&generator))
        for position in bytes.indices {
            for mask in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[position] ^= mask
                expectSame(decoder, Everything.self, changed, "byte \(position) ^ \(mask)")
            }
        }
    }

    @Test("keeps to the limit of bytes")
    func limit() throws {
        var generator = SeededGenerator(seed: 9)
        let bytes = try ArchiveEncoder().encode(Everything.random(&generator))
        let decoder = ArchiveDecoder(ArchiveDecodingOptions(limits: ArchiveLimits(bytes: bytes.count)))
        for _ in 0..<3 { _ = try decoder.decode(Everything.self, from: bytes) }
        #expect(throws: ArchiveError.self) { try decoder.decode(Everything.self, from: bytes + [0]) }
    }
}
