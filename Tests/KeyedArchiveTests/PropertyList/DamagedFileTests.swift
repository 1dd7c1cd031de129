import Testing

@testable import KeyedArchive

/// Damaged and hostile files, at the level of the property list.
@Suite("Damaged property lists")
struct DamagedFileTests {
    /// What the table of failures calls differently from the error's code.
    private static let aliases = ["notAPlist": "notAPropertyList", "oldNSArchiver": "oldArchiver"]

    /// The codes of the table that the property list layer gives; the others are for the layers above.
    private static let ownCodes: Set<ArchiveError.Code> = [
        .empty, .notAPropertyList, .truncated, .badTrailer, .badOffsetTable, .offsetOutOfRange, .badLength, .badString,
        .unsupportedMarker, .refOutOfRange, .cycle, .tooDeep, .badXML, .entityForbidden, .oldArchiver,
    ]

    private static func code(of expectation: String) -> ArchiveError.Code? {
        guard expectation.hasPrefix("error:") else { return nil }
        let word = expectation.dropFirst(6).prefix { $0.isLetter }
        return ArchiveError.Code(rawValue: aliases[String(word)] ?? String(word))
    }

    @Test("every file of the table of damaged archives gives its code, or reads if the damage lies higher")
    func table() throws {
        let rows = try Fixtures.expectations()
        #expect(rows.count > 80)
        for row in rows {
            let bytes = try Fixtures.bytes("bad/\(row.file)")
            var expected = Self.code(of: row.expect).flatMap { Self.ownCodes.contains($0) ? $0 : nil }
            if row.file == "xml_uid_negative.data" { expected = .uidOutOfRange }
            if row.file == "empty.data" { expected = .empty }
            #expect(outcome(of: bytes) == expected, "\(row.file): \(row.expect)")
        }
    }

