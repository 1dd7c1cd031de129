internal import KeyedArchive

/// Writes archives into the folder of an export. Several threads use it at the same time.
struct ExportWriter: Sendable {
    /// What was written at a time by one thread.
    struct Chunk: Sendable {
        var entries: [ExportEntry] = []
        /// What keeps the rest from being written, too; those that come after are not among the entries.
        var failure: FileError?
    }

    let archives: AccountArchiveWriter
    let folder: ExportFolder

    /// Writes some beside their places.
    func write(_ items: [ExportSource.Item]) -> Chunk {
        var chunk = Chunk()
        chunk.entries.reserveCapacity(items.count)
        var buffer: [UInt8] = []
        for item in items {
            do throws(FileError) {
                chunk.entries.append(ExportEntry(uid: item.uid, outcome: try write(item, &buffer)))
            } catch {
                chunk.failure = error
                return chunk
            }
        }
        return chunk
    }

    /// Writes one.
    ///
    /// - Throws: ``FileError`` for what keeps the others from being written, too.
    private func write(_ item: ExportSource.Item, _ buffer: inout [UInt8]) throws(FileError) -> ExportEntry.Outcome {
        switch item {
        case .refused(let failure): return .refused(failure)
        case .archive(let stored):
            let uid = stored.account.uid
            buffer.removeAll(keepingCapacity: true)
            do throws(ArchiveError) {
                try archives.append(stored, to: &buffer)
            } catch {
                return .refused(ExportFailure(uid: uid, error))
            }
            return try stage(buffer, uid: uid, modifiedAt: stored.account.obtainedAtSeconds)
        }
    }

    private func stage(_ bytes: [UInt8], uid: Int64, modifiedAt: Int64?) throws(FileError) -> ExportEntry.Outcome {
        do throws(FileError) {
            switch try folder.stage(bytes, uid: uid, modifiedAt: modifiedAt) {
            case .staged: return .staged
            case .written: return .written
            case .unchanged: return .unchanged
            case .refused: return .refused(.conflict(uid, at: folder.place(of: uid)))
            }
        } catch {
            if error.isDiskFull || error.path == folder.path { throw error }
            return .refused(ExportFailure(uid: uid, error))
        }
    }
}
