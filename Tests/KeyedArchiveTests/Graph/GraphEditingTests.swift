import KeyValueCoding
import Testing

@testable import KeyedArchive

@Suite("Graphs that are changed")
struct GraphEditingTests {
    /// The session's archive after a change, with the check that all in it is referred to and its bytes are Apple's.
    private func changed(_ change: (inout ArchiveGraph) throws -> Void) throws -> Archive {
        var graph = ArchiveGraph(try Archive(reading: try Samples.session()))
        try change(&graph)
        let bytes = try graph.data()
        let archive = try Archive(reading: bytes)
        #expect(archive.referenceCounts.dropFirst().allSatisfy { $0 > 0 })
        #expect(try archive.data(format: .binary) == bytes)
        return archive
    }

    @Test(
        "a value that was changed is not taken for one that is added later",
        arguments: [("abc", "xyz"), (true, false), (7, 9), (70_000_000_000, 1)] as [(Value, Value)]
    )
    func changedConstant(old: Value, new: Value) throws {
        var graph = ArchiveGraph(layout: .ios13)
        let object = graph.add(ArchivedClass(name: "T"), fields: [ArchiveField("a", old)])
        try graph.setTop(.reference(object), forKey: "root")
        try graph.setValue(new, at: ArchivePath([.key("a")]))
        try graph.setValue(old, at: ArchivePath([.key("b")]))
        let values = try Archive(reading: try graph.data()).rootObject().values()
        #expect(values.first { $0.key == "a" }?.value == new)
        #expect(values.first { $0.key == "b" }?.value == old)
    }

    @Test(
        "a value anywhere can be replaced by one of any kind",
        arguments: [
            "id", "user", "user.name", "devices", "devices[0]", "devices[1].name", "settings", "settings.theme",
        ],
        [
            1, "a", "a text that is longer than a tagged pointer", nil, true, 0.5, .data([7]), [1, [2]], ["k": "v"],
            .object(Value.ObjectValue(className: "Other", classes: ["Other", "NSObject"], fields: ["x": 1])),
        ] as [Value]
    )
    func replace(path: String, value: Value) throws {
        let before = try Archive(reading: try Samples.session())
        let after = try changed { try $0.setValue(value, at: ArchivePath(path)) }
        #expect(try after.value(at: ArchivePath(path)).value() == value)
        // Everything that is not on the way, or below the value, is as it was.
        for other in ["id", "user.name", "user.screen_name", "devices[0].name", "devices[1].id", "settings.theme"]
        where !other.hasPrefix(path) && !path.hasPrefix(other) {
            #expect(try after.value(at: ArchivePath(other)).value() == before.value(at: ArchivePath(other)).value())
        }
    }

    @Test("a change back gives the bytes that the archive had, and a change of one value changes only its bytes")
    func backAgain() throws {
        let bytes = try Samples.session()
        var graph = ArchiveGraph(try Archive(reading: bytes))
        try graph.setValue("Eve", at: "user.name")
        let changed = try graph.data()
        #expect(changed.count == bytes.count)
        #expect(zip(changed, bytes).count(where: { $0 != $1 }) == 3)
        try graph.setValue("Ada", at: "user.name")
        #expect(try graph.data() == bytes)
    }

