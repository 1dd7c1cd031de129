import Testing

@testable import KeyedArchive

/// Archives whose objects and references do not agree.
@Suite("References of archives")
struct ReferenceCheckTests {
    private func archive(_ objects: String, root: Int = 1) -> [UInt8] {
        Array(
            """
            <plist version="1.0"><dict><key>$version</key><integer>100000</integer><key>$archiver</key>
            <string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key>\(uid(root))</dict>
            <key>$objects</key><array><string>$null</string>\(objects)</array></dict></plist>
            """.utf8
        )
    }

    private func uid(_ index: Int) -> String { "<dict><key>CF$UID</key><integer>\(index)</integer></dict>" }

    private func object(_ fields: String, class index: Int) -> String {
        "<dict><key>$class</key>\(uid(index))\(fields)</dict>"
    }

    private func description(_ name: String = "Thing", last: String = "NSObject", more: String = "") -> String {
        """
        <dict><key>$classname</key><string>Thing</string><key>$classes</key><array><string>\(name)</string>
        <string>\(last)</string></array>\(more)</dict>
        """
    }

    private func error(_ bytes: [UInt8]) -> ArchiveError? {
        do {
            _ = try Archive(reading: bytes)
            return nil
        } catch {
            return error
        }
    }

    private func field(_ index: Int) -> String { "<key>field</key>\(uid(index))" }

    @Test("an archive in which all is referred to as what it is")
    func good() {
        #expect(error(archive(object("", class: 2) + description())) == nil)
        #expect(error(archive(object(field(3), class: 2) + description() + "<string>text</string>")) == nil)
        #expect(error(archive(object("<key>field</key><array>\(uid(1))</array>", class: 2) + description())) == nil)
    }

    @Test("an object to which no reference leads is refused, and accepted by the option for gaps")
    func unused() throws {
        let bytes = archive(object(field(3), class: 2) + description() + "<string>a</string><string>b</string>")
        let error = error(bytes)
        #expect(error?.code == .badObjects)
        #expect(error?.objectIndex == 4)
        #expect(error?.reason.contains("no reference leads to object 4, text") == true)
        #expect(try Archive(reading: bytes, limits: ArchiveLimits(allowsGaps: true)).objectCount == 5)
    }

    @Test("a class is referred to by $class, and $class refers to nothing else")
    func classes() {
        let text = "<string>text</string>"
        #expect(error(archive(object(field(3), class: 3) + description() + text))?.code == .badClass)
        #expect(error(archive(object(field(2), class: 2) + description() + text))?.code == .badClass)
        #expect(error(archive(object(field(3), class: 0) + description() + text))?.code == .badClass)
        #expect(error(archive("<dict>\(field(2))</dict>" + text))?.code == .missingClass)
        #expect(error(archive("<dict><key>$class</key><string>Thing</string></dict>"))?.code == .badClass)
        #expect(error(archive(object("", class: 2) + description(), root: 2))?.code == .badClass)
    }

    @Test("the description of a class names it twice, and has no other keys")
    func descriptions() {
        #expect(error(archive(object("", class: 2) + description("Think")))?.code == .badClass)
        #expect(error(archive(object("", class: 2) + description(more: "<key>$x</key><true/>")))?.code == .badClass)
        #expect(error(archive(object("", class: 2) + description(last: "NSArray")))?.code == .badClass)
        #expect(error(archive(object("", class: 2) + description(last: "NSProxy"))) == nil)
        let hints = "<key>$classhints</key><array><string>Old</string></array>"
        #expect(error(archive(object("", class: 2) + description(more: hints))) == nil)
        let both = "<key>$class</key>\(uid(2))"
        #expect(error(archive(object("", class: 2) + description(more: both)))?.code == .badClass)
    }

    @Test("an object stands in $objects and nowhere else")
    func objectInAField() throws {
        // The account's remind_in, the last value of its dictionary, leads to the dictionary that describes its class.
        var bytes = try Fixtures.bytes("expected/nil.apple64-new.data")
        let list = try PropertyList(reading: bytes)
        let archive = try Archive(reading: bytes)
        bytes[list.sources[archive.element(1)].upperBound - 1] = UInt8(archive.element(2))
        let error = error(bytes)
        #expect(error?.code == .badOffsetTable)
        #expect(error?.reason.contains("a dictionary that is referred to twice") == true)
    }

    @Test("no element of $objects is a reference")
    func referenceAmongObjects() {
        #expect(error(archive(object("", class: 2) + description() + uid(1)))?.code == .badObjects)
    }
}
