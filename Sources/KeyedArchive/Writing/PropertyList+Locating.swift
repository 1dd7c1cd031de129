extension PropertyList {
    /// The bytes of the archive that the list is.
    ///
    /// - Throws: what ``encoded(widths:limits:)`` throws, with the way from the root to an object that the format cannot hold.
    func archived(widths: BinaryPropertyListWriter.Widths = .minimal) throws(ArchiveError) -> [UInt8] {
        do {
            return try encoded(widths: widths)
        } catch {
            guard let object = error.objectIndex, let path = path(toObject: object), !path.steps.isEmpty else {
                throw error
            }
            var located = error
            let rest = error.keyPath.isEmpty || error.keyPath.hasPrefix("[") ? error.keyPath : "." + error.keyPath
            located.keyPath = path.description + rest
            throw located
        }
    }

    /// One of the shortest ways from the root of the archive to an element of `$objects`; nil if there is none.
    private func path(toObject index: Int) -> ArchivePath? {
        guard let archive = try? Archive(self, limits: ArchiveLimits()), let root = try? archive.root else {
            return nil
        }
        var met: Set<Int> = []
        var waiting = [root]
        var position = 0
        while position < waiting.count {
            let value = waiting[position]
            position += 1
            if value.index == index { return value.path }
            if let index = value.index, !met.insert(index).inserted { continue }
            switch try? value.content() {
            case .array(let elements), .set(let elements): waiting += elements
            case .dictionary(let entries): waiting += entries.flatMap { [$0.value, $0.key] }
            case .object(let object): waiting += object.fields.map(\.value)
            default: break
            }
        }
        return nil
    }
}