    @Test("the way in which a value is encoded stays")
    func encodings() throws {
        let archive = try changed {
            try $0.setValue(8, at: "id")
            try $0.setValue(9, at: "devices[0].id")
        }
        #expect(try archive.value(at: "id").index == nil)
        #expect(try archive.value(at: "devices[0].id").index != nil)
        var graph = ArchiveGraph()
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "NSMutableArray"), elements: [[1]])))
        var copy = ArchiveGraph(try Archive(reading: try graph.data()))
        try copy.setValue([2, 3], at: "")
        try copy.setValue([4], at: "[0]")
        #expect(try Archive(reading: try copy.data()).root.value() == [[4], 3])
        let mutable = graph.add(ArchivedClass(name: "NSMutableSet"), elements: [1])
        try graph.setTop([.reference(mutable)])
        copy = ArchiveGraph(try Archive(reading: try graph.data()))
        try copy.setValue([2], at: "[0]")
        #expect(try Archive(reading: try copy.data()).root[0]?.archivedClass()?.name == "NSMutableSet")
    }

    @Test("fields, entries and elements can be added and taken out")
    func addAndRemove() throws {
        let archive = try changed {
            try $0.setValue(5, at: "user.age", encoding: .inline)
            try $0.setValue("large", at: "settings.size")
            try $0.append("last", to: "devices")
            try $0.insert(nil, at: "devices[0]")
            try $0.removeValue(at: "devices[1]")
            try $0.removeValue(at: "user.screen_name")
            try $0.removeValue(at: "settings.theme")
        }
        #expect(try archive.root["user"]?["age"]?.index == nil)
        #expect(try archive.value(at: "user").object()?.keys.sorted() == ["age", "name"])
        #expect(try archive.value(at: "settings").value() == ["size": "large"])
        guard case .array(let devices) = try archive.value(at: "devices").content() else {
            throw Unexpected(what: "devices")
        }
        #expect(devices.count == 3)
        #expect(try devices[0].archivedClass()?.name == "NSNull")
        #expect(try devices[1]["name"]?.decode(String.self) == "pad")
        #expect(try devices[2].decode(String.self) == "last")
    }

    @Test("what is added stands where Apple's archiver would have put it")
    func order() throws {
        var whole = ArchiveGraph()
        let fields: [ArchiveField] = ["access_token", "expires_in", "remind_in"].map {
            ArchiveField($0, 1, encoding: .inline)
        }
        let last = ArchiveField("uid", 2, encoding: .inline)
        try whole.setTop(.reference(whole.add(ArchivedClass(name: "Account"), fields: fields + [last])))
        var part = ArchiveGraph()
        try part.setTop(.reference(part.add(ArchivedClass(name: "Account"), fields: fields)))
        for format in ArchiveFormat.allCases {
            part.format = format
            whole.format = format
            var grown = ArchiveGraph(try Archive(reading: try part.data()))
            try grown.setValue(2, at: "uid", encoding: .inline)
            #expect(try grown.data() == whole.data())
        }
    }

    @Test("a change of a shared object is one for all, and a change of a shared value for one")
    func shared() throws {
        var graph = ArchiveGraph()
        let text = graph.add("a text of more than eleven letters")
        let inner = graph.add(ArchivedClass(name: "Inner"), fields: [ArchiveField("x", .reference(text))])
        try graph.setTop([.reference(inner), .reference(inner), .reference(text)])
        var copy = ArchiveGraph(try Archive(reading: try graph.data()))
        try copy.setValue("another text of more than eleven", at: "[0].x")
        let archive = try Archive(reading: try copy.data())
        #expect(try archive.value(at: "[1].x").decode(String.self) == "another text of more than eleven")
        #expect(try archive.value(at: "[2]").decode(String.self) == "a text of more than eleven letters")
        #expect(try archive.value(at: "[0]").index == archive.value(at: "[1]").index)
    }

    @Test("an object of the graph can be referred to from elsewhere, and moved")
    func references() throws {
        let archive = try changed {
            let device = try $0.object(at: "devices[1]")
            try $0.setValue(.reference(device), at: "user.device")
            try $0.removeValue(at: "devices[1]")
            let tag = $0.add(ArchivedClass(name: "Tag"), fields: [ArchiveField("of", .reference(device))])
            try $0.append(.reference(tag), to: "devices")
        }
        #expect(try archive.value(at: "user.device.name").decode(String.self) == "pad")
        #expect(try archive.value(at: "devices[1].of").index == archive.value(at: "user.device").index)
    }

    @Test("an object gets another class, alone or with all of its class")
    func classes() throws {
        let one = try changed { try $0.setClass(ArchivedClass(name: "Phone"), at: "devices[0]") }
        #expect(one.className(at: try one.object(at: "devices[0]")) == "Phone")
        #expect(one.className(at: try one.object(at: "devices[1]")) == "Device")
        let all = try changed {
            #expect($0.replaceClass("Device", with: ArchivedClass(name: "Phone")) == 2)
            #expect($0.replaceClass("Nothing", with: ArchivedClass(name: "Phone")) == 0)
        }
        #expect(all.className(at: try all.object(at: "devices[1]")) == "Phone")
        #expect(all.objectCount == (try Archive(reading: try Samples.session())).objectCount)
    }

    @Test(
        "a change that cannot be made says where and why, and changes nothing",
        arguments: [
            ("user.nothing.x", MappingError.Code.missingKey, "user.nothing"), ("devices[2]", .missingKey, "devices[2]"),
            ("user.name.x", .typeMismatch, "user.name.x"), ("id[0]", .typeMismatch, "id[0]"),
            ("devices[9].name", .missingKey, "devices[9]"),
        ]
    )
    func errors(path: String, code: MappingError.Code, place: String) throws {
        let bytes = try Samples.session()
        var graph = ArchiveGraph(try Archive(reading: bytes))
        let error = #expect(throws: ArchiveMappingError.self) { try graph.setValue(1, at: ArchivePath(path)) }
        #expect(error?.code == code)
        #expect(error?.keyPath == place)
        #expect(throws: ArchiveMappingError.self) { try graph.removeValue(at: ArchivePath(path)) }
        #expect(throws: ArchiveMappingError.self) { try graph.append(1, to: ArchivePath(path)) }
        #expect(throws: ArchiveMappingError.self) {
            try graph.setClass(ArchivedClass(name: "X"), at: ArchivePath(path))
        }
        #expect(throws: ArchiveMappingError.self) { try graph.object(at: ArchivePath(path)) }
        #expect(try graph.data() == bytes)
    }

    @Test("what nothing referred to in a file goes when the graph is changed, and stays when it is not")
    func strayObjects() throws {
        var builder = ArchiveBuilder(try Archive(reading: try Samples.session()))
        builder.elements.append(builder.append(.text("a stray text of many letters")))
        builder.origins.append(99)
        let bytes = try builder.propertyList().encoded()
        #expect(throws: ArchiveError.self) { try Archive(reading: bytes) }
        let archive = try Archive(reading: bytes, limits: ArchiveLimits(allowsGaps: true))
        var graph = ArchiveGraph(archive)
        #expect(try graph.data() == bytes)
        try graph.setValue("Eve", at: "user.name")
        let changed = try Archive(reading: try graph.data())
        #expect(changed.objectCount == archive.objectCount - 1)
        #expect(try changed.value(at: "user.name").decode(String.self) == "Eve")
    }

    @Test("a root that is no object, and a place that is none, are no place for a change")
    func noPlace() throws {
        var graph = ArchiveGraph(try Archive(reading: try Samples.session()))
        #expect(throws: ArchiveMappingError.self) { try graph.removeValue(at: "") }
        #expect(throws: ArchiveMappingError.self) { try graph.insert(1, at: "user") }
        #expect(throws: ArchiveMappingError.self) { try graph.insert(1, at: "devices[3]") }
        #expect(throws: ArchiveMappingError.self) { try graph.append(1, to: "user") }
        let missing = #expect(throws: ArchiveError.self) { try graph.setValue([.reference(1_000)], at: "user.name") }
        #expect(missing?.code == .badObjects)
        #expect(try graph.data() == Samples.session())
    }

    @Test(
        "every app's archive can be changed anywhere, and keeps its form",
        arguments: try Fixtures.archives(in: "variants")
    )
    func apps(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        let archive = try Archive(reading: bytes)
        for (key, value) in try archive.rootObject().fields {
            var graph = ArchiveGraph(archive)
            try graph.setValue("another value than before", at: ArchivePath([.key(key)]))
            #expect(try graph.data() != bytes)
            let old = try value.value()
            try graph.setValue(old, at: ArchivePath([.key(key)]))
            let again = try Archive(reading: try graph.data())
            #expect(try again.rootObject().keys == archive.rootObject().keys)
            #expect(try again.root.value() == archive.root.value())
            #expect(graph.layout == ArchiveGraph(archive).layout)
        }
    }
}

