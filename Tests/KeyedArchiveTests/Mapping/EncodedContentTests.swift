import Foundation
import KeyValueCoding
import KeyedArchive
import Testing

private struct Owner: KeyValueCodable, Equatable {
    var id = 0
    var extras: [String: Value] = [:]
    static let properties = PropertyTable<Owner>(Property("id", \.id), extras: \.extras)
}

@Suite("Models in collections, and the extras of models, as archives")
struct EncodedContentTests {
    @Test("models are objects wherever they stand: in dictionaries, in arrays of arrays, in optionals of these")
    func containers() throws {
        struct Team: KeyValueCodable, Equatable {
            var byName: [String: Owner] = [:]
            var pairs: [[Owner]] = []
            var maybe: [Owner?]?
            var lists: [String: [Owner]?] = [:]
            var empty: [String: Owner] = [:]
            static let properties = PropertyTable<Team>(
                Property("byName", \.byName),
                Property("pairs", \.pairs),
                Property("maybe", \.maybe),
                Property("lists", \.lists),
                Property("empty", \.empty)
            )
        }
        let team = Team(
            byName: ["a": Owner(id: 1), "b": Owner(id: 2)],
            pairs: [[Owner(id: 3), Owner(id: 4)], [], [Owner(id: 5)]],
            maybe: [nil, Owner(id: 6)],
            lists: ["x": [Owner(id: 7)], "y": nil]
        )
        let chief = ArchivedClass(name: "Chief", chain: ["Chief", "Owner", "NSObject"])
        let options = ArchiveEncodingOptions(
            classes: ["byName": chief, "pairs": chief],
            collections: ["byName": ArchivedClass(name: "NSMutableDictionary")],
            encodings: ["lists.id": .object]
        )
        let bytes = try ArchiveEncoder(options).encode(team)
        let archive = try Archive(reading: bytes)
        let classes = [
            "byName": "NSMutableDictionary", "byName.a": "Chief", "byName.b": "Chief", "pairs": "NSArray",
            "pairs[0]": "NSArray", "pairs[0][1]": "Chief", "pairs[2][0]": "Chief", "maybe[0]": "NSNull",
            "maybe[1]": "Owner", "lists.x[0]": "Owner", "lists.y": "NSNull", "empty": "NSDictionary",
        ]
        for (path, name) in classes {
            #expect(try archive.value(at: ArchivePath(path)).archivedClass()?.name == name, "\(path)")
        }
        #expect(try archive.value(at: "pairs[2][0].id").index == nil)
        #expect(try archive.value(at: "lists.x[0].id").index != nil)
        #expect(try ArchiveDecoder().decode(Team.self, from: bytes) == team)
    }

    @Test(
        "a bool or a number in the extras stands inside the object, as a property of a C type, unless options say otherwise"
    )
    func extras() throws {
        let extras: [String: Value] = ["flag": true, "ratio": 0.5, "count": 7, "wide": 8, "text": "a", "tags": ["b"]]
        let session = Owner(id: 1, extras: extras)
        var options = ArchiveEncodingOptions()
        let plain = try Archive(reading: ArchiveEncoder(options).encode(session))
        for (key, isInline) in ["flag": true, "ratio": true, "count": true, "text": false, "tags": false] {
            #expect((try plain.value(at: ArchivePath(key)).index == nil) == isInline, "\(key)")
        }
        options.encodings = ["count": .object, "ratio": .float, "text": .inline]
        options.keys = ["wide": "large"]
        options.collections = ["tags": ArchivedClass(name: "NSSet")]
        let changed = try Archive(reading: ArchiveEncoder(options).encode(session))
        #expect(try changed.value(at: "count").index != nil)
        #expect(try changed.value(at: "text").index == nil)
        #expect(try changed.value(at: "large").decode(Int.self) == 8)
        #expect(try changed.value(at: "tags").archivedClass()?.name == "NSSet")
        let back = try changed.root.object()?.decode(Owner.self)
        #expect(back?.extras == ["flag": true, "ratio": 0.5, "count": 7, "large": 8, "text": "a", "tags": ["b"]])
    }

    @Test("an old app reads by its C types what was kept in the extras of a model and written again")
    func extrasOfOldApp() throws {
        let fields: [(String, Value)] = [("id", 3), ("isOn", true), ("ratio", 2.5), ("size", .integer(1 << 40))]
        let bytes = try Archive.data(
            archiving: ArchivedClass(name: "Owner"),
            fields: fields.map { ArchiveField($0, $1, encoding: .inline) }
        )
        let owner = try ArchiveDecoder().decode(Owner.self, from: bytes)
        #expect(owner.extras == ["isOn": true, "ratio": 2.5, "size": .integer(1 << 40)])
        let again = try ArchiveEncoder().encode(owner)
        let reader = try NSKeyedUnarchiver(forReadingFrom: Data(again))
        reader.requiresSecureCoding = false
        reader.setClass(OldApp.self, forClassName: "Owner")
        let old = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? OldApp
        #expect(old?.isOn == true)
        #expect(old?.ratio == 2.5)
        #expect(old?.size == 1 << 40)
    }

    @Test("a Float is written as encodeFloat writes it, Data as NSData, and both come back")
    func floatAndData() throws {
        struct Sample: KeyValueCodable, Equatable {
            var gain: Float = 0
            var maybe: Float?
            var gains: [Float] = []
            var blob = Data()
            var thumbnail: Data?
            static let properties = PropertyTable<Sample>(
                Property("gain", \.gain),
                Property("maybe", \.maybe),
                Property("gains", \.gains),
                Property("blob", \.blob),
                Property("thumbnail", \.thumbnail)
            )
        }
        let sample = Sample(gain: 0.1, maybe: -2.5, gains: [.infinity, 1], blob: Data([1, 2, 255]))
        let bytes = try ArchiveEncoder().encode(sample)
        #expect(try ArchiveDecoder().decode(Sample.self, from: bytes) == sample)
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
        let object = try #require((list?["$objects"] as? [Any])?[1] as? [String: Any])
        #expect((object["gain"] as? NSNumber)?.floatValue == 0.1)
        // The marker of a real of 4 bytes, and the bytes of 0.1.
        #expect(Data(bytes).range(of: Data([0x22, 0x3D, 0xCC, 0xCC, 0xCD])) != nil)
        #expect(try Float(coercing: 0.1, policy: .strict) == 0.1)
        #expect(throws: CoercionError.self) { try Float(coercing: 1e300, policy: .strict) }
        #expect(throws: CoercionError.self) { try Data(coercing: "text", policy: .strict) }
    }
}

/// The class of an old app, which reads its fields by their C types.
private final class OldApp: NSObject, NSCoding {
    let isOn: Bool
    let ratio: Double
    let size: Int64

    init?(coder: NSCoder) {
        isOn = coder.decodeBool(forKey: "isOn")
        ratio = coder.decodeDouble(forKey: "ratio")
        size = coder.decodeInt64(forKey: "size")
    }

    func encode(with coder: NSCoder) {}
}
