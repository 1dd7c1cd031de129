import Foundation

/// A folder of archives that are not part of the package: that of `$ACCOUNTS_CORPUS`.
enum Corpus {
    static let folder = ProcessInfo.processInfo.environment["ACCOUNTS_CORPUS"].flatMap {
        $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
    }

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The paths of the files of some folders, in order.
    static func files(in names: [String]) throws -> [String] {
        guard let folder else { return [] }
        return try names.flatMap { name in
            try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: name).path(percentEncoded: false)
            )
            .sorted().map { "\(name)/\($0)" }
        }
    }
}
