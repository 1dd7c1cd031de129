import Foundation
import KeyValueCoding
import KeyedArchive

/// Archives of any class to graphs of values.
let graphBenchmarks = [
    Benchmark(
        "decode-graph",
        "binary archives to graphs of values; against PropertyListSerialization",
        reach: .atLeast(10)
    ) { settings in
        try await decodeGraphs(try GraphFiles.all(.binary), settings)
    },
    Benchmark("decode-xml", "the same archives in XML; against PropertyListSerialization", reach: .atLeast(5)) {
        settings in
        try await decodeGraphs(try GraphFiles.all(.xml), settings)
    },
]

/// One figure for all files: the time that the whole set takes, so that each file counts by its work.
private func decodeGraphs(_ files: [[UInt8]], _ settings: Settings) async throws -> [Figures] {
    let data = files.map { Data($0) }
    for index in files.indices {
        let archive = try Archive(reading: files[index])
        let foundation = try propertyList(data[index])
        let objects = (foundation["$objects"] as? [Any])?.count
        try check(objects == archive.objectCount, "Foundation reads another archive")
        try check(try archive.topValues().map(\.key) == archive.topKeys, "a name of $top is missing")
    }
    let passes = settings.amount(1000)
    return try await Comparison(
        unit: "archives/s",
        count: passes,
        perRound: max(1, passes / 10),
        operationsPerPiece: Double(files.count),
        baselineName: "PropertyListSerialization",
        ours: { part in
            var sum: UInt64 = 0
            for _ in part {
                for file in files {
                    let archive = try Archive(reading: file)
                    let values = try archive.topValues()
                    sum &+= UInt64(archive.objectCount + values.count)
                }
            }
            return sum
        },
        baseline: { part in
            var sum: UInt64 = 0
            for _ in part {
                for data in data {
                    let list = try propertyList(data)
                    let (objects, top) = (list["$objects"] as? [Any], list["$top"] as? [String: Any])
                    sum &+= UInt64((objects?.count ?? 0) + (top?.count ?? 0))
                }
            }
            return sum
        }
    ).run(settings, usually: 11)
}

private func propertyList(_ data: Data) throws -> [String: Any] {
    guard let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
        throw BenchmarkError("Foundation reads no dictionary")
    }
    return list
}

/// The archives: those of the repository, and a few that are made, with hundreds of objects.
enum GraphFiles {
    static func all(_ format: ArchiveFormat) throws -> [[UInt8]] {
        var files: [[UInt8]] = []
        for file in try repositoryFiles() + generated() {
            guard let archive = try? Archive(reading: file) else { continue }
            files.append(archive.format == format ? file : try archive.data(format: format))
        }
        try check(files.count >= 20, "only \(files.count) archives were found in the repository")
        return files
    }

    /// The samples of the repository that are whole.
    private static func repositoryFiles() throws -> [[UInt8]] {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let fixtures = "Tests/KeyedArchiveTests/Fixtures"
        let folders = ["\(fixtures)/expected", "\(fixtures)/variants", "Examples/LegacyArchives"]
        var files: [[UInt8]] = []
        for folder in folders {
            let folder = root.appending(path: folder)
            let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            for name in names.sorted() where [".data", ".archive", ".dat", ".plist"].contains(where: name.hasSuffix) {
                files.append(Array(try Data(contentsOf: folder.appending(path: name))))
            }
        }
        return files
    }

    /// Documents as apps archive them: objects in collections, with texts, numbers, dates and data, of 300 and more objects.
    private static func generated() throws -> [[UInt8]] {
        try [40, 60, 100].map { count in
            var random = SeededGenerator(seed: UInt64(count))
            let items = (0..<count).map { Value.object(item($0, using: &random)) }
            return try Archive.data(
                archiving: ArchivedClass(name: "Document"),
                fields: [
                    ArchiveField("items", .array(items)),
                    ArchiveField("version", .integer(3), encoding: .inline),
                    ArchiveField("title", .text("Notes of \(count) days")),
                    ArchiveField(
                        "settings",
                        .dictionary(["theme": .text("dark"), "size": .integer(14), "wide": .bool(true)])
                    ),
                ]
            )
        }
    }

    private static func item(_ number: Int, using random: inout SeededGenerator) -> Value.ObjectValue {
        let fields: [String: Value] = [
            "identifier": .integer(Int64.random(in: 0..<1 << 40, using: &random)),
            "title": .text("Item \(number) of the list"),
            "note": .text(number % 3 == 0 ? "一些文字 \(number)" : "Some text that is longer than a title: \(number)"),
            "created": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)),
            "done": .bool(number % 2 == 0),
            "weight": .real(Double.random(in: 0..<1, using: &random)),
            "tags": .array([.text("tag \(number % 7)"), .text("all")]),
            "hash": .data((0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }),
        ]
        return Value.ObjectValue(className: "Item", classes: ["Item", "NSObject"], fields: fields)
    }
}
