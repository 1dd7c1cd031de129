import Foundation
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Walking folders")
struct FileWalkerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ names: [String]) throws {
        for name in names {
            let path = FilePath(folder.path).appending(name)
            try FileWriter.makeFolder(path.parent)
            try FileWriter.write([1], to: path, syncs: false)
        }
    }

    private func walk(leavingOut excluded: String? = nil) throws -> [String] {
        let root = FilePath(folder.path)
        var walker = try FileWalker(root, leavingOut: excluded.map { $0.isEmpty ? root : root.appending($0) })
        var paths: [String] = []
        while let entry = walker.next() { paths.append(relative(entry)) }
        #expect(walker.takeFailures().isEmpty)
        return paths
    }

    private func relative(_ entry: FileWalker.Entry) -> String {
        String(decoding: entry.path.dropFirst(folder.path.utf8.count + 1), as: UTF8.self)
    }

    @Test("files come in the order of the bytes of their paths, those of folders among them")
    func order() throws {
        let names = [
            "a", "a-b/x", "a.data", "a/z", "b/c/d", "b/c.x", "b!/y", "zz", "é", "A", "a0", "aaaaaaaab", "aaaaaaaaa",
        ]
        try make(names.filter { $0 != "a" })
        let expected = names.filter { $0 != "a" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try walk() == expected)
        #expect(try walk(leavingOut: "b/c") == expected.filter { !$0.hasPrefix("b/c/") })
        #expect(try walk(leavingOut: "") == [])
    }

    @Test(
        "a folder with more names than memory is for gives all of them, once, in order",
        arguments: [1, 100, 700, 5_000]
    )
    func manyNames(limit: Int) throws {
        let names = (0..<150).map { "file-\(($0 * 7_919) % 10_007)" } + ["sub/x", "sub.y"]
        try make(names)
        var found = try FolderNames(FilePath(folder.path), limit: limit)
        var all: [String] = []
        while let (name, kind) = try found.next() {
            all.append(String(decoding: name, as: UTF8.self) + (kind == .folder ? "/" : ""))
        }
        let expected = (names.filter { !$0.contains("/") } + ["sub/"]).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        #expect(all == expected)
    }

    @Test("what is no file is met, and a link to a folder is not followed")
    func otherThings() throws {
        try make(["real/x"])
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "real"))
        try manager.createSymbolicLink(atPath: folder.path(of: "lost"), withDestinationPath: "nowhere")
        #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        var walker = try FileWalker(FilePath(folder.path))
        var others: [String] = []
        while let entry = walker.next() {
            if !entry.isRegular { others.append(relative(entry)) }
        }
        #expect(others == ["link", "lost", "pipe"])
    }

    @Test("a folder that goes while the walk is under way is a failure, and the walk goes on")
    func vanishing() throws {
        try make(["a/x", "b/y", "c"])
        var walker = try FileWalker(FilePath(folder.path))
        #expect(walker.next().map(relative) == "a/x")
        try FileManager.default.removeItem(atPath: folder.path(of: "b"))
        #expect(walker.next().map(relative) == "c")
        #expect(walker.takeFailures().map(\.path.name) == [Array("b".utf8)])
    }
}
