internal import CSystemFiles
internal import Glibc

extension ExportFolder {
    /// So few files are synced one by one: what else is written to the file system may be much.
    private static let fewFiles = 64

    /// Puts archives that are beside their places into them.
    ///
    /// - Parameters:
    ///   - entries: the accounts, of which those that are staged get their outcome.
    ///   - isFirst: whether there were none before.
    ///   - isLast: whether there are none after; then all are on disk when the call returns.
    /// - Throws: ``FileError`` if they could not be synced, or the disk is full. Those that are still staged are there no more then.
    func publish(_ entries: inout [ExportEntry], isFirst: Bool, isLast: Bool) throws(FileError) {
        let staged = entries.indices.filter { entries[$0].outcome == .staged }
        let areFew = isFirst && isLast && entries.count <= Self.fewFiles
        var next = 0
        do throws(FileError) {
            if !staged.isEmpty {
                try syncParts(staged.map { entries[$0].uid }, oneByOne: areFew)
            }
            while next < staged.count {
                try publish(&entries[staged[next]])
                next += 1
            }
            if isLast, !(isFirst && entries.isEmpty) { try syncAll(entries, oneByOne: areFew) }
        } catch {
            for index in staged[next...] { remove(Self.partName(of: entries[index].uid)) }
            throw error
        }
    }

    private func publish(_ entry: inout ExportEntry) throws(FileError) {
        let part = Self.partName(of: entry.uid)
        do throws(FileError) {
            let isPlaced = try FileWriter.move(
                part,
                to: Self.name(of: entry.uid),
                in: descriptor,
                overwrites: overwrites
            )
            entry.outcome = isPlaced ? .written : .refused(.conflict(entry.uid, at: place(of: entry.uid)))
            if !isPlaced { remove(part) }
        } catch {
            var error = error
            error.path = place(of: entry.uid)
            guard !error.isDiskFull else { throw error }
            remove(part)
            entry.outcome = .refused(ExportFailure(uid: entry.uid, error))
        }
    }

    // MARK: Syncing

    /// Waits until files that are beside their places are on disk.
    private func syncParts(_ uids: [Int64], oneByOne: Bool) throws(FileError) {
        guard oneByOne else { return try syncFileSystem() }
        for uid in uids { try FileWriter.sync(path.appending(Self.partName(of: uid).bytes)) }
    }

    /// Waits until all files are on disk in their places.
    private func syncAll(_ entries: [ExportEntry], oneByOne: Bool) throws(FileError) {
        guard oneByOne else { return try syncFileSystem() }
        for entry in entries where entry.isInPlace {
            if entry.outcome == .unchanged { try FileWriter.sync(place(of: entry.uid)) }
            try FileWriter.sync(place(of: entry.uid).parent)
        }
        try FileWriter.sync(path)
        try FileWriter.sync(path.parent)
    }

    private func syncFileSystem() throws(FileError) {
        guard csystemfiles_sync_file_system(descriptor) == 0 else { throw .system("write", path) }
    }
}
