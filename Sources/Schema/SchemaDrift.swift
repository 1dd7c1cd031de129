public import SQLiteBinding

/// Something in a database's schema that is not as the migrations made it.
public struct SchemaDifference: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    public enum Kind: Sendable, Hashable {
        /// It is not there.
        case missing
        /// It is there, and made by other SQL.
        case changed
        /// No migration has made it.
        case unknown
    }

    /// What is wrong with it.
    public var kind: Kind
    /// What kind of thing it is, and its name, as in `table accounts`.
    public var object: String
    /// The SQL by which its migration made it; nil for what no migration has made.
    public var sql: String?

    /// Both in words.
    public var description: String {
        switch kind {
        case .missing: "\(object) is missing"
        case .changed: "\(object) is not as its migration made it"
        case .unknown: "\(object) was made by no migration"
        }
    }
}

extension MigrationRunner {
    /// How a database's tables and indexes differ from those that its migrations made.
    ///
    /// It compares with a new database in memory to which the migrations of the ledger were applied.
    public func drift(of connection: Connection) throws -> [SchemaDifference] {
        let plan = try plan(connection)
        let model = try Connection.inMemory()
        let applied = folder.migrations.filter { migration in plan.applied.contains { $0.version == migration.version }
        }
        try MigrationRunner(
            folder: MigrationFolder(name: folder.name, migrations: applied),
            applicationID: applicationID
        )
        .apply(to: model)
        let expected = try Self.objects(in: model)
        let found = try Self.objects(in: connection)
        return Set(expected.keys).union(found.keys).sorted().compactMap { name in
            switch (expected[name], found[name]) {
            case (let expected?, let found?):
                expected == found ? nil : SchemaDifference(kind: .changed, object: name, sql: expected)
            case (let expected?, nil): SchemaDifference(kind: .missing, object: name, sql: expected)
            case (nil, _): SchemaDifference(kind: .unknown, object: name)
            }
        }
    }

    /// The SQL of each table, index, view and trigger, by kind and name.
    private static func objects(in connection: Connection) throws(SQLiteError) -> [String: String] {
        let statement = try connection.prepare(
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        var objects: [String: String] = [:]
        while try statement.step() { objects[statement.text(at: 0) ?? ""] = statement.text(at: 1) ?? "" }
        return objects
    }
}
