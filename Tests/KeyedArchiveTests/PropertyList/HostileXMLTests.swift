import TestSupport
import Testing

@testable import KeyedArchive

@Suite("Damaged and hostile XML")
struct HostileXMLTests {
    private func error(_ text: String, limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError? {
        do {
            _ = try PropertyList(reading: Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "entities are never followed",
        arguments: [
            "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><string>&x;</string></plist>",
            "<!DOCTYPE plist [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><plist><string>&b;</string></plist>",
            "<!DOCTYPE plist SYSTEM \"x.dtd\" [ ]><plist><true/></plist>",
            "<plist><!ENTITY x \"y\"><true/></plist>",
            "<plist><string>&x;</string></plist>",
            "<plist><string>&nbsp;</string></plist>",
            "<plist><string>&LT;</string></plist>",
        ]
    )
    func entities(text: String) {
        #expect(error(text)?.code == .entityForbidden)
    }

    @Test("a document type that refers to a file elsewhere is passed over, and the file never fetched")
    func documentType() {
        #expect(error("<!DOCTYPE plist SYSTEM \"file:///dev/zero\"><plist><true/></plist>") == nil)
        #expect(error("<!DOCTYPE plist PUBLIC 'a>b' 'http://localhost:1/'><plist><true/></plist>") == nil)
        #expect(error("<!DOCTYPE plist><!DOCTYPE plist><plist><true/></plist>")?.code == .badXML)
        #expect(error("<!DOCTYPE svg><svg/>")?.code == .notAPropertyList)
        #expect(error("<svg xmlns='http://www.w3.org/2000/svg'/>")?.code == .notAPropertyList)
    }

    @Test(
        "what is not well formed, or no property list, is refused",
        arguments: [
            "<dict></dict>", "<plist></plist>", "<plist/>", "<plist><true/><true/></plist>", "<plist>x<true/></plist>",
            "<plist><true/>x</plist>", "<plist><true/></plist>x", "<plist><true/></plist><plist/>",
            "<plist><true/></dict>",
            "<plist><array></dict></plist>", "<plist><array><true/></plist>", "<plist><string>a</strinG></plist>",
            "<plist><string><b>x</b></string></plist>", "<plist><string>a & b</string></plist>",
            "<plist><string>&;</string></plist>", "<plist><string>&#0;</string></plist>",
            "<plist><string>&#xD800;</string></plist>", "<plist><string>&#x110000;</string></plist>",
            "<plist><string>&#99999999999999999999;</string></plist>", "<plist><string>&#x;</string></plist>",
            "<plist><string>&#-5;</string></plist>", "<plist><string>&amp</string></plist>",
            "<plist><dict><key>a</key></dict></plist>", "<plist><dict><true/></dict></plist>",
            "<plist><dict><key>a</key><key>b</key></dict></plist>", "<plist><key>a</key></plist>",
            "<plist><array><key>a</key></array></plist>", "<plist><true>1</true></plist>", "<plist><plist/></plist>",
            "<plist><set/></plist>", "<plist><TRUE/></plist>", "<plist><true/ ></plist>", "<plist><true a></plist>",
            "<plist><true a=b/></plist>", "<plist><true a='<'/></plist>", "<plist>< true/></plist>", "</plist>",
            "<plist><!-- a -- b --><true/></plist>", "<plist><?xml version='1.0'?><true/></plist>",
            "<plist><![CDATA[x]]><true/></plist>", "<plist><true/></plist><![CDATA[]]>", "<plist><!x><true/></plist>",
            "<plist><true/></plist x>", "<plist><string>a</string><!DOCTYPE plist></plist>",
        ]
    )
    func malformed(text: String) {
        #expect(error(text)?.code == .badXML)
    }

    @Test("a key that a dictionary has twice is refused")
    func duplicateKey() {
        #expect(error("<plist><dict><key>a</key><true/><key>&#97;</key><true/></dict></plist>")?.code == .duplicateKey)
        #expect(error("<plist><dict><key>é</key><true/><key>e\u{301}</key><true/></dict></plist>") == nil)
    }

    @Test("a file that is cut off says so, wherever it ends")
    func truncations() {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x"><!-- c --><?p q?>
            <plist version="1.0"><dict><key>a&amp;</key><array><string>a<![CDATA[b]]>c</string><integer>1</integer>
            <data>AAEC</data><real>1.5</real><date>2001-01-01T00:00:00Z</date><true/><string>é</string></array></dict></plist>
            """
        let bytes = Array(text.utf8)
        #expect(error(text) == nil)
        for length in 1..<bytes.count {
            do {
                _ = try PropertyList(reading: Array(bytes.prefix(length)))
                Issue.record("read when cut at \(length)")
            } catch {
                // Half of a character is no text, which is seen first.
                #expect(error.code == .truncated || error.code == .badString, "cut at \(length): \(error)")
            }
        }
    }

    @Test(
        "what is never closed is found at the end of the file, in time",
        arguments: [
            "<!--", "<?x ", "<!DOCTYPE plist ", "<!DOCTYPE plist \"", "<plist ", "<plist a='", "<plist><string>",
            "<plist><string><![CDATA[",
            "<plist><!--", "<plist><string>&", "<plist><data>",
        ]
    )
    func unterminated(text: String) {
        #expect(error(text + String(repeating: "a", count: 1_000_000))?.code != nil)
    }

    @Test("nesting is held to the limit, of arrays and dictionaries, closed or not")
    func nesting() {
        let arrays = String(repeating: "<array>", count: 100_000)
        #expect(error("<plist>" + arrays)?.code == .tooDeep)
        #expect(error("<plist>" + String(repeating: "<dict><key>a</key>", count: 100_000))?.code == .tooDeep)
        func nested(_ depth: Int) -> String {
            "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
                + "</plist>"
        }
        #expect(error(nested(512)) == nil)
        #expect(error(nested(513))?.code == .tooDeep)
        #expect(error("<plist><array><array/></array></plist>", limits: ArchiveLimits(depth: 2)) == nil)
        #expect(error("<plist><array><array/></array></plist>", limits: ArchiveLimits(depth: 1))?.code == .tooDeep)
    }

    @Test("objects and references are held to their limits")
    func counts() {
        let text = "<plist><array>" + String(repeating: "<true/>", count: 9) + "</array></plist>"
        #expect(error(text, limits: ArchiveLimits(objects: 10)) == nil)
        #expect(error(text, limits: ArchiveLimits(objects: 9))?.code == .tooLarge)
        #expect(error(text, limits: ArchiveLimits(references: 10)) == nil)
        #expect(error(text, limits: ArchiveLimits(references: 9))?.code == .tooLarge)
    }

    @Test("random damage to XML is never more than an error")
    func randomEdits() throws {
        var generator = SeededGenerator(seed: 7)
        for path in ["bad/xml_entities_std.data", "bad/xml_bom_utf16.data"] {
            let good = try Fixtures.bytes(path)
            var failures = 0
            for _ in 0..<3_000 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let position = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    case 2: bytes.remove(at: position)
                    default:
                        bytes.insert(Array("<>&/!?;\"[]-".utf8).randomElement(using: &generator) ?? 0, at: position)
                    }
                }
                do { _ = try PropertyList(reading: bytes) } catch { failures += 1 }
            }
            #expect(failures > 1_500)
        }
    }

    @Test("a second document type is refused after Apple's own too")
    func secondDocumentType() {
        let type =
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\""
            + " \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        #expect(error("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(type)\n<plist><true/></plist>") == nil)
        #expect(error("\(type)\n\(type)<plist><true/></plist>")?.code == .badXML)
    }

    @Test("a control character is found at every place of a word, beside white space too")
    func controlCharacters() {
        for place in 0..<24 {
            for filling in ["a", "\n", "\t", "\u{7F}"] {
                let (head, tail) = (
                    String(repeating: filling, count: place), String(repeating: filling, count: 24 - place)
                )
                func text(_ middle: String) -> String { "<plist><string>\(head)\(middle)\(tail)</string></plist>" }
                for character in ["\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{E}", "\u{1F}"] {
                    #expect(error(text(character))?.code == .badXML)
                }
                for character in ["\t", "\n", "\r", " ", "é"] { #expect(error(text(character)) == nil) }
            }
        }
    }
}
