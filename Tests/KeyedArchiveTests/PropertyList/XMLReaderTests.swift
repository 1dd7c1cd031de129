import Testing

@testable import KeyedArchive

@Suite("Reading XML property lists")
struct XMLReaderTests {
    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private func read(_ text: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) -> PropertyList {
        try PropertyList(reading: Array(text.utf8), limits: limits)
    }

    private func top(_ element: String) throws(ArchiveError) -> PropertyList.Node {
        try read(Self.header + element + "\n</plist>\n").nodes[0]
    }

    private func code(_ text: String, limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Code? {
        do {
            _ = try read(text, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    private func elementCode(_ element: String) -> ArchiveError.Code? {
        code(Self.header + element + "\n</plist>\n")
    }

    @Test(
        "text is kept to the letter, with entities, references and sections in place",
        arguments: [
            ("<string>a b</string>", "a b"),
            ("<string>  a\n\tb </string>", "  a\n\tb "),
            ("<string>a\r\nb</string>", "a\r\nb"),
            ("<string></string>", ""),
            ("<string/>", ""),
            ("<string />", ""),
            ("<string>&lt;&gt;&amp;&quot;&apos;</string>", "<>&\"'"),
            ("<string>a&lt;b&amp;&#x4e2d;&#128512;&#10;</string>", "a<b&中😀\n"),
            ("<string><![CDATA[<b>&amp;]]]></string>", "<b>&amp;]"),
            ("<string>a<![CDATA[]]>b<!-- c -->d<?e f?>g</string>", "abdg"),
            ("<string>a > b ]]</string>", "a > b ]]"),
            ("<string>中é\u{301}😀</string >", "中é\u{301}😀"),
            ("<string xml:space='preserve'> x </string>", " x "),
        ]
    )
    func texts(element: String, text: String) throws {
        guard case .text(let read) = try top(element) else {
            Issue.record("no text")
            return
        }
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test(
        "integers of either radix and sign are exact up to 128 bits",
        arguments: [
            ("0", 0), (" +1404376560 ", 1_404_376_560), ("-7", -7), ("\n\t12\n", 12), ("0x1F", 31), ("-0Xff", -255),
            ("007", 7), ("18446744073709551615", Int128(UInt64.max)), ("-9223372036854775808", Int128(Int64.min)),
            ("170141183460469231731687303715884105727", .max), ("-170141183460469231731687303715884105728", .min),
            ("1<!-- -->2", 12), ("&#49;2", 12),
        ] as [(String, Int128)]
    )
    func integers(text: String, value: Int128) throws {
        #expect(try top("<integer>\(text)</integer>") == .integer(value, width: 0))
    }

    @Test(
        "what is no integer is refused",
        arguments: [
            "", " ", "+", "-", "0x", "1 2", "1.0", "1e3", "0b1", "--1", "+-1", "a", "0xG", "１", "- 1",
            "170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
            String(repeating: "9", count: 100_000),
        ]
    )
    func notIntegers(text: String) {
        #expect(elementCode("<integer>\(text)</integer>") == .badXML)
    }

    @Test(
        "reals are exact, and the names of the special ones are known",
        arguments: [
            ("1.5", 1.5), ("-0.0", -0.0), ("1", 1), ("0.10000000000000001", 0.1), ("+1e300", 1e300),
            ("5e-324", .leastNonzeroMagnitude),
            ("inf", .infinity), ("+infinity", .infinity), ("-Infinity", -.infinity), (" 2.5E+1 ", 25), (".5", 0.5),
            ("1.7976931348623157e+308", .greatestFiniteMagnitude),
        ]
    )
    func reals(text: String, value: Double) throws {
        guard case .real(let read, single: false) = try top("<real>\(text)</real>") else {
            Issue.record("no real")
            return
        }
        #expect(read == value && read.sign == value.sign)
    }

    @Test("not-a-number is read as such")
    func notANumber() throws {
        guard case .real(let read, _) = try top("<real>nan</real>") else {
            Issue.record("no real")
            return
        }
        #expect(read.isNaN)
    }

    @Test(
        "what is no real is refused",
        arguments: ["", ".", "1e", "0x1p3", "1,5", "1e999", "infinit", "1 0", "e5", "--1"]
    )
    func notReals(text: String) {
        #expect(elementCode("<real>\(text)</real>") == .badXML)
    }

    @Test(
        "dates are seconds since 2001",
        arguments: [
            ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("2024-02-29T12:00:00Z", 730_900_800),
            ("0001-01-01T00:00:00Z", -63_113_904_000), ("0000-12-30T00:00:00Z", -63_114_076_800),
            ("1970-01-01T00:00:00Z", -978_307_200), (" 2001-01-01T00:00:01Z\n", 1),
        ] as [(String, Double)]
    )
    func dates(text: String, seconds: Double) throws {
        #expect(try top("<date>\(text)</date>") == .date(seconds))
    }

    @Test(
        "what is no date is refused",
        arguments: [
            "", "2001-01-01", "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z",
            "2001-01-01T00:60:00Z",
            "2001-01-01T00:00:60Z", "2001-1-1T00:00:00Z", "2001-01-01T00:00:00", "2001-01-01T00:00:00+01:00",
            "99999999999-01-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
        ]
    )
    func notDates(text: String) {
        #expect(elementCode("<date>\(text)</date>") == .badXML)
    }

    @Test("data is base64 with white space anywhere")
    func data() throws {
        #expect(try top("<data>\n\tAAEC\n\tAw==\n</data>") == .data([0, 1, 2, 3]))
        #expect(try top("<data>A A E C/w = =</data>") == .data([0, 1, 2, 255]))
        #expect(try top("<data></data>") == .data([]))
        #expect(try top("<data/>") == .data([]))
        #expect(try top("<data>AAE=</data>") == .data([0, 1]))
        #expect(try top("<data><![CDATA[AAE=]]></data>") == .data([0, 1]))
        for bad in ["A", "AA", "AAA", "AA=", "AAE==", "A===", "AAEC=", "AB==", "AAF=", "AA==AAEC", "A-_=", "A*AA"] {
            #expect(elementCode("<data>\(bad)</data>") == .badXML, "\(bad)")
        }
    }

    @Test("containers keep their order, shared keys and all, in document order")
    func containers() throws {
        let text =
            Self.header + "<dict><key>b</key><array><true/><false></false></array><key>a</key><dict/></dict></plist>"
        let list = try read(text)
        #expect(list.format == .xml)
        #expect(
            list.nodes == [
                .dictionary(.init(start: 2, count: 2)), .text("b"), .array(.init(start: 0, count: 2)), .bool(true),
                .bool(false), .text("a"), .dictionary(.init(start: 2, count: 0)),
            ]
        )
        #expect(list.references == [3, 4, 1, 5, 2, 6])
        let bytes = Array(text.utf8)
        let elements = list.sources.map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(elements[0].hasPrefix("<dict><key>b") && elements[0].hasSuffix("<dict/></dict>"))
        #expect(elements[1] == "<key>b</key>")
        #expect(elements[2] == "<array><true/><false></false></array>")
        #expect(Array(elements[3...]) == ["<true/>", "<false></false>", "<key>a</key>", "<dict/>"])
    }

    @Test("a dictionary of CF$UID alone with an integer is a UID, and any other is a dictionary")
    func uids() throws {
        func uid(_ value: String, extra: String = "") -> String {
            "<dict><key>CF$UID</key>\(value)\(extra)</dict>"
        }
        let list = try read(
            Self.header
                + "<array>\(uid("<integer>3</integer>"))<true/>\(uid("<integer>4294967295</integer>"))</array></plist>"
        )
        #expect(list.nodes == [.array(.init(start: 0, count: 3)), .uid(3), .bool(true), .uid(4_294_967_295)])
        #expect(elementCode(uid("<integer>-1</integer>")) == .uidOutOfRange)
        #expect(elementCode(uid("<integer>4294967296</integer>")) == .uidOutOfRange)
        #expect(try top(uid("<string>3</string>")) == .dictionary(.init(start: 0, count: 1)))
        #expect(
            try top(uid("<integer>3</integer>", extra: "<key>x</key><true/>")) == .dictionary(.init(start: 0, count: 2))
        )
    }

    @Test(
        "UTF-16 of either byte order gives the same list, and errors have their place in the file",
        arguments: [true, false]
    )
    func utf16(bigEndian: Bool) throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?><plist><array><string>é中😀</string></array></plist>"
        func encode(_ text: String) -> [UInt8] {
            ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return bigEndian ? [high, low] : [low, high]
            }
        }
        let list = try PropertyList(reading: encode(text))
        #expect(list.nodes[1] == .text("é中😀"))
        #expect(list.encoding == .utf16(bigEndian: bigEndian, byteOrderMark: true))
        #expect(try PropertyList(reading: Array(encode(text).dropFirst(2))).nodes == list.nodes)
        let damaged = encode(text.replacing("</array>", with: "<x/></array>"))
        let error = #expect(throws: ArchiveError.self) { try PropertyList(reading: damaged) }
        #expect(error?.byteOffset == 2 + 2 * 74)
        var lone = encode(text)
        lone.replaceSubrange(2 + 2 * 63..<2 + 2 * 63 + 2, with: bigEndian ? [0xDC, 0] : [0, 0xDC])
        #expect(throws: ArchiveError.self) { try PropertyList(reading: lone) }
        #expect(throws: ArchiveError.self) { try PropertyList(reading: encode(text).dropLast()) }
    }

    @Test("a byte order mark of UTF-8 is passed over and noted")
    func byteOrderMark() throws {
        let list = try read("\u{FEFF}" + Self.header + "<true/></plist>")
        #expect(list.nodes == [.bool(true)])
        #expect(list.encoding == .utf8(byteOrderMark: true))
    }

    @Test("an encoding that is not read is named")
    func encodings() {
        for name in ["ISO-8859-1", "UTF-16", "utf-32", "windows-1252", ""] {
            #expect(code("<?xml version='1.0' encoding='\(name)'?><plist><true/></plist>") == .badXML)
        }
        #expect(code("<?xml version='1.0' encoding='utf-8' standalone='yes'?><plist><true/></plist>") == nil)
        #expect(code("<?xml version='1.0'?><plist><true/></plist>") == nil)
    }

    @Test("bytes that are not UTF-8, and characters that XML forbids, are refused where they stand")
    func characters() throws {
        let (head, tail) = (Array("<plist><string>".utf8), Array("</string></plist>".utf8))
        for bad in [[0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3]]
            as [[UInt8]]
        {
            let error = #expect(throws: ArchiveError.self) { try PropertyList(reading: head + bad + tail) }
            #expect(error?.code == .badString)
            #expect(error?.byteOffset == head.count)
        }
        for bad in [[0x00], [0x01], [0x1F], [0xEF, 0xBF, 0xBE]] as [[UInt8]] {
            let error = #expect(throws: ArchiveError.self) { try PropertyList(reading: head + bad + tail) }
            #expect(error?.code == .badXML)
            #expect(error?.byteOffset == head.count)
        }
        for good in [[0x7F], [0xC2, 0x80], [0xEF, 0xBF, 0xBD], [0xF4, 0x8F, 0xBF, 0xBF]] as [[UInt8]] {
            #expect(throws: Never.self) { try PropertyList(reading: head + good + tail) }
        }
    }

    @Test("an error says where it is, by byte and by line")
    func places() throws {
        let error = #expect(throws: ArchiveError.self) { try read(Self.header + "<dict>\n<kez>a</kez></dict></plist>") }
        #expect(error?.byteOffset == Self.header.utf8.count + 7)
        #expect(error?.reason.hasPrefix("line 5: <kez>") == true)
    }
}
