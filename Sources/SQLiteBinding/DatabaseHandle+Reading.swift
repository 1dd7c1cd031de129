internal import CSystemSQLite
internal import Glibc

extension DatabaseHandle {
    /// Opens a file for reading, also one whose write-ahead log has no place to be.
    ///
    /// A database in that mode needs two files beside it even for reading. Where they cannot be made, nobody else has it open
    /// either if none of them is there, and the file itself has everything.
    static func forReading(_ location: DatabasePath, configuration: Configuration) throws(SQLiteError) -> DatabaseHandle
    {
        let handle = try DatabaseHandle(location, mode: .readOnly, place: .file, configuration: configuration)
        do throws(SQLiteError) {
            try Statement(sql: "SELECT 1 FROM sqlite_schema LIMIT 1", handle: handle).run()
            return handle
        } catch {
            guard error.code.primary == .cannotOpen || error.code.primary == .readOnly else { return handle }
            if let log = ["-wal", "-journal"].first(where: { hasContent(handle.fileName + $0) }) {
                var error = error
                error.message = "the database cannot be read without its log"
                error.sql = nil
                error.hint =
                    "what \(location.given)\(log) holds has to be brought into it first, for which this process may not write to its folder; "
                    + "give it that permission, or copy both files to another folder and use the copy"
                throw error
            }
            handle.close()
            return try DatabaseHandle(
                location,
                mode: .readOnly,
                place: .file,
                configuration: configuration,
                isImmutable: true
            )
        }
    }

    private static func hasContent(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_size > 0
    }

    /// The name by which SQLite opens a file as one that nobody changes; see <https://www.sqlite.org/uri.html>.
    static func immutableURI(_ name: String) -> String {
        // Two slashes at the front of a path would begin the name of a host.
        var uri = name.hasPrefix("/") ? "file://" : "file:"
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return uri + "?immutable=1"
    }
}

extension Connection {
    /// Whether a write-ahead log with something in it lies beside a database.
    public static func hasLog(besideFileAt path: String) -> Bool {
        var information = stat()
        return unsafe stat(path + "-wal", &information) == 0 && information.st_size > 0
    }
}
