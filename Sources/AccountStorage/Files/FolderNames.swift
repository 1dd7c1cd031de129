internal import Glibc

/// The names in a folder in the order of their bytes, each folder's with a slash behind it, so that the order is that of the paths of
/// all files below.
///
/// However many there are, memory holds some megabytes of them: the folder is read again for those that come after.
struct FolderNames {
    /// What a name is the name of.
    enum Kind: UInt8 {
        case regular
        case folder
        /// A link, a device, a pipe or a socket.
        case other
    }

    /// From how many names on the folder is kept open, since there may be very many folders.
    private static let leastNamesToKeepOpen = 64

    /// A name among those in memory. Most are told apart by their first bytes.
    private struct Key {
        /// The first eight bytes; the first counts most.
        var beginning: UInt64
        var start: UInt32
        var count: UInt16
        var kind: Kind
    }

    private let folder: FilePath
    private let limit: Int
    /// The folder, if it is kept open.
    private(set) var openFolder: OpenFolder?
    /// The names, one after the other.
    private var bytes: [UInt8] = []
    private var keys: [Key] = []
    private var position = 0
    /// Whether there are names after those in memory.
    private var hasMore = false

    /// Reads the names.
    ///
    /// - Parameters:
    ///   - folder: the folder. If the path ends in a symbolic link, that is not followed.
    ///   - limit: how many bytes of names and what goes with them are kept in memory, at most.
    /// - Throws: ``FileError`` if the folder cannot be read.
    init(_ folder: FilePath, limit: Int = 8 << 20) throws(FileError) {
        self.folder = folder
        self.limit = limit
        try read(after: nil)
    }

    /// The next name, or nil after the last.
    ///
    /// - Throws: ``FileError`` if the folder cannot be read any more.
    mutating func next() throws(FileError) -> (name: ArraySlice<UInt8>, kind: Kind)? {
        if position == keys.count {
            guard hasMore, let last = keys.last else { return nil }
            try read(after: Array(name(last)))
            if keys.isEmpty { return nil }
        }
        defer { position += 1 }
        let key = keys[position]
        return (key.kind == .folder ? name(key).dropLast() : name(key), key.kind)
    }

    private func name(_ key: Key) -> ArraySlice<UInt8> { bytes[Int(key.start)..<(Int(key.start) + Int(key.count))] }

    // MARK: Reading

    private mutating func read(after last: [UInt8]?) throws(FileError) {
        let descriptor = unsafe folder.withCString {
            unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw .system("open the folder", folder) }
        guard let stream = unsafe fdopendir(descriptor) else {
            let error = FileError.system("open the folder", folder)
            close(descriptor)
            throw error
        }
        defer { unsafe closedir(stream) }
        bytes.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        (position, hasMore) = (0, false)
        /// Nothing behind this name is kept, once there was too little room.
        var bound: [UInt8]?
        errno = 0
        while let entry = unsafe readdir(stream) {
            if unsafe append(entry, descriptor) {
                if let last, !isBehind(keys.count - 1, last) { dropLast() }
                if let end = bound, isBehind(keys.count - 1, end) { dropLast() }
                if bytes.count + keys.count * MemoryLayout<Key>.stride > limit, keys.count > 1 {
                    bound = dropUpperHalf()
                }
            }
            errno = 0
        }
        guard errno == 0 else { throw .system("read the folder", folder) }
        sort()
        if keys.count >= Self.leastNamesToKeepOpen { openFolder = OpenFolder(copying: descriptor) }
    }

    /// Appends a name, unless it is that of the folder itself or of the one above, and says whether it did.
    private mutating func append(_ entry: UnsafeMutablePointer<dirent>, _ descriptor: Int32) -> Bool {
        // The entry is as long as its name takes, and may not be copied as a whole.
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return false }
        let text = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
        let count = unsafe strlen(text)
        let name = unsafe UnsafeRawBufferPointer(start: text, count: count)
        if count <= 2, unsafe name.allSatisfy({ $0 == UInt8(ascii: ".") }) { return false }
        let kind = unsafe Self.kind(entry.pointee.d_type, text, descriptor)
        let start = bytes.count
        unsafe bytes.append(contentsOf: name)
        if kind == .folder { bytes.append(UInt8(ascii: "/")) }
        var beginning: UInt64 = 0
        for index in 0..<8 {
            beginning = beginning << 8 | UInt64(start + index < bytes.count ? bytes[start + index] : 0)
        }
        keys.append(
            Key(beginning: beginning, start: UInt32(start), count: UInt16(bytes.count - start), kind: kind)
        )
        return true
    }

    /// What an entry is; some file systems do not say that of it.
    private static func kind(_ type: UInt8, _ name: UnsafePointer<CChar>, _ descriptor: Int32) -> Kind {
        switch Int(type) {
        case Int(DT_REG): return .regular
        case Int(DT_DIR): return .folder
        case Int(DT_UNKNOWN): break
        default: return .other
        }
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .regular }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .folder
        default: .other
        }
    }

    // MARK: Order

    private func isBehind(_ index: Int, _ other: [UInt8]) -> Bool {
        other.lexicographicallyPrecedes(name(keys[index]))
    }

    private mutating func dropLast() {
        bytes.removeLast(Int(keys.removeLast().count))
    }

    /// Makes room, and gives the last name that is left.
    private mutating func dropUpperHalf() -> [UInt8]? {
        sort()
        keys.removeLast(keys.count / 2)
        hasMore = true
        let before = bytes
        bytes.removeAll(keepingCapacity: true)
        for index in keys.indices {
            let start = Int(keys[index].start)
            keys[index].start = UInt32(bytes.count)
            bytes.append(contentsOf: before[start..<(start + Int(keys[index].count))])
        }
        return keys.last.map { Array(name($0)) }
    }

    private mutating func sort() {
        unsafe bytes.withUnsafeBytes { bytes in
            keys.sort { left, right in
                if left.beginning != right.beginning { return left.beginning < right.beginning }
                let order = unsafe bytes.baseAddress.map {
                    unsafe memcmp($0 + Int(left.start), $0 + Int(right.start), Int(min(left.count, right.count)))
                }
                return order == 0 ? left.count < right.count : order ?? 0 < 0
            }
        }
    }
}
