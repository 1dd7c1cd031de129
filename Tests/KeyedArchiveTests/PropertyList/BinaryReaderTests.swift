import Foundation
import Testing

@testable import KeyedArchive

@Suite("Reading binary property lists")
struct BinaryReaderTests {
    private func node(_ object: [UInt8]) throws -> PropertyList.Node {
        try PropertyList(reading: BinaryBuilder.file([object])).nodes[0]
    }

    @Test("integers of 1, 2 and 4 bytes are unsigned, of 8 and 16 signed")
    func integers() throws {
        #expect(try node([0x10, 0xFF]) == .integer(255, width: 1))
        #expect(try node([0x11, 0xFF, 0xFE]) == .integer(65534, width: 2))
        #expect(try node([0x12, 0xFF, 0xFF, 0xFF, 0xFF]) == .integer(4_294_967_295, width: 4))
        #expect(try node([0x13] + [UInt8](repeating: 0xFF, count: 8)) == .integer(-1, width: 8))
        #expect(try node([0x13, 0x80] + [UInt8](repeating: 0, count: 7)) == .integer(Int128(Int64.min), width: 8))
        #expect(try node([0x14] + [UInt8](repeating: 0xFF, count: 16)) == .integer(-1, width: 16))
        let unsigned = [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)
        #expect(try node(unsigned) == .integer(Int128(UInt64.max), width: 16))
        #expect(try node([0x14, 0x80] + [UInt8](repeating: 0, count: 15)) == .integer(.min, width: 16))
    }

    @Test("reals, dates, bools, data and UIDs keep their value")
    func scalars() throws {
        #expect(try node([0x22, 0x3F, 0xC0, 0, 0]) == .real(1.5, single: true))
        #expect(try node([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]) == .real(1.5, single: false))
        #expect(try node([0x33, 0xC1, 0, 0, 0, 0, 0, 0, 0]) == .date(-131072))
        #expect(try node([0x08]) == .bool(false))
        #expect(try node([0x09]) == .bool(true))
        #expect(try node([0x43, 0, 1, 255]) == .data([0, 1, 255]))
        #expect(try node([0x40]) == .data([]))
        #expect(try node([0x80, 7]) == .uid(7))
        #expect(try node([0x82, 1, 0, 7]) == .uid(65543))
        #expect(try node([0x87] + [UInt8](repeating: 0xFF, count: 8)) == .uid(.max))
        #expect(try node([0x8F] + [UInt8](repeating: 0, count: 15) + [9]) == .uid(9))
        #expect(throws: ArchiveError.self) { try node([0x88, 1] + [UInt8](repeating: 0, count: 8)) }
    }

    @Test("text keeps every character, NUL and those beyond the first plane included")
    func texts() throws {
        #expect(try node([0x53, 0x61, 0, 0x62]) == .text("a\0b"))
        #expect(try node([0x50]) == .text(""))
        #expect(try node([0x64, 0x00, 0xE9, 0x4E, 0x2D, 0xD8, 0x3D, 0xDE, 0x00]) == .text("\u{E9}中😀"))
        #expect(try node([0x61, 0xFE, 0xFF]) == .text("\u{FEFF}"))
        let decomposed = try node([0x62, 0x00, 0x65, 0x03, 0x01])
        guard case .text(let text) = decomposed else {
            Issue.record("no text")
            return
        }
        #expect(Array(text.utf16) == [0x65, 0x301])
    }

    @Test(
        "a surrogate without its other half, or a byte that is not ASCII, is damage",
        arguments: [
            [0x61, 0xD8, 0x00], [0x61, 0xDC, 0x00], [0x62, 0xD8, 0x00, 0x00, 0x61], [0x62, 0xDC, 0x00, 0xD8, 0x00],
            [0x51, 0x80], [0x59, 1, 2, 3, 4, 5, 6, 7, 8, 0xC3],
        ] as [[UInt8]]
    )
    func badText(object: [UInt8]) {
        let error = #expect(throws: ArchiveError.self) { try node(object) }
        #expect(error?.code == .badString)
    }

