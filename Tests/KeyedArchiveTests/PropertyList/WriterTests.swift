import Foundation
import Testing

@testable import KeyedArchive

@Suite("Writing property lists")
struct WriterTests {
    private func code(_ body: () throws(ArchiveError) -> [UInt8]) -> ArchiveError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    private func list(_ nodes: [PropertyList.Node], references: [Int] = []) -> PropertyList {
        var list = PropertyList(format: .binary)
        list.nodes = nodes
        list.references = references
        return list
    }

    @Test("what Apple's writer wrote is written again byte for byte")
    func sameBytes() throws {
        for path in try Fixtures.archives(in: "variants") + Fixtures.archives(in: "expected") {
            let bytes = try Fixtures.bytes(path)
            let list = try PropertyList(reading: bytes)
            #expect(try list.binary() == bytes, "\(path)")
            #expect(try list.binary(widths: .asRead) == bytes, "\(path)")
        }
    }

    @Test("integers take the fewest bytes, unless the width that was read is asked for and fits")
    func integers() throws {
        func object(_ value: Int128, width: UInt8 = 0, widths: BinaryPropertyListWriter.Widths = .minimal) throws
            -> [UInt8]
        {
            Array(try list([.integer(value, width: width)]).binary(widths: widths).dropFirst(8).dropLast(33))
        }
        #expect(try object(0) == [0x10, 0])
        #expect(try object(255) == [0x10, 255])
        #expect(try object(256) == [0x11, 1, 0])
        #expect(try object(65536) == [0x12, 0, 1, 0, 0])
        #expect(try object(1 << 32) == [0x13, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(try object(-1) == [0x13] + [UInt8](repeating: 255, count: 8))
        #expect(try object(Int128(Int64.min)) == [0x13, 0x80] + [UInt8](repeating: 0, count: 7))
        #expect(
            try object(Int128(UInt64.max)) == [0x14] + [UInt8](repeating: 0, count: 8)
                + [UInt8](repeating: 255, count: 8)
        )
        #expect(try object(Int128(Int64.min) - 1).first == 0x14)
        #expect(try object(7, width: 4) == [0x10, 7])
        #expect(try object(7, width: 4, widths: .asRead) == [0x12, 0, 0, 0, 7])
        #expect(try object(-1, width: 16, widths: .asRead) == [0x14] + [UInt8](repeating: 255, count: 16))
        #expect(try object(-1, width: 4, widths: .asRead).first == 0x13)
        #expect(try object(300, width: 1, widths: .asRead) == [0x11, 1, 44])
    }

    @Test("sizes of offsets and references that were read are kept on request", arguments: 1...8)
    func trailerSizes(width: Int) throws {
        let pad = [UInt8](repeating: 0, count: width - 1)
        let objects: [[UInt8]] = [[0xA2] + pad + [1] + pad + [2], [0x51, 0x6B], [0x12, 0, 0, 0, 1]]
        let bytes = BinaryBuilder.file(objects, offsetSize: width, referenceSize: width)
        let list = try PropertyList(reading: bytes)
        #expect(try list.binary(widths: .asRead) == bytes)
        #expect(try PropertyList(reading: list.binary()).trailer?.offsetSize == 1)
    }

    @Test("lists with more than 256 and 65,536 objects have wider references, and read back the same")
    func manyObjects() throws {
        for count in [255, 256, 65_535, 65_536] {
            let nodes = [.array(.init(start: 0, count: count))] + (0..<count).map { PropertyList.Node.text("\($0)") }
            let list = list(nodes, references: Array(1...count))
            let back = try PropertyList(reading: list.binary())
            #expect(back.nodes == nodes && back.references == list.references)
            #expect(back.trailer?.referenceSize == (count < 256 ? 1 : count < 65_536 ? 2 : 4))
        }
    }

    @Test("a table that no reader would take is refused by both writers")
    func refusals() {
        let array = PropertyList.Node.array(.init(start: 0, count: 1))
        let cases: [(PropertyList, ArchiveError.Code)] = [
            (list([]), .refOutOfRange),
            (list([array], references: [0]), .cycle),
            (list([array], references: [1]), .refOutOfRange),
            (list([array], references: [-1]), .refOutOfRange),
            (list([array]), .refOutOfRange),
            (list([.array(.init(start: -1, count: 1))], references: [0]), .refOutOfRange),
            (list([.array(.init(start: 0, count: .max))], references: [0]), .refOutOfRange),
            (list([.dictionary(.init(start: 0, count: .max))], references: [0]), .refOutOfRange),
            (list([.dictionary(.init(start: 0, count: 1)), .bool(true)], references: [1, 1]), .badKey),
            (list([.dictionary(.init(start: 0, count: 2)), .text("a")], references: [1, 1, 1, 1]), .duplicateKey),
        ]
        for (list, expected) in cases {
            #expect(code { () throws(ArchiveError) in try list.binary() } == expected)
            #expect(code { () throws(ArchiveError) in try list.xml() } == expected)
        }
    }

    @Test("values that XML has no form for are refused, and the binary format takes them")
    func xmlRefusals() throws {
        let run = PropertyList.Run(start: 0, count: 1)
        let cases: [(PropertyList, ArchiveError.Code)] = [
            (list([.text("a\0")]), .badString),
            (list([.text("\u{1B}")]), .badString),
            (list([.text("\u{FFFF}")]), .badString),
            (list([.set(.init(start: 0, count: 0))]), .badXML),
            (list([.date(.nan)]), .badXML),
            (list([.date(.infinity)]), .badXML),
            (list([.date(1e300)]), .badXML),
            (list([.uid(1 << 32)]), .uidOutOfRange),
            (list([.dictionary(run), .text("CF$UID"), .integer(1, width: 1)], references: [1, 2]), .badXML),
        ]
        for (list, expected) in cases {
            #expect(code { () throws(ArchiveError) in try list.xml() } == expected)
            #expect(throws: Never.self) { try PropertyList(reading: list.binary()) }
        }
    }

    @Test("objects that are shared manifold are refused in XML by the limit on bytes, not expanded")
    func sharedBomb() {
        var nodes: [PropertyList.Node] = []
        var references: [Int] = []
        for level in 0..<60 {
            nodes.append(.array(.init(start: 2 * level, count: 2)))
            references += [level + 1, level + 1]
        }
        nodes.append(.bool(true))
        let list = list(nodes, references: references)
        #expect(code { () throws(ArchiveError) in try list.binary() } == nil)
        #expect(code { () throws(ArchiveError) in try list.xml(limits: ArchiveLimits(bytes: 1 << 20)) } == .tooLarge)
    }

    @Test("XML in the encoding of the file that was read gives the same bytes")
    func encodings() throws {
        let list = list([.array(.init(start: 0, count: 2)), .text("é中😀&"), .uid(3)], references: [1, 2])
        for encoding in [
            XMLEncoding.utf8(byteOrderMark: false), .utf8(byteOrderMark: true),
            .utf16(bigEndian: true, byteOrderMark: true),
            .utf16(bigEndian: false, byteOrderMark: true), .utf16(bigEndian: false, byteOrderMark: false),
        ] {
            let bytes = try list.xml(encoding: encoding)
            let back = try PropertyList(reading: bytes)
            #expect(back.encoding == encoding)
            #expect(back.nodes == list.nodes)
            #expect(try back.xml(encoding: encoding) == bytes)
        }
    }

    @Test(
        "dates of any year are written as they are read",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
            (-63_145_612_800, "-001-12-31T00:00:00Z"), (252_423_993_600, "10000-01-01T00:00:00Z"),
        ] as [(Double, String)]
    )
    func dates(seconds: Double, text: String) throws {
        let bytes = try list([.date(seconds)]).xml()
        #expect(String(decoding: bytes, as: UTF8.self).contains("<date>\(text)</date>"))
        #expect(try PropertyList(reading: bytes).nodes == [.date(seconds.rounded(.down))])
    }
}
