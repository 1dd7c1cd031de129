internal import KeyValueCoding

/// A folder with copies of refused files, each with the reason beside it.
struct Quarantine {
    let folder: FilePath

    /// Adds a file under its relative path; beside it, under that path with `.reason.json`, why it was refused.
    ///
    /// - Throws: ``FileError`` if the folder cannot be written to.
    func add(_ failure: ImportFailure, file: RefusedFile?) throws(FileError) {
        let place = folder.appending(file?.relativePath ?? failure.path.name)
        try FileWriter.makeFolder(place.parent)
        var reason: [String: Value] = [
            "path": .text(failure.path.description), "code": .text(failure.code), "message": .text(failure.message),
        ]
        if let bytes = file?.bytes {
            try FileWriter.write(bytes, to: place)
            reason["size"] = .integer(Int64(bytes.count))
            reason["sha256"] = .text(SHA256.hexDigest(of: bytes))
        }
        var json = Array(Value.dictionary(reason).json(dialect: .plain, pretty: true).utf8)
        if json.last != UInt8(ascii: "\n") { json.append(UInt8(ascii: "\n")) }
        try FileWriter.write(json, to: FilePath(bytes: place.bytes + Array(".reason.json".utf8)))
    }
}
