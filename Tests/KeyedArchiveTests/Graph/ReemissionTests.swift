import Testing

@testable import KeyedArchive

@Suite("Archives written back as they were read")
struct ReemissionTests {
    @Test(
        "an archive that was not changed gives its bytes again",
        arguments: try Fixtures.archives(in: "expected") + Fixtures.archives(in: "variants")
    )
    func fixtures(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        let archive = try Archive(reading: bytes)
        #expect(try ArchiveGraph(archive).data() == bytes)
        #expect(try archive.data(format: archive.format) == bytes)
    }

    /// The archives of which Apple's order of objects does not give the bytes again, and why.
    ///
    /// Another program than Foundation's archiver has put the objects of both into the file: each key stands before its value in
    /// the object table and not before the next key, `$classes` before `$classname`, equal keys are several objects, and references
    /// take two bytes where one would do.
    private static let rewritten = [
        "real/bpylist2__tests__fixture_data__dataclass_archive.plist",
        "real/bpylist2__tests__fixture_data__nsmutabledata_archive.plist",
    ]

    @Test("archives of other programs give their bytes again", .enabled(if: Corpus.folder != nil))
    func corpus() throws {
        var different: [String] = []
        var count = 0
        for file in try Corpus.files(in: ["expected", "variants", "real"]) {
            let bytes = try Corpus.bytes(file)
            // What is no archive, or damaged, is refused; which these are is checked from outside.
            guard let archive = try? Archive(reading: bytes) else { continue }
            count += 1
            // From the objects as they were found in the file.
            #expect(try ArchiveGraph(archive).data() == bytes, "\(file)")
            // From the graph, with the objects put into Apple's order.
            if try archive.data(format: archive.format) != bytes { different.append(file) }
        }
        #expect(different == Self.rewritten)
        #expect(count >= 80)
    }

    @Test(
        "a binary archive becomes the XML that Apple makes of it",
        .enabled(if: Corpus.folder != nil),
        arguments: ["dict", "nestedarrays", "onevalue", "primitives"]
    )
    func converted(name: String) throws {
        let folder =
            name == "dict" || name == "nestedarrays"
            ? "nska-go__fixtures__" : "go-ios__ios__nskeyedarchiver__fixtures__"
        let archive = try Archive(reading: try Corpus.bytes("real/\(folder)\(name).bin"))
        #expect(try archive.data(format: .xml) == Corpus.bytes("real/\(folder)\(name).xml"))
    }

    @Test("the archives that were rewritten show it", .enabled(if: Corpus.folder != nil))
    func reasons() throws {
        for file in Self.rewritten {
            let list = try PropertyList(reading: try Corpus.bytes(file))
            #expect(list.trailer?.referenceSize == 2)
            #expect(list.nodes.count < 256)
            for case .dictionary(let run) in list.nodes where run.count > 1 {
                let keys = Array(list.references[run.start..<(run.start + run.count)])
                // Something, a value, stands between one key and the next.
                #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 > $0 + 1 }, "\(file)")
            }
            let keys = list.nodes.filter { $0 == .text("$classname") }
            #expect(keys.count == (file.contains("dataclass") ? 2 : 1))
        }
    }
}
