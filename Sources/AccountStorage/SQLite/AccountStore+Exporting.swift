internal import SQLiteBinding

extension AccountStore {
    /// The account of a user with the form of the archive that it came in, to be exported.
    public nonisolated(nonsending) func storedArchive(uid: Int64) async throws -> StoredArchive? {
        let forms = forms
        return try await read(on: .callerIfFree) { connection in
            try connection.withStatement(AccountRows.selectArchive) { statement in
                try statement.bind(uid, at: 1)
                var decoder = StoredArchiveDecoder(connection, forms: forms)
                return try statement.step() ? try decoder.decode(statement.row) : nil
            }
        }
    }

    /// The accounts with the forms of their archives, in ascending order of their uids, a part at a time, each part as it is at one
    /// moment.
    ///
    /// - Parameters:
    ///   - uid: the uid that they come after; nil for the first ones.
    ///   - limit: how many rows, at most; fewer come where they are large, and none are the end.
    public nonisolated(nonsending) func storedArchives(after uid: Int64?, limit: Int) async throws -> [StoredArchiveRow]
    {
        guard limit > 0 else { return [] }
        let forms = forms
        return try await read(on: .poolThread) { connection in
            var decoder = StoredArchiveDecoder(connection, forms: forms)
            var rows: [StoredArchiveRow] = []
            var size = 0
            let sql = uid == nil ? AccountRows.visitArchives : AccountRows.visitArchivesAfter
            try connection.visit(sql, uid.map { [$0] } ?? []) { row in
                rows.append(try decoder.row(row))
                size += StoredArchiveDecoder.size(of: row)
                return rows.count < limit && size < StoredArchiveDecoder.mostBytes
            }
            return rows
        }
    }
}
