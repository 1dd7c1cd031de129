import AccountStorage
import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountsCommand

@Suite("Text for terminals and shells")
struct TextTests {
    @Test(
        "what would break a line or steer a terminal is escaped",
        arguments: [
            ("plain text", "plain text"), ("中文 é 😀", "中文 é 😀"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("\u{1B}[31m", "\\u{1B}[31m"), ("\u{202E}x", "\\u{202E}x"), ("\u{2028}", "\\u{2028}"), ("\0", "\\u{0}"),
        ]
    )
    func line(text: String, shown: String) {
        #expect(DisplayText.line(text) == shown)
    }

    @Test("text in quotation marks tells its own quotation marks from its ends")
    func quoted() {
        #expect(DisplayText.quoted(#"a"b\c"#) == #""a\"b\\c""#)
    }

    @Test("a path that is no text is shown byte by byte")
    func path() {
        #expect(
            DisplayText.path(FilePath(bytes: [0x61, 0xFF, 0xC3, 0xA9, 0x0A, 0xE4, 0xB8])) == "a\\xFFé\\n\\xE4\\xB8"
        )
    }

    @Test(
        "a word comes through a shell as it is",
        arguments: [
            "plain", "a b", "it's", "*", "$HOME", "", "a=b", "\"", "\\", "中文", "a\nb", "\u{7}'\\", "!", "~", "-x",
        ]
    )
    func shell(word: String) async throws {
        let folder = try TemporaryDirectory()
        var process = ChildProcess(program: "/bin/bash", arguments: ["-c", "printf %s \(Shell.quote(word))"])
        process.output = folder.path(of: "out")
        #expect(try await process.run() == 0)
        #expect(try String(contentsOfFile: process.output, encoding: .utf8) == word)
    }

    @Test("plain words need no quotation marks")
    func plainWords() {
        #expect(Shell.quote("remind_in=0") == "remind_in=0")
        #expect(Shell.quote("WDKWeiBo.UserAccount") == "WDKWeiBo.UserAccount")
        #expect(Shell.quote("*Account") == "'*Account'")
    }

    @Test("a table is as wide as its first rows need, and Chinese takes two columns")
    func table() {
        var table = TextTable([("A", .left), ("B", .right), ("C", .left)])
        #expect(table.add(["中文", "1", "x"]) == [])
        #expect(table.add(["abc", "1000", ""]) == [])
        #expect(table.takeLines() == ["A        B  C", "中文     1  x", "abc   1000"])
        #expect(table.add(["longer than before", "2", "y"]) == ["longer than before     2  y"])
    }

    @Test("a progress line is cut to the width of the terminal")
    func progress() {
        let sink = MemorySink(isTerminal: true)
        ProgressLine(sink).show(String(repeating: "中", count: 100))
        #expect(String(decoding: sink.bytes, as: UTF8.self) == "\r\u{1B}[K" + String(repeating: "中", count: 39))
    }
}

@Suite("The tree of a value")
struct ValueTreeTests {
    @Test("every kind of value has its line")
    func kinds() {
        var tree = ValueTree(usesColour: false)
        let object = Value.ObjectValue(
            className: "B",
            classes: ["B", "A", "NSObject"],
            fields: ["self": .reference(3)]
        )
        let value: Value = [
            "a": [.null, .bool(false), 1.5, .wideInteger(1 << 100)], "b": .data([0, 255]), "c": .object(object),
            "d": .pairs([.init(key: 1, value: "x")]), "e": .decimal("1e999"), "f\n": [:],
            "g": .data([UInt8](repeating: 7, count: 17)),
        ]
        #expect(
            tree.draw(value, label: "root") == [
                "root = dictionary of 7 entries",
                "  a = array of 4 elements",
                "    [0] = nil",
                "    [1] = false  (bool)",
                "    [2] = 1.5  (real)",
                "    [3] = 1267650600228229401496703205376  (integer of more than 64 bits)",
                "  b = 00 ff  (data, 2 bytes)",
                "  c = B : A : NSObject",
                "    self → #3  (met before)",
                "  d = dictionary of 1 entry",
                "    key [0] = 1  (integer)",
                "    value [0] = \"x\"  (text)",
                "  e = 1e999  (decimal)",
                "  f\\n = dictionary of 0 entries",
                "  g = 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 …  (data, 17 bytes)",
            ]
        )
    }

    @Test("a deep value is drawn without running out of stack or of width")
    func deep() {
        var tree = ValueTree(usesColour: false)
        var value: Value = 1
        for _ in 0..<2000 { value = [value] }
        let lines = tree.draw(value, label: "root")
        #expect(lines.count == 2001)
        #expect(lines.last == String(repeating: "  ", count: 24) + "(2000 deep) [0] = 1  (integer)")
    }
}
