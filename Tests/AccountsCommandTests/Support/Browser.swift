import Foundation
import TestSupport

/// A browser without a window, that opens pages of a folder.
struct Browser {
    /// How a page is looked at.
    struct View: Sendable, CustomStringConvertible {
        var width: Int
        var height = 1_600
        var isDark: Bool

        var description: String { "\(width) wide, \(isDark ? "dark" : "light")" }
        fileprivate var arguments: [String] {
            ["--window-size=\(width),\(height)", "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)"]
        }
    }

    /// The program; nil where there is none.
    static let path: String? = {
        let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
        let folders = ["/usr/bin", "/usr/local/bin", "/bin"]
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    let folder: TemporaryDirectory

    /// The document that a page has become, and what it has said on its console.
    func open(_ page: String, _ view: View) async throws -> (document: String, console: [String]) {
        let (output, errors) = try await run(["--dump-dom"] + view.arguments + [page])
        return (output, errors.split(separator: "\n").filter { $0.contains("CONSOLE") }.map(String.init))
    }

    /// A picture of a page, as PNG.
    func picture(of page: String, _ view: View) async throws -> [UInt8] {
        let file = folder.path(of: "\(UUID().uuidString).png")
        _ = try await run(["--hide-scrollbars", "--screenshot=\(file)"] + view.arguments + [page])
        return try [UInt8](Data(contentsOf: URL(filePath: file)))
    }

    /// A page on paper, as PDF.
    func print(_ page: String) async throws -> [UInt8] {
        let file = folder.path(of: "\(UUID().uuidString).pdf")
        _ = try await run(["--no-pdf-header-footer", "--print-to-pdf=\(file)", page])
        return try [UInt8](Data(contentsOf: URL(filePath: file)))
    }

    private func run(_ arguments: [String]) async throws -> (output: String, errors: String) {
        let profile = folder.path(of: "profile-\(UUID().uuidString)")
        let options = [
            // Its own sandbox needs more rights than a container gives.
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--user-data-dir=\(profile)",
            "--enable-logging=stderr",
        ]
        var process = ChildProcess(program: Self.path ?? "", arguments: options + arguments, folder: folder.path)
        process.output = profile + ".out"
        process.errors = profile + ".err"
        let status = try await process.run()
        let errors = String(decoding: try Data(contentsOf: URL(filePath: process.errors)), as: UTF8.self)
        guard status == 0 else { throw Unexpected(what: "the browser ended with \(status): \(errors)") }
        return (String(decoding: try Data(contentsOf: URL(filePath: process.output)), as: UTF8.self), errors)
    }
}
