internal import FoundationEssentials
internal import KeyValueCoding

/// A folder with copies of refused files, each with the reason beside it.
struct Quarantine {
    /// The folder, without symbolic links on the way to it.
    let folder: FilePath

    static let reasonSuffix = Array(".reason.json".utf8)
    /// The bytes that file systems allow a name to have.
    private static let longestName = 255
    /// How much of a name is kept where the whole does not fit.
    private static let keptName = 120

    /// Makes the folder, if it is missing.
    ///
    /// - Throws: ``FileError`` if it cannot be made.
    init(_ folder: FilePath) throws(FileError) {
        try FileWriter.makeFolder(folder)
        guard let resolved = folder.resolved() else { throw .system("find", folder) }
        self.folder = resolved
    }

    /// Adds a file under its relative path; beside it, under that path with `.reason.json`, why it was refused.
    ///
    /// Where another file has that place, or the path cannot be one here, the file gets a name that ends in digits made
    /// from its path and content, so that the same file gets the same name whenever it is refused.
    ///
    /// - Throws: ``FileError`` if the folder cannot be written to.
    func add(_ failure: ImportFailure, file: RefusedFile?) throws(FileError) {
        let entry = Entry(failure, file.flatMap(Content.init))
        let relativePath = Self.usable(file?.candidate.relativePath ?? failure.path.name)
        let digits = Array(".\(entry.digits)".utf8)
        let plain = folder.appending(relativePath)
        var failure: FileError?
        for place in [
            plain, FilePath(bytes: plain.bytes + digits), folder.appending(Self.beginning(of: plain.name) + digits),
        ] {
            guard place.name.count + Self.reasonSuffix.count <= Self.longestName,
                isFree(place, for: entry)
            else { continue }
            do throws(FileError) {
                return try write(entry, to: place)
            } catch {
                if error.isDiskFull { throw error }
                failure = error
            }
        }
        throw failure ?? FileError(plain, "cannot write: other files have its place")
    }

    // MARK: An entry

    /// What is in a file, and when it was changed last.
    private struct Content {
        var bytes: [UInt8]
        /// In Unix seconds; it may be when the token was issued.
        var modifiedAt: Int64?

        /// Nil for a file that cannot be read, which then is the reason why it was refused.
        init?(of file: RefusedFile) {
            let path = FilePath(withoutNUL: file.candidate.absolutePath)
            if let bytes = file.bytes {
                self.bytes = bytes
                modifiedAt = (try? FileStatus(path, followsLinks: false))?.modifiedAtSeconds
            } else {
                guard let content = try? FileContent.read(path, limit: .max - 1, followsLinks: false) else {
                    return nil
                }
                bytes = content.bytes
                modifiedAt = content.status.modifiedAtSeconds
            }
        }
    }

    /// What is kept of a file.
    private struct Entry {
        var content: Content?
        var reason: [String: Value]
        /// Digits that tell it from other files.
        var digits: String

        init(_ failure: ImportFailure, _ content: Content?) {
            let path = failure.path.resolved() ?? failure.path
            let hash = content.map { SHA256.hexDigest(of: $0.bytes) }
            self.content = content
            digits = String(SHA256.hexDigest(of: path.bytes + [0] + Array((hash ?? "").utf8)).prefix(16))
            reason = [
                "path": .text(path.description), "code": .text(failure.code), "message": .text(failure.message),
            ]
            if let encoded = path.base64 { reason["path_bytes"] = .text(encoded) }
            if let content { reason["size"] = .integer(Int64(content.bytes.count)) }
            if let hash { reason["sha256"] = .text(hash) }
        }

        /// Whether a reason that was written before is about the same file with the same content.
        func isSameFile(as other: Value) -> Bool {
            guard case .dictionary(let other) = other else { return false }
            return ["path", "path_bytes", "sha256"].allSatisfy { other[$0] == reason[$0] }
        }
    }

    /// Whether nothing is at a place, or nothing but an earlier copy of the same file.
    private func isFree(_ place: FilePath, for entry: Entry) -> Bool {
        let reason = Self.reasonPlace(place)
        let isTaken = [place, reason].contains { (try? FileStatus($0, followsLinks: false)) != nil }
        guard isTaken else { return true }
        guard let text = try? FileContent.read(reason, limit: 1 << 20).bytes,
            let earlier = try? Value(json: text, dialect: .plain)
        else { return false }
        return entry.isSameFile(as: earlier)
    }

    private func write(_ entry: Entry, to place: FilePath) throws(FileError) {
        try FileWriter.makeFolder(place.parent)
        var json = Array(Value.dictionary(entry.reason).json(dialect: .plain, pretty: true).utf8)
        if json.last != UInt8(ascii: "\n") { json.append(UInt8(ascii: "\n")) }
        // The copy comes first: a reason says that it is there. What a power cut takes of it is refused again by the same import.
        if let content = entry.content {
            try FileWriter.write(content.bytes, to: place, modifiedAt: content.modifiedAt, syncs: false)
        }
        try FileWriter.write(json, to: Self.reasonPlace(place), syncs: false)
    }

    // MARK: Names

    private static func reasonPlace(_ place: FilePath) -> FilePath {
        FilePath(bytes: place.bytes + reasonSuffix)
    }

    /// The path, or a name in its stead if it would lead out of the folder or be the folder.
    private static func usable(_ relativePath: [UInt8]) -> [UInt8] {
        let parts = relativePath.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isUsable = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        return isUsable ? relativePath : Array("unnamed".utf8)
    }

    /// The beginning of a name, cut between two characters.
    private static func beginning(of name: [UInt8]) -> [UInt8] {
        guard name.count > keptName else { return name }
        var end = keptName
        while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        return end == 0 ? Array(name[..<keptName]) : Array(name[..<end])
    }
}

extension FilePath {
    /// The bytes in base64 if they are no text, so that the path's ``description`` does not tell all of it; else nil.
    public var base64: String? {
        String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
    }
}
