import Testing

@testable import KeyedArchive

@Suite("What is no property list")
struct FileSignatureTests {
    private func error(_ bytes: [UInt8]) -> ArchiveError? {
        do {
            _ = try PropertyList(reading: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a file of another kind is called by its name",
        arguments: [
            ("{\"access_token\":\"2.00\"}", "JSON"), ("[1, 2]", "JSON"), ("{}", "JSON"),
            ("\u{FEFF} {\"a\": {\"b\": \"=\"}}", "JSON"),
            ("{ a = b; }", "OpenStep"), ("{\n\"a b\\\"\" = c; }", "OpenStep"), ("(a, b)", "OpenStep"),
            ("/* c */ a = b;", "OpenStep"),
            ("<0fbd77 1c2735ae>", "OpenStep"), ("SQLite format 3\0", "SQLite"), ("-----BEGIN CERTIFICATE-----", "PEM"),
            ("YnBsaXN0MDDUAQID", "base64"), ("\n YnBsaXN0MDDUAQID", "base64"), ("PD94bWwgdmVyc2lvbj0", "base64"),
            ("PK\u{3}\u{4}x", "zip"), ("<!DOCTYPE html><html>", "HTML"), ("<!doctype HTML>", "HTML"),
            ("<HTML><body>", "HTML"),
            ("<svg/>", "<svg>"), ("hello", "68 65 6C 6C"), (" \n", "white space"), ("\0\0\0\0", "4 zero bytes"),
            ("\0", "1 zero byte"),
            ("%PDF-1.4", "PDF"), ("x", "78"),
        ]
    )
    func kinds(text: String, name: String) {
        let error = error(Array(text.utf8))
        #expect(error?.code == .notAPropertyList)
        #expect(error?.reason.contains(name) == true, "\(error?.reason ?? "")")
    }

    @Test("a compressed file is called by its name")
    func gzip() {
        #expect(error([0x1F, 0x8B, 8, 0])?.reason.contains("gzip") == true)
    }

    @Test("JSON is pointed to the command that takes it")
    func json() {
        #expect(error(Array("{\"uid\":1}".utf8))?.reason.contains("accounts add") == true)
    }

    @Test(
        "another version of the binary format is named",
        arguments: [
            ("bplist15", "15"), ("bplist16", "16"), ("bplist01", "01"), ("bplist1?", "0x31 0x3F"),
            ("bplist\0\0", "0x00"),
        ]
    )
    func versions(text: String, name: String) {
        let error = error(Array(text.utf8) + [UInt8](repeating: 0, count: 60))
        #expect(error?.code == .unsupportedVersion)
        #expect(error?.reason.contains(name) == true)
    }

    @Test("archives of the unkeyed archiver are named, of either byte order")
    func streamtyped() {
        #expect(error(Array("\u{4}\u{b}streamtyped".utf8) + [0x81, 0xE8, 0x03])?.code == .oldArchiver)
        #expect(error(Array("\u{4}\u{b}typedstream".utf8) + [0x81, 0x03, 0xE8])?.code == .oldArchiver)
    }

    @Test("no more than four bytes of an unknown file are shown, since it may hold a token")
    func secrets() {
        let token = "2.00ABCDEFGH"
        #expect(error(Array(token.utf8))?.description.contains("41") == false)
        #expect(error(Array(token.utf8))?.description.contains(token) == false)
    }
}
