import KeyValueCoding
import Testing

@testable import KeyedArchive

@Suite("Graphs built by hand")
struct ArchiveGraphTests {
    /// A file of Apple's archiver, with the graph that it was made of.
    struct Case: Sendable, CustomTestStringConvertible {
        var file: String
        var layout = ArchiveLayout.ios13
        var format = ArchiveFormat.binary
        var build: @Sendable (inout ArchiveGraph) throws -> Void
        var testDescription: String { file }
    }

    @Test("a graph gives the bytes that Apple's archiver wrote", .enabled(if: Corpus.folder != nil), arguments: cases)
    func bytes(example: Case) throws {
        var graph = ArchiveGraph(layout: example.layout)
        graph.format = example.format
        try example.build(&graph)
        #expect(try graph.data() == Corpus.bytes("real/" + example.file))
    }

    private static let foo = ArchivedClass(name: "crap.Foo", chain: ["crap.Foo", "NSCoder", "NSObject"])

    /// Archives of which it is known what was one object in memory. It is not known of a class that is written in Swift, whose keys
    /// may be one object or several, nor of the name `NSMutableSet`, which some systems write once and some twice.
    private static let cases: [Case] = [
        Case(file: "bpylist2__tests__fixture_data__complex_archive.plist", layout: .ios12) { graph in
            let metadata: [Value.Pair] = [
                Value.Pair(key: "fruit", value: "kiwi"), Value.Pair(key: "veg", value: "asparagus"),
            ]
            let dictionary = graph.add(ArchivedClass(name: "NSDictionary"), entries: metadata)
            let root = graph.add(
                foo,
                fields: [
                    ArchiveField("title", "yo"), ArchiveField("count", 42, encoding: .inline),
                    ArchiveField("active", true, encoding: .inline), ArchiveField("categories", ["banana", "apple"]),
                    ArchiveField("metadata", .reference(dictionary)),
                ]
            )
            try graph.setTop(.reference(root))
        },
        Case(file: "nska-go__fixtures__dict.bin", layout: .ios13) { graph in
            let text = graph.add("Hello, World!")
            let array = graph.add(ArchivedClass(name: "NSMutableArray"), elements: [true, .reference(text), 42])
            let key = graph.add("string")
            let entries: [Value.Pair] = [
                Value.Pair(key: "int", value: 1), Value.Pair(key: .reference(key), value: .reference(key)),
                Value.Pair(key: "array", value: .reference(array)),
            ]
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "NSDictionary"), entries: entries)), forKey: "$0")
        },
        Case(file: "nska-go__fixtures__nestedarrays.bin") { graph in
            let set = graph.add(ArchivedClass(name: "NSSet"), elements: [true])
            let mutable = graph.add(ArchivedClass(name: "NSMutableSet"), elements: [42, true, "Hello, World!"])
            try graph.setTop([.reference(set), .reference(mutable)], forKey: "$0")
        },
        Case(file: "nska-go__fixtures__nestedarrays.xml", format: .xml) { graph in
            let set = graph.add(ArchivedClass(name: "NSSet"), elements: [true])
            let mutable = graph.add(ArchivedClass(name: "NSMutableSet"), elements: [42, true, "Hello, World!"])
            try graph.setTop([.reference(set), .reference(mutable)], forKey: "$0")
        },
        Case(file: "go-ios__ios__nskeyedarchiver__fixtures__primitives.bin") { graph in
            let values: [Value] = [
                1, 1, 1.0, 1.5, .data(Array("asdfasdfadsfadsf".utf8)), true, "Hello, World!", "Hello, World!",
                "Hello, World!",
                false, false, 42,
            ]
            for (index, value) in values.enumerated() { try graph.setTop(value, forKey: "$\(index)") }
        },
        Case(
            file: "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSOrderedSet-Numbers.archive",
            layout: .ios12
        ) {
            try $0.setTop(.reference($0.add(ArchivedClass(name: "NSOrderedSet"), elements: [1, 2, 3, 4, 5])))
        },
        Case(
            file: "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSMutableOrderedSet-Numbers.archive",
            layout: .ios12
        ) {
            try $0.setTop(.reference($0.add(ArchivedClass(name: "NSMutableOrderedSet"), elements: [1, 2, 3, 4, 5])))
        },
        Case(
            file: "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSCountedSet-Empty.archive",
            layout: .ios12
        ) {
            let field = ArchiveField("NS.count", 0, encoding: .inline)
            try $0.setTop(.reference($0.add(ArchivedClass(name: "NSCountedSet"), fields: [field])))
        },
        Case(
            file: "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSIndexSet-OneRange.archive",
            layout: .ios12
        ) {
            let fields = [("NSRangeCount", 1), ("NSLocation", 0), ("NSLength", 50)].map {
                ArchiveField($0.0, .integer($0.1), encoding: .inline)
            }
            try $0.setTop(.reference($0.add(ArchivedClass(name: "NSIndexSet"), fields: fields)))
        },
        Case(
            file: "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSMeasurement-Length.archive",
            layout: .ios12
        ) { graph in
            let converter = graph.add(
                ArchivedClass(
                    name: "NSUnitConverterLinear",
                    chain: ["NSUnitConverterLinear", "NSUnitConverter", "NSObject"]
                ),
                fields: [
                    ArchiveField("NS.coefficient", 1609.34, encoding: .inline),
                    ArchiveField("NS.constant", 0.0, encoding: .inline),
                ]
            )
            let unit = graph.add(
                ArchivedClass(name: "NSUnitLength", chain: ["NSUnitLength", "NSDimension", "NSUnit", "NSObject"]),
                fields: [
                    ArchiveField("NS.symbol", "mi"), ArchiveField("NS.converter", .reference(converter)),
                    ArchiveField("NS.specifier", 1287, encoding: .inline),
                ]
            )
            let fields = [
                ArchiveField("NS.value", 45.0, encoding: .inline), ArchiveField("NS.unit", .reference(unit)),
            ]
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "NSMeasurement"), fields: fields)))
        },
        Case(file: "corelibs__Tests__Foundation__Resources__NSKeyedUnarchiver-UUIDTest.plist", format: .xml) { graph in
            let bytes: [UInt8] = [10, 216, 99, 186, 117, 132, 64, 207, 136, 150, 189, 135, 179, 40, 12, 52]
            let uuid = ["NS.uuidbytes": Value.data(bytes)]
            try graph.setTop(.object(Value.ObjectValue(className: "NSUUID", classes: [], fields: uuid)))
        },
        Case(file: "corelibs__Tests__Foundation__Resources__NSKeyedUnarchiver-URLTest.plist", format: .xml) { graph in
            try graph.setTop(url("foo.xml", base: url("https://www.example.com", base: nil)))
        },
        Case(file: "corelibs__Tests__Foundation__Resources__NSKeyedUnarchiver-ComplexTest.plist", layout: .ios12) {
            graph in
            let bytes: [UInt8] = [
                0x71, 0xDC, 0x06, 0x8E, 0x34, 0x20, 0x45, 0xFF, 0x91, 0x9E, 0x3A, 0x26, 0x7D, 0x55, 0xEC, 0x22,
            ]
            let uuid = Value.object(
                Value.ObjectValue(className: "NSUUID", classes: [], fields: ["NS.uuidbytes": .data(bytes)])
            )
            let entries: [Value.Pair] = [
                Value.Pair(key: "array", value: [nil, "hello", 34545, ["key": "val"]]),
                Value.Pair(key: "string", value: "hello"),
                Value.Pair(key: "url", value: url("index.xml", base: url("https://www.swift.org", base: nil))),
                Value.Pair(key: "uuid", value: uuid),
            ]
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "NSDictionary"), entries: entries)))
        },
        Case(file: "plaso-sqlite__Accounts3.sqlite.ZACCOUNTPROPERTY.ZVALUE.4.bin") { try $0.setTop(false) },
        Case(file: "plaso-sqlite__Accounts3.sqlite.ZACCOUNTPROPERTY.ZVALUE.14.bin") { try $0.setTop(606520940.832939) },
        Case(file: "go-ios__ios__nskeyedarchiver__fixtures__int64-value-in-nskeyedarchive.bin") { graph in
            let pairs: [(String, Value)] = [
                ("trackExpiredPIDs", true), ("targetPID", 21761), ("onlySignposts", true),
                ("pidToInjectCombineDYLIB", -1),
                ("machTimebaseNumer", 125), ("signpostsAndLogs", false), ("machTimebaseDenom", 3),
                ("combineDataScope", 0),
                ("bm", 0),
                (
                    "predicate",
                    "(category == 'InduceCondition') AND (subsystem == 'com.apple.ConditionInducer.LowSeverity')"
                ),
                ("ur", 500),
            ]
            let entries = pairs.map { Value.Pair(key: .text($0.0), value: $0.1) }
            try graph.setTop(.reference(graph.add(ArchivedClass(name: "NSDictionary"), entries: entries)))
        },
        Case(
            file:
                "corelibs__Tests__Foundation__Resources__Fixtures__macOS-10.14__NSTextCheckingResult-ComplexRegex.archive",
            layout: .ios12
        ) { graph in
            let regex = graph.add(
                ArchivedClass(name: "NSRegularExpression"),
                fields: [
                    ArchiveField("NSPattern", "a(a(a(a(a(a(a(a(a))))))))"),
                    ArchiveField("NSOptions", 0, encoding: .inline),
                ]
            )
            let ranges = (0..<9).map { index in
                let fields = [
                    ArchiveField("NS.special", 4, encoding: .inline),
                    ArchiveField("NS.rangeval.length", .integer(Int64(9 - index))),
                    ArchiveField("NS.rangeval.location", .integer(Int64(index))),
                ]
                return Value.reference(graph.add(ArchivedClass(name: "NSValue"), fields: fields))
            }
            let name = "NSComplexRegularExpressionCheckingResult"
            let chain = [name, "NSRegularExpressionCheckingResult", "NSTextCheckingResult", "NSObject"]
            let root = graph.add(
                ArchivedClass(name: name, chain: chain),
                fields: [
                    ArchiveField("NSRangeLocation", 0, encoding: .inline),
                    ArchiveField("NSRangeLength", 9, encoding: .inline),
                    ArchiveField("NSRegularExpression", .reference(regex)),
                    ArchiveField("NSRangeArray", .array(ranges)),
                ]
            )
            try graph.setTop(.reference(root))
        },
    ]

    private static func url(_ relative: String, base: Value) -> Value {
        .object(
            Value.ObjectValue(
                className: "NSURL",
                classes: [],
                fields: ["NS.base": base, "NS.relative": .text(relative)]
            )
        )
    }

    @Test("the chains of Foundation's classes are those of Apple's archives", .enabled(if: Corpus.folder != nil))
    func chains() throws {
        var known: Set<String> = []
        for file in try Corpus.files(in: ["real"]) {
            guard let archive = try? Archive(reading: try Corpus.bytes(file)) else { continue }
            for index in 0..<archive.objectCount {
                guard case .object(let object) = try? archive.resolve(index) else { continue }
                let found = object.archivedClass
                // Without a superclass the class was not described by Foundation.
                guard found.chain.count > 1 else { continue }
                guard found.chain.count == 2 || ArchivedClass.foundationSuperclasses[found.name] != nil else {
                    continue
                }
                #expect(ArchivedClass(name: found.name, hints: found.hints).chain == found.chain, "\(file)")
                known.insert(found.name)
            }
        }
        #expect(
            known.isSuperset(of: ["NSMutableArray", "NSMutableDictionary", "NSCountedSet", "NSMutableSet", "NSDate"])
        )
    }

    @Test("an object that two refer to is one in the archive, and a cycle is none to its writer")
    func sharedAndCyclic() throws {
        var graph = ArchiveGraph()
        let person = ArchivedClass(name: "Person", hints: ["Human"])
        let name = graph.add("a name that is no tagged pointer")
        let (left, right) = (graph.add(person), graph.add(person))
        try graph.setFields(
            [ArchiveField("name", .reference(name)), ArchiveField("friend", .reference(right))],
            of: left
        )
        try graph.setFields(
            [ArchiveField("name", .reference(name)), ArchiveField("friend", .reference(left))],
            of: right
        )
        try graph.setTop(.reference(left))
        let archive = try Archive(reading: try graph.data())
        let root = try archive.root
        #expect(try root["friend"]?["friend"]?.index == root.index)
        #expect(try root["name"]?.index == root["friend"]?["name"]?.index)
        #expect(try root.archivedClass() == person)
        #expect(archive.objectCount == 5)
        #expect(try archive.data(format: .binary) == graph.data())
    }

    @Test("what nothing refers to is not written, and what is not there cannot be referred to")
    func unreferenced() throws {
        var graph = ArchiveGraph()
        _ = graph.add("alone")
        try graph.setTop(["kept"])
        #expect(try Archive(reading: try graph.data()).objectCount == 4)
        let error = #expect(throws: ArchiveError.self) { try graph.setTop([.reference(99)]) }
        #expect(error?.code == .badObjects)
        #expect(error?.objectIndex == 99)
        // Nothing of the failed change is left.
        #expect(try Archive(reading: try graph.data()).root.value() == ["kept"])
    }

    @Test("values of every kind come back as they were put in", arguments: ArchiveFormat.allCases)
    func everyKind(format: ArchiveFormat) throws {
        let fields: [ArchiveField] = [
            ArchiveField("text", "täxt"), ArchiveField("bool", true),
            ArchiveField("inline bool", false, encoding: .inline),
            ArchiveField("integer", -5), ArchiveField("wide", .wideInteger(1 << 63), encoding: .inline),
            ArchiveField("real", 0.1), ArchiveField("float", 0.5, encoding: .float),
            ArchiveField("no float", 0.1, encoding: .float), ArchiveField("data", .data([1, 2])),
            ArchiveField("bytes", .data([3]), encoding: .inline), ArchiveField("null", nil),
            ArchiveField("array", [1, nil, "x"]), ArchiveField("dictionary", ["k": [:]]),
            ArchiveField("$dollar", "$null"),
        ]
        var graph = ArchiveGraph()
        graph.format = format
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "Everything"), fields: fields)))
        let archive = try Archive(reading: try graph.data())
        #expect(archive.format == format)
        let root = try archive.rootObject()
        for field in fields { #expect(try root[field.key]?.value() == field.value, "\(field.key)") }
        #expect(root["bytes"]?.index == nil && root["float"]?.index == nil && root["data"]?.index != nil)
    }
}
