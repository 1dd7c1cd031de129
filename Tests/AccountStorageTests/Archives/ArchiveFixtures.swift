import Foundation

/// The archives among the fixtures of the archive library's tests.
enum ArchiveFixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../KeyedArchiveTests/Fixtures").standardizedFileURL

    /// The bytes of a fixture, such as `bad/empty.data`.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The paths of the archives of a folder, in order.
    static func archives(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path(percentEncoded: false))
            .filter { $0.hasSuffix(".data") }.sorted().map { "\(name)/\($0)" }
    }
}
