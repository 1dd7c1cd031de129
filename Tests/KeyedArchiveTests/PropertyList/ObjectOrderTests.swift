import Testing

@testable import KeyedArchive

/// In which order a writer may number objects, and what nothing may refer to.
@Suite("The order of objects")
struct ObjectOrderTests {
    private static let a: [UInt8] = [0x51, 0x61]
    private static let b: [UInt8] = [0x51, 0x62]

    private func error(_ objects: [[UInt8]], top: Int = 0) throws -> ArchiveError? {
        let list = try PropertyList(reading: BinaryBuilder.file(objects, top: top))
        do {
            try ObjectOrder.check(list)
            return nil
        } catch {
            #expect(error.code == .badOffsetTable)
            return error
        }
    }

    @Test("keys before values, keys and values by turns, and containers before what is in them are accepted")
    func orders() throws {
        // {a: {b: 5}, b: 6}, as Apple, libplist and GNUstep number it.
        #expect(try error([[0xD2, 1, 2, 3, 5], Self.a, Self.b, [0xD1, 2, 4], [0x10, 5], [0x10, 6]]) == nil)
        #expect(try error([[0xD2, 1, 3, 2, 5], Self.a, [0xD1, 3, 4], Self.b, [0x10, 5], [0x10, 6]]) == nil)
        #expect(try error([[0xD2, 1, 2, 3, 4], Self.a, Self.b, [0xD1, 2, 5], [0x10, 6], [0x10, 5]]) == nil)
    }

    @Test("a reference out of order is named")
    func outOfOrder() throws {
        let swapped = try error([[0xD2, 1, 2, 4, 3], Self.a, Self.b, [0x10, 5], [0x10, 6]])
        #expect(swapped?.reason.contains("object 0 refers to object 4 before others") == true)
        // The 5 is referred to by both fields, in the end by one of them only, and so is no orphan.
        #expect(try error([[0xD2, 1, 2, 3, 3], Self.a, Self.b, [0x10, 5]]) == nil)
        #expect(try error([[0xD2, 1, 2, 2, 3], Self.a, Self.b, [0x10, 5]]) == nil)
        #expect(try error([[0xA1, 1], [0x10, 5], [0xA2, 0, 1]], top: 2)?.reason.contains("top object") == true)
    }

    @Test("an object that nothing refers to is named")
    func orphan() throws {
        let found = try error([[0xD2, 1, 2, 3, 3], Self.a, Self.b, [0x10, 5], [0x10, 6]])
        #expect(found?.reason.contains("nothing refers to object 4, an integer") == true)
        #expect(found?.byteOffset == 19)
        #expect(try error([[0xA2, 1, 1], [0x10, 5], [0x10, 5]]) != nil)
        #expect(try error([[0xA0], [0x10, 5]], top: 0) != nil)
        #expect(try error([[0xA1, 1], [0xA0]], top: 1) != nil)
    }

    @Test("a UID or a bool that Apple's writer repeats follows right on the reference, and is the same")
    func repeats() throws {
        #expect(try error([[0xA3, 1, 1, 3], [0x80, 5], [0x80, 5], [0x10, 1]]) == nil)
        #expect(try error([[0xA4, 1, 1, 3, 1], [0x09], [0x09], [0x10, 1], [0x09]]) == nil)
        // Other writers refer to the second one, or write none.
        #expect(try error([[0xA3, 1, 2, 3], [0x80, 5], [0x80, 5], [0x10, 1]]) == nil)
        #expect(try error([[0xA4, 1, 1, 2, 3], [0x80, 5], [0x80, 5], [0x10, 1]]) == nil)
        #expect(try error([[0xA3, 1, 1, 2], [0x80, 5], [0x10, 1]]) == nil)
        // Nothing refers to a repeat.
        #expect(try error([[0xA4, 1, 1, 3, 2], [0x80, 5], [0x80, 5], [0x10, 1]]) != nil)
        #expect(try error([[0xA3, 1, 1, 3], [0x80, 5], [0x80, 6], [0x10, 1]]) != nil)
        #expect(try error([[0xA3, 1, 3, 1], [0x80, 5], [0x80, 5], [0x10, 1]]) != nil)
        #expect(try error([[0xA2, 1, 1], [0x09], [0x08]]) != nil)
        #expect(try error([[0xA2, 1, 1], [0x10, 5], [0x10, 5]]) != nil)
    }

    @Test("a user's id that another number of the file took the place of is found, and the option for gaps accepts it")
    func option() throws {
        var bytes = try Fixtures.bytes("expected/normal.apple64-old.data")
        let list = try PropertyList(reading: bytes)
        for case (let index, .dictionary(let run)) in list.nodes.enumerated() {
            guard let uid = list.value(forKey: "uid", in: run), let life = list.value(forKey: "expires_in", in: run),
                let entry = list.references[(run.start + run.count)...].firstIndex(of: uid)
            else { continue }
            bytes[list.sources[index].upperBound - (run.start + 2 * run.count) + entry] = UInt8(life)
            let error = #expect(throws: ArchiveError.self) { try Archive(reading: bytes) }
            #expect(error?.reason.contains("nothing refers to object \(uid), an integer") == true)
            let archive = try Archive(reading: bytes, limits: ArchiveLimits(allowsGaps: true))
            #expect(try archive.rootObject().value(forKey: "uid") == archive.rootObject().value(forKey: "expires_in"))
        }
    }
}
