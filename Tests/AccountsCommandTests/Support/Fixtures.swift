import Foundation

/// The archives among the fixtures of the archive library's tests.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../KeyedArchiveTests/Fixtures").standardizedFileURL

    /// The path of a fixture, such as `bad/empty.data`.
    static func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// The bytes of a fixture.
    static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }

    /// The archives of a folder, in order, as `variants/01_Account_seed.data`.
    static func archives(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name))
            .filter { $0.hasSuffix(".data") }.sorted().map { "\(name)/\($0)" }
    }

    /// The rows of `bad/EXPECT.tsv`: a file, and what importing it without options gives.
    static func expectations() throws -> [(file: String, expect: String)] {
        try String(contentsOf: folder.appending(path: "bad/EXPECT.tsv"), encoding: .utf8)
            .split(separator: "\n").dropFirst()
            .map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                return (String(fields[0]), String(fields[1]))
            }
    }
}
