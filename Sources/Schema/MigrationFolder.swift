/// The migrations of one backend, which are the files of a folder `Migrations/<backend>`.
public struct MigrationFolder: Sendable, Hashable {
    /// The folder's name, that of the backend.
    public var name: String
    /// The migrations in ascending order of their versions.
    public var migrations: [Migration]

    /// Puts migrations together, in any order.
    public init(name: String, migrations: [Migration]) {
        self.name = name
        self.migrations = migrations.sorted { $0.version < $1.version }
    }

    /// The version that a database has when every migration is applied; 0 without migrations.
    public var version: Int { migrations.last?.version ?? 0 }

    /// Where the file of a migration is, from the top of the source tree.
    public func path(of migration: Migration) -> String { "Migrations/\(name)/\(migration.fileName)" }
}

extension MigrationFolder {
    /// The migrations for SQLite.
    ///
    /// The compiler embeds the files; which there are has to be listed here, and a test holds the list against the folder.
    public static let sqlite = MigrationFolder(
        name: "SQLite",
        migrations: [
            embedded(1, "accounts", PackageResources.V0001__accounts_sql),
            embedded(2, "import_ledger", PackageResources.V0002__import_ledger_sql),
        ]
    )

    private static func embedded(_ version: Int, _ name: String, _ bytes: [UInt8]) -> Migration {
        Migration(version: version, name: name, sql: String(decoding: bytes, as: UTF8.self))
    }
}
