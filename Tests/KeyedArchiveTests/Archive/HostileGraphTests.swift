import KeyValueCoding
import Testing

@testable import KeyedArchive

/// Archives that are small to send and large to hold, or lead nowhere: each is read, or refused, in time.
@Suite("Deep, wide, shared and cyclic archives")
struct HostileGraphTests {
    /// An archive of elements that refer to one another; each is given its own index.
    private func archive(count: Int, _ element: (Int) -> String) -> [UInt8] {
        let head = """
            <plist version="1.0"><dict><key>$version</key><integer>100000</integer><key>$archiver</key>
            <string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key>\(uid(2))</dict>
            <key>$objects</key><array><string>$null</string>
            <dict><key>$classname</key><string>Node</string></dict>
            """
        return Array(head.utf8) + (2..<(count + 2)).flatMap { Array(element($0).utf8) }
            + Array("</array></dict></plist>".utf8)
    }

    private func uid(_ index: Int) -> String { "<dict><key>CF$UID</key><integer>\(index)</integer></dict>" }

    private func object(_ fields: String) -> String { "<dict><key>$class</key>\(uid(1))\(fields)</dict>" }

    private func code(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Code? {
        do {
            _ = try Archive(reading: bytes, limits: limits).topValues()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a chain of objects is read down to the limit, and a longer one refused", .timeLimit(.minutes(10)))
    func deep() {
        func chain(_ count: Int) -> [UInt8] {
            archive(count: count) { object($0 < count + 1 ? "<key>next</key>\(uid($0 + 1))" : "") }
        }
        #expect(code(chain(100)) == nil)
        #expect(code(chain(20_000)) == .tooDeep)
    }

    @Test("objects in a ring, and one that is all of its own fields, end", .timeLimit(.minutes(10)))
    func cyclic() {
        let ring = archive(count: 200) {
            object("<key>next</key>\(uid($0 == 201 ? 2 : $0 + 1))<key>first</key>\(uid(2))")
        }
        #expect(code(ring) == nil)
        #expect(code(archive(count: 1) { _ in object((0..<50).map { "<key>f\($0)</key>\(uid(2))" }.joined()) }) == nil)
    }

    @Test("an object with very many elements is read", .timeLimit(.minutes(10)))
    func wide() throws {
        let count = 20_000
        let bytes = archive(count: 2) { index in
            index == 2
                ? object("<key>list</key><array>\(String(repeating: uid(3), count: count))</array>")
                : "<string>element</string>"
        }
        guard case .array(let list)? = try Archive(reading: bytes).rootObject().value(forKey: "list") else {
            Issue.record("no array")
            return
        }
        #expect(list.count == count)
        #expect(list.last == "element")
    }

    @Test("objects that contain each other twice over are given once each", .timeLimit(.minutes(10)))
    func shared() {
        let doubled = archive(count: 60) { index in
            object(index < 61 ? "<key>a</key>\(uid(index + 1))<key>b</key>\(uid(index + 1))" : "")
        }
        #expect(code(doubled) == nil)
    }

    @Test(
        "arrays in a field that contain each other twice over are refused before they fill memory",
        .timeLimit(.minutes(10))
    )
    func expanding() {
        // The dictionary of the account, its keys and values; then arrays that have the next one twice in them.
        var objects: [[UInt8]] = [
            [0xD4, 1, 2, 3, 4, 5, 6, 7, 10], text("$version"), text("$archiver"), text("$top"), text("$objects"),
            [0x12, 0, 1, 0x86, 0xA0], [0x5F, 0x10, 15] + Array("NSKeyedArchiver".utf8), [0xD1, 8, 9], text("root"),
            [0x80, 1], [0xA3, 11, 12, 16], text("$null"), [0xD2, 13, 14, 15, 19], text("$class"), text("field"),
            [0x80, 2], [0xD1, 17, 18], text("$classname"), text("Node"),
        ]
        for level in 0..<60 { objects.append([0xA2, UInt8(20 + level), UInt8(20 + level)]) }
        objects.append([0x10, 1])
        // Numbered depth first, the class comes after the field's value.
        let bytes = BinaryBuilder.file(objects)
        let limits = ArchiveLimits(references: 50_000, allowsGaps: true)
        #expect(code(bytes, limits) == .tooLarge)
    }

    private func text(_ text: String) -> [UInt8] { [0x50 + UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test(
        "a count that no file can hold is refused, whatever it counts",
        arguments: [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF]
    )
    func counts(marker: UInt8) {
        for length: [UInt8] in [
            [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x13] + [UInt8](repeating: 0xFF, count: 8),
            [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0x12, 0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            let bytes = BinaryBuilder.file([[0xA1, 1], [marker] + length + [1, 2, 3]])
            #expect(code(bytes) == .badLength)
        }
    }
}
