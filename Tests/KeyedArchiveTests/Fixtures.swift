import Foundation

/// The files under Fixtures, found beside this source file.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// The bytes of the fixture at `path`, such as `bad/empty.data`.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The paths of all archives of a folder, in order.
    static func archives(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path(percentEncoded: false))
            .filter { $0.hasSuffix(".data") }
            .sorted()
            .map { "\(name)/\($0)" }
    }

    /// The rows of `bad/EXPECT.tsv`: file and what importing it gives.
    static func expectations() throws -> [(file: String, expect: String)] {
        try String(contentsOf: folder.appending(path: "bad/EXPECT.tsv"), encoding: .utf8)
            .split(separator: "\n")
            .dropFirst()
            .map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                return (String(fields[0]), String(fields[1]))
            }
    }
}
