internal import SQLiteBinding

extension MigrationRunner {
    /// Finds out what a database has and lacks; call it in a transaction.
    func inspect(_ connection: Connection) throws -> MigrationPlan {
        let id = try connection.value("PRAGMA application_id")
        let ledger = try Ledger.entries(connection)
        if let ledger, id == .integer(Int64(applicationID)) || id == .integer(0) {
            let applied = ledger.map {
                MigrationPlan.Applied(version: Int(clamping: $0.version), name: $0.name, appliedAt: $0.appliedAt)
            }
            return MigrationPlan(applied: applied, pending: try pending(after: ledger, in: connection.path))
        }
        let objects = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT 4"
        )
        guard objects.isEmpty, id == .integer(0) || id == .integer(Int64(applicationID)) else {
            throw foreignDatabase(connection.path, objects.compactMap(\.first))
        }
        return MigrationPlan(applied: [], pending: try pending(after: []))
    }

    /// What is to be applied after what was, if that is the beginning of what there is.
    func pending(after ledger: [Ledger.Entry], in path: String = "") throws(MigrationError) -> [Migration] {
        let newer = ledger.filter { $0.version > folder.version }
        if !newer.isEmpty { throw newerSchema(newer, path) }
        for (index, entry) in ledger.enumerated() {
            guard index < folder.migrations.count else { throw unknown(entry, path) }
            let migration = folder.migrations[index]
            if entry.version < migration.version { throw unknown(entry, path) }
            if entry.version > migration.version { throw gap(migration, before: entry, path) }
            if entry.sql != migration.sql || entry.name != migration.name { throw changed(entry, migration, path) }
        }
        return Array(folder.migrations.dropFirst(ledger.count))
    }

    /// What a message calls a database; one in memory has no path.
    private static func name(_ path: String) -> String { path.isEmpty ? "the database" : path }

    private func foreignDatabase(_ path: String, _ objects: [SQLValue]) -> MigrationError {
        var names = objects.map { if case .text(let name) = $0 { "\"\(name)\"" } else { "?" } }
        if names.count > 3 { names[3] = "…" }
        let found = names.isEmpty ? "its application id is another" : "it has \(names.joined(separator: ", "))"
        return MigrationError(
            .foreignDatabase,
            "\(path) is a database of another program: \(found), and no ledger of these migrations; "
                + "nothing was written; name another file"
        )
    }

    private func newerSchema(_ entries: [Ledger.Entry], _ path: String) -> MigrationError {
        let files = entries.map(\.fileName)
        return MigrationError(
            .newerSchema,
            "\(Self.name(path)) was written by a newer version of this program, with "
                + "\(files.joined(separator: ", ")), which this one does not know; nothing was written; use the newer version",
            files: files
        )
    }

    private func unknown(_ entry: Ledger.Entry, _ path: String) -> MigrationError {
        MigrationError(
            .missing,
            "\(entry.fileName) was applied to \(Self.name(path)), but Migrations/\(folder.name) has no such file; "
                + "nothing was written; use the version of the program that has it",
            files: [entry.fileName]
        )
    }

    private func gap(_ migration: Migration, before entry: Ledger.Entry, _ path: String) -> MigrationError {
        MigrationError(
            .missing,
            "\(entry.fileName) was applied to \(Self.name(path)) without \(migration.fileName), which comes before it; "
                + "nothing was written; give a new migration a number above all others",
            files: [migration.fileName]
        )
    }

    private func changed(_ entry: Ledger.Entry, _ migration: Migration, _ path: String) -> MigrationError {
        var difference = LineDifference(from: entry.sql, to: migration.sql).lines
        if entry.name != migration.name { difference.insert("its name was \(entry.fileName)", at: 0) }
        return MigrationError(
            .changed,
            "\(folder.path(of: migration)) is not what was applied to \(Self.name(path)): "
                + "\(difference.joined(separator: " | ")); nothing was written; put the file back, and add a new one for the change",
            files: [migration.fileName]
        )
    }
}
