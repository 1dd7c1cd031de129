import Foundation
import TestSupport
import Testing

@Suite("The page about an import in a browser", .enabled(if: Browser.path != nil), .timeLimit(.minutes(10)))
struct ReportBrowserTests {
    /// A page about a folder with archives of several classes and years, damaged ones, conflicts, and names that are markup.
    private func page(in folder: TemporaryDirectory) async throws -> String {
        let tool = try Tool()
        for uid in 1...40 {
            let isOther = uid % 8 == 0
            let name = "old/<b>\(uid % 4)</b>/\(uid).data"
            try tool.folder.write(
                XMLArchive.bytes(
                    isOther ? "HWAccount" : "Account",
                    [
                        "access_token": "2.00SECRET\(uid)", "expires_in": 31_536_000,
                        isOther ? "name" : "remind_in": 5, "uid": uid == 39 ? 1 : uid,
                    ]
                ),
                to: name
            )
            try setModificationTime(of: tool.folder.path(of: name), to: 1_700_000_000 + Int64(uid) * 6_000_000)
        }
        try tool.folder.write(Array("bplist00".utf8), to: "old/damaged \"&<img src=x>.data")
        try tool.folder.write(Array("hello".utf8), to: "old/" + String(repeating: "a-long-name-", count: 12))
        let run = await tool("import", tool.folder.path(of: "old"), "--report", "-")
        #expect(run.status == 2)
        return try folder.write(run.output, to: "page.html")
    }

    @Test("it is shown without a word on the console, and is no empty page")
    func asItIs() async throws {
        let browser = Browser(folder: try TemporaryDirectory())
        let page = try await page(in: browser.folder)
        for isDark in [false, true] {
            let view = Browser.View(width: 1_100, isDark: isDark)
            let (document, console) = try await browser.open("file://\(page)", view)
            #expect(console == [])
            #expect(document.contains("</footer>"))
            #expect(document.ranges(of: "<img").isEmpty)
            let picture = try await browser.picture(of: "file://\(page)", view)
            #expect(picture.starts(with: [0x89] + Array("PNG".utf8)))
            // An empty page of this size has a tenth of that.
            #expect(picture.count > 60_000)
        }
    }

    @Test("what a page does wrong is noticed")
    func control() async throws {
        let browser = Browser(folder: try TemporaryDirectory())
        let wrong = """
            <!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <body style="background: #fff; color: #999"><img src="file:///nowhere.png"><p style="width: 200vw">pale</p>
            <svg><text y="20">one</text><text y="22" x="2">two</text></svg></body>
            """
        let plain = try browser.folder.write(Array(wrong.utf8), to: "wrong.html")
        let view = Browser.View(width: 800, isDark: false)
        #expect(try await !browser.open("file://\(plain)", view).console.isEmpty)
        let probe = try await probe(wrong, browser, view)
        #expect(probe.overflow > 700)
        #expect(probe.contrast < 3 && probe.palest == "pale")
        #expect(probe.overlaps == ["one / two"])
    }

    @Test(
        "its figures are there for the reader, each text stands out from its background, and nothing is cut off",
        arguments: [1_100, 390].flatMap { width in
            [false, true].map { Browser.View(width: width, isDark: $0) }
        }
    )
    func figures(view: Browser.View) async throws {
        let browser = Browser(folder: try TemporaryDirectory())
        let page = try await page(in: browser.folder)
        let probe = try await probe(try String(contentsOfFile: page, encoding: .utf8), browser, view)
        for figure in [
            "Done, but 6 files were refused.", "42 files = 35 imported + 0 skipped", "+ 1 passed over", "+ 6 refused",
            "35 accounts = 34 inserted + 1 updated", "5 files, accepted with --class HWAccount --missing remind_in=0",
            "truncated 1 file", "damaged \"&<img src=x>.data", "Of the tokens of 35 accounts", "<b>1</b>/1.data",
        ] { #expect(probe.text.contains(figure), "\(figure)") }
        #expect(!probe.text.contains("SECRET"))
        #expect(probe.width <= Double(max(view.width, 500)))
        #expect(probe.overflow == 0)
        #expect(probe.background == (view.isDark ? "rgb(20, 23, 27)" : "rgb(255, 255, 255)"))
        #expect(probe.contrast >= 4.5, "\(probe.palest)")
        #expect(probe.overlaps == [])
        #expect(probe.fetched == [])
        #expect(probe.bars.count > 20)
        #expect(probe.bars.allSatisfy { $0.width > 1 && $0.height > 1 })
        let counts = probe.bars.compactMap { $0.title.split(separator: " ").dropLast().last.flatMap { Double($0) } }
        #expect(counts.reduce(0, +) == 35)
        let most = try #require(counts.max())
        let highest = try #require(probe.bars.map(\.height).max())
        for (bar, count) in zip(probe.bars, counts) { #expect(abs(bar.height - highest * count / most) < 1.5) }
    }

    @Test("it prints on a few sheets")
    func printing() async throws {
        let browser = Browser(folder: try TemporaryDirectory())
        let page = try await page(in: browser.folder)
        let document = try await browser.print("file://\(page)")
        #expect(document.starts(with: "%PDF-".utf8))
        let sheets = String(decoding: document, as: UTF8.self).matches(of: #/\/Type ?\/Page\b/#).count
        #expect((2...5).contains(sheets), "\(sheets)")
    }

    private func probe(_ markup: String, _ browser: Browser, _ view: Browser.View) async throws -> PageProbe {
        let file = try browser.folder.write(Array(PageProbe.inserted(into: markup).utf8), to: "probe.html")
        return try PageProbe(document: try await browser.open("file://\(file)", view).document)
    }
}