@Suite("Archives of other programs, changed")
struct CorpusEditingTests {
    @Test("every place of every archive can be changed, and taken out", .enabled(if: Corpus.folder != nil))
    func everyPlace() throws {
        var count = 0
        for file in try Corpus.files(in: ["variants", "real"]) {
            guard let archive = try? Archive(reading: try Corpus.bytes(file)), archive.topKeys == ["root"] else {
                continue
            }
            for path in try places(in: try archive.root).prefix(60) {
                var graph = ArchiveGraph(archive)
                try graph.setValue("a new value of many letters", at: path)
                let changed = try Archive(reading: try graph.data())
                #expect(
                    try changed.value(at: path).decode(String.self) == "a new value of many letters",
                    "\(file) \(path)"
                )
                graph = ArchiveGraph(archive)
                do {
                    try graph.removeValue(at: path)
                } catch let error as ArchiveError where error.reason.contains("no NS.objects") {
                    continue
                }
                _ = try Archive(reading: try graph.data())
                count += 1
            }
        }
        #expect(count > 500)
    }

    /// The ways to all values below one, each object met once.
    private func places(in root: ArchivedValue) throws -> [ArchivePath] {
        var places: [ArchivePath] = []
        var pending = [root]
        var met: Set<Int> = []
        while let value = pending.popLast() {
            if let index = value.index, !met.insert(index).inserted { continue }
            let parts: [ArchivedValue] =
                switch try value.content() {
                case .array(let elements), .set(let elements): elements
                case .dictionary(let entries): entries.map(\.value)
                case .object(let object): object.fields.map(\.value)
                default: []
                }
            places += parts.map(\.path)
            pending += parts
        }
        return places
    }
}

extension Archive {
    /// The index of the object at the end of a path.
    fileprivate func object(at path: ArchivePath) throws -> Int { try value(at: path).index ?? 0 }
}
