internal import Glibc

/// Where a database is: the path as it was given, and what it meant then.
struct DatabasePath: Sendable, Hashable {
    /// The path for messages; empty for a database in memory.
    let given: String
    /// The same from the root, whatever folder the process works in later. Symbolic links are in it.
    let absolute: String

    init(_ path: String) {
        given = path
        absolute = path.isEmpty || path.utf8.contains(0) ? path : Self.absolute(path)
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }
}