    @Test("every width of offsets and references from 1 to 8 bytes is read", arguments: 1...8)
    func widths(width: Int) throws {
        let pad = [UInt8](repeating: 0, count: width - 1)
        let objects: [[UInt8]] = [
            [0xD1] + pad + [1] + pad + [2], [0x51, 0x6B], [0xC2] + pad + [3] + pad + [3], [0x09],
        ]
        let list = try PropertyList(
            reading: BinaryBuilder.file(objects, offsetSize: width, referenceSize: width)
        )
        #expect(list.nodes[0] == .dictionary(.init(start: 0, count: 1)))
        #expect(list.nodes[2] == .set(.init(start: 2, count: 2)))
        #expect(list.references == [1, 2, 3, 3])
        #expect(list.sources[0] == 8..<(9 + 2 * width))
    }

    @Test("a length may stand in 1, 2, 4 or 8 bytes, minimal or not", arguments: [0, 1, 2, 3])
    func lengths(power: Int) throws {
        let length = BinaryBuilder.bigEndian(3, width: 1 << power)
        #expect(try node([0x5F, 0x10 | UInt8(power)] + length + [0x61, 0x62, 0x63]) == .text("abc"))
    }

    @Test("the archiver's own words, and what differs from them in one character, are read as they are")
    func archiverWords() throws {
        let words = [
            "$top", "root", "$null", "$class", "NS.keys", "NS.time", "$version", "$objects", "$classes", "NSObject",
            "$archiver", "$classname", "NS.objects", "NSKeyedArchiver",
        ]
        func node(_ text: some Collection<UInt8>) throws -> PropertyList.Node {
            let count = UInt8(text.count)
            return try self.node((count < 15 ? [0x50 | count] : [0x5F, 0x10, count]) + text)
        }
        for word in words {
            let bytes = Array(word.utf8)
            #expect(try node(bytes) == .text(word))
            for position in bytes.indices {
                var other = bytes
                other[position] ^= 1
                #expect(try node(other) == .text(String(decoding: other, as: UTF8.self)))
            }
            #expect(try node(bytes.dropLast()) == .text(String(word.dropLast())))
        }
    }

    @Test("keys have to be texts, each once; equivalent texts of other code units are two keys")
    func keys() throws {
        func code(_ objects: [[UInt8]]) -> ArchiveError.Code? {
            do {
                _ = try PropertyList(reading: BinaryBuilder.file(objects))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code([[0xD1, 1, 1], [0x09]]) == .badKey)
        #expect(code([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]]) == .duplicateKey)
        #expect(code([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]]) == .duplicateKey)
        #expect(code([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x61, 0, 0x61], [0x09]]) == .duplicateKey)
        #expect(code([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x5F, 0x10, 1, 0x61], [0x09]]) == .duplicateKey)
        let long = [0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100)
        #expect(code([[0xD2, 1, 2, 3, 3], long, long, [0x09]]) == .duplicateKey)
        #expect(code([[0xD2, 1, 2, 3, 3], long, long.dropLast() + [0x62], [0x09]]) == nil)
        let composed: [[UInt8]] = [[0xD2, 1, 2, 3, 3], [0x61, 0, 0xE9], [0x62, 0, 0x65, 3, 1], [0x09]]
        #expect(code(composed) == nil)
    }

    @Test("a large dictionary is checked for keys that it has twice")
    func largeDictionary() {
        let count = 20_000
        var objects: [[UInt8]] = [[0xDF, 0x12] + BinaryBuilder.bigEndian(count, width: 4)]
        for half in [1, count + 1] {
            for index in 0..<count { objects[0] += BinaryBuilder.bigEndian(half == 1 ? index + 1 : half, width: 4) }
        }
        for index in 0..<count { objects.append([0x56] + Array(String(100_000 + index).utf8)) }
        objects.append([0x09])
        #expect(throws: Never.self) { try PropertyList(reading: BinaryBuilder.file(objects, referenceSize: 4)) }
        objects[19_000] = objects[5]
        let error = #expect(throws: ArchiveError.self) {
            try PropertyList(reading: BinaryBuilder.file(objects, referenceSize: 4))
        }
        #expect(error?.code == .duplicateKey)
    }

    @Test("a mapped file, a span and an array give the same list")
    func forms() throws {
        let bytes = try Fixtures.bytes("expected/normal.apple64-old.data")
        let list = try PropertyList(reading: bytes)
        #expect(try PropertyList(reading: bytes.span.bytes) == list)
        #expect(list.nodes.count == 29)
        #expect(list.top == 0)
        #expect(list.sources[18] == 0x88..<0x94)
        #expect(list.nodes[18] == .text("2.00ABCDEFG"))
        #expect(list.trailer?.tableStart == 0xDD)
    }
}