    private func outcome(of bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Code? {
        do {
            _ = try PropertyList(reading: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "every file that is cut off says so",
        arguments: ["bad/valid_reference.data", "variants/13_Swift_WDK.data", "bad/bomb_nsarray_token.data"]
    )
    func truncations(path: String) throws {
        let bytes = try Fixtures.bytes(path)
        for length in 1..<bytes.count {
            #expect(outcome(of: Array(bytes.prefix(length))) == .truncated, "cut at \(length)")
        }
    }

    @Test("bytes after the trailer are counted")
    func trailingBytes() throws {
        let good = try Fixtures.bytes("bad/valid_reference.data")
        let error = #expect(throws: ArchiveError.self) { try PropertyList(reading: good + [1, 2, 3]) }
        #expect(error?.code == .badTrailer)
        #expect(error?.byteOffset == good.count)
        #expect(error?.reason.contains("3 bytes follow") == true)
    }

    @Test("a limit that is exceeded is named")
    func limits() throws {
        let good = try Fixtures.bytes("bad/valid_reference.data")
        let list = try PropertyList(reading: good)
        #expect(outcome(of: good, limits: ArchiveLimits(bytes: 282)) == nil)
        #expect(outcome(of: good, limits: ArchiveLimits(bytes: 281)) == .tooLarge)
        #expect(outcome(of: good, limits: ArchiveLimits(objects: 29)) == nil)
        #expect(outcome(of: good, limits: ArchiveLimits(objects: 28)) == .tooLarge)
        #expect(outcome(of: good, limits: ArchiveLimits(depth: 4)) == nil)
        #expect(outcome(of: good, limits: ArchiveLimits(depth: 3)) == .tooDeep)
        #expect(outcome(of: good, limits: ArchiveLimits(references: list.references.count - 1)) == .tooLarge)
        #expect(outcome(of: good, limits: ArchiveLimits(objects: -1)) == .tooLarge)
        #expect(
            outcome(of: good, limits: ArchiveLimits(bytes: .max, objects: .max, depth: .max, references: .max)) == nil
        )
    }

    @Test("the depth limit counts containers, and one level more is refused", arguments: [1, 2, 511, 512])
    func depth(levels: Int) throws {
        let bytes = BinaryBuilder.nestedArrays(levels)
        #expect(outcome(of: bytes, limits: ArchiveLimits(depth: levels)) == nil)
        #expect(outcome(of: bytes, limits: ArchiveLimits(depth: levels - 1)) == .tooDeep)
        let backwards = BinaryBuilder.nestedArrays(levels, innermostFirst: true)
        #expect(outcome(of: backwards, limits: ArchiveLimits(depth: levels)) == nil)
        #expect(outcome(of: backwards, limits: ArchiveLimits(depth: levels - 1)) == .tooDeep)
    }

    @Test("a megabyte of nested arrays, forwards or backwards, is refused at once")
    func deepNesting() {
        for innermostFirst in [false, true] {
            let bytes = BinaryBuilder.nestedArrays(200_000, innermostFirst: innermostFirst)
            #expect(outcome(of: bytes) == .tooDeep)
        }
    }

    @Test("a cycle is found whatever the order of the objects, also where nothing leads to it")
    func cycles() {
        #expect(outcome(of: BinaryBuilder.file([[0xA1, 1], [0xA1, 0]])) == .cycle)
        #expect(outcome(of: BinaryBuilder.file([[0xA1, 0]])) == .cycle)
        #expect(outcome(of: BinaryBuilder.file([[0x09], [0xA1, 2], [0xA1, 1]])) == .cycle)
        #expect(outcome(of: BinaryBuilder.file([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 0]])) == .cycle)
        #expect(outcome(of: BinaryBuilder.file([[0xA2, 1, 1], [0xA0]])) == nil)
    }

    @Test("objects stand in their order, and may not overlap, repeat an offset or leave a gap")
    func layout() {
        let objects: [[UInt8]] = [[0xA2, 1, 2], [0x09], [0x10, 5]]
        let swapped = BinaryBuilder.file(objects, order: [2, 0, 1])
        let lenient = ArchiveLimits(allowsGaps: true)
        #expect(outcome(of: swapped, limits: lenient) == nil)
        for bytes in [
            swapped,
            BinaryBuilder.file(objects, gapAfter: 0),
            BinaryBuilder.file(objects, gapAfter: 2),
            BinaryBuilder.file(objects, tablePadding: 3),
            BinaryBuilder.file(objects, offsets: [8, 11, 11]),
            BinaryBuilder.file([[0xA2, 1, 2], [0x42, 0x09, 0x09]], offsets: [8, 11, 12]),
        ] {
            #expect(outcome(of: bytes) == .badOffsetTable)
        }
        #expect(outcome(of: BinaryBuilder.file(objects, gapAfter: 0), limits: lenient) == nil)
        #expect(outcome(of: BinaryBuilder.file(objects, gapAfter: 2), limits: lenient) == nil)
        #expect(outcome(of: BinaryBuilder.file(objects, tablePadding: 3), limits: lenient) == nil)
        #expect(outcome(of: BinaryBuilder.file(objects, offsets: [8, 11, 11]), limits: lenient) == nil)
    }

    @Test("objects that overlap cannot take more memory than the limit on bytes")
    func overlapBomb() {
        let data: [UInt8] = [0x4F, 0x12, 0x00, 0x0F, 0x42, 0x40] + [UInt8](repeating: 0x09, count: 1_000_000)
        let offsets = [Int](repeating: 8, count: 100_000)
        let bytes = BinaryBuilder.file([data], offsets: offsets)
        #expect(outcome(of: bytes) == .badOffsetTable)
        #expect(outcome(of: bytes, limits: ArchiveLimits(allowsGaps: true)) == .tooLarge)
    }

    @Test("the first place of damage is given, with what stands there")
    func messages() throws {
        let error = #expect(throws: ArchiveError.self) {
            try PropertyList(reading: BinaryBuilder.file([[0xA2, 1, 2], [0x09], [0x76, 5]]))
        }
        #expect(error?.code == .unsupportedMarker)
        #expect(error?.byteOffset == 12)
        #expect(error?.reason.contains("object 2") == true)
        #expect(error?.reason.contains("0x76") == true)
    }
}
